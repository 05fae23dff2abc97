/** The style of a run's page. One box scrolls, in which names and times stay fixed. */
export const PAGE_STYLE = `
:root { color-scheme: light; font: 14px/1.4 system-ui, sans-serif; color: #1b1f24; background: #fff; }
body { margin: 0; display: grid; grid-template-rows: auto minmax(0, 1fr) auto; height: 100vh; }
header { padding: 8px 12px; border-bottom: 1px solid #c9d1d9; }
h1 { font-size: 18px; margin: 0; } p { margin: 4px 0; } .broken, .failures { color: #a40e26; font-weight: 600; } .failures { max-height: 60px; overflow: auto; }
#ends { margin: 4px 0; padding: 0; list-style: none; max-height: 100px; overflow: auto; font-weight: 600; }
main { display: grid; grid-template-columns: 260px max-content; overflow: auto; align-content: start; }
#corner, #axis, #names { position: sticky; background: #fff; }
#corner { top: 0; left: 0; z-index: 3; border-right: 1px solid #d0d7de; }
#axis { top: 0; z-index: 1; margin: 0 8px; overflow: visible; box-shadow: 0 1px #d0d7de; }
#names { left: 0; z-index: 2; border-right: 1px solid #d0d7de; }
.name { height: 20px; line-height: 20px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; font-size: 13px; }
.name.now { background: #ddf4ff; }
#chart { display: block; margin: 0 8px; }
#detail { height: 180px; overflow: auto; padding: 6px 12px; border-top: 1px solid #c9d1d9; background: #f6f8fa; }
#detail ul { margin: 4px 0; padding: 0; list-style: none; font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
#detail b { font-weight: 600; } #detail .added { color: #116329; } #detail .removed { color: #a40e26; }
#legend { margin-left: 12px; } #legend span { white-space: nowrap; } #legend i, #ends i { display: inline-block; width: 12px; height: 12px; margin: 0 4px 0 8px; border: 1px solid #57606a; } #ends i { margin-left: 0; }
#legend svg { vertical-align: text-bottom; margin-left: 6px; }
svg text { font-size: 11px; fill: #1b1f24; } #lines line { stroke: #eaeef2; } #axis text { fill: #424a53; } #axis line { stroke: #8c959f; }
rect { stroke: #57606a; stroke-width: 0.5; }
.waiting rect, i.waiting { fill: #eaeef2; background: #eaeef2; }
.running rect, i.running { fill: #b6e3ff; background: #b6e3ff; }
.ready rect, i.ready { fill: #aceebb; background: #aceebb; }
.succeeded rect, i.succeeded { fill: #6fdd8b; background: #6fdd8b; }
.failed rect, i.failed { fill: #ffb3ad; background: #ffb3ad; }
.going rect, i.going { fill: #ffd8b5; background: #ffd8b5; }
.suspended rect, i.suspended { fill: #e2d4fb; background: #e2d4fb; }
.restarting rect, i.restarting { fill: #fff1a6; background: #fff1a6; }
.narrow text, text.hidden { display: none; }
.mark svg { overflow: visible; }
.mark path { fill: #0550ae; stroke: #fff; stroke-width: 0.5; } .mark.Refused path { fill: #bc4c00; }
.mark.Fault text, .mark.Broken text { fill: #a40e26; font-weight: 600; }
.mark.Fault path, .mark.Broken path { fill: #a40e26; stroke: #a40e26; }
[role=img] { cursor: pointer; outline: none; }
[role=img]:hover rect, [role=img]:hover path { stroke: #0969da; stroke-width: 1.5; }
[role=img]:focus rect, [role=img]:focus path { stroke: #000; stroke-width: 2.5; }
`;
