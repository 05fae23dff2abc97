/** Uses the colors of the surrounding text, so it fits any Headlamp theme. */
export function Style() {
  return <style>{css}</style>;
}

const css = `
.jobset-diagnosis table { border-collapse: collapse; width: 100%; }
.jobset-diagnosis caption { text-align: left; opacity: 0.75; padding-bottom: 0.5em; }
.jobset-diagnosis th, .jobset-diagnosis td { text-align: left; vertical-align: top; padding: 0.4em 0.8em 0.4em 0; font-weight: normal; }
.jobset-diagnosis thead th { font-weight: bold; }
.jobset-diagnosis tr.jobset { border-top: 1px solid rgba(128, 128, 128, 0.4); }
.jobset-diagnosis button { font: inherit; color: inherit; background: none; border: none; padding: 0; text-decoration: underline; cursor: pointer; text-align: left; }
.jobset-diagnosis .count { margin-right: 1.2em; }
.jobset-diagnosis .phase-Stuck, .jobset-diagnosis .phase-Failed { font-weight: bold; }
.jobset-diagnosis .unread { border-left: 3px solid #c77700; padding-left: 0.6em; }
.jobset-diagnosis figure { margin: 0; }
.jobset-diagnosis article { margin: 0.8em 0 1.6em; }
.jobset-diagnosis .advice { border-left: 3px solid #2e7d32; padding-left: 0.6em; }
.jobset-diagnosis .evidence { margin: 0.6em 0; }
.jobset-diagnosis .evidence p { margin: 0.2em 0; }
.jobset-diagnosis .evidence li { font-family: monospace; font-size: 12px; overflow-wrap: anywhere; }
.jobset-diagnosis .box { cursor: pointer; }
.jobset-diagnosis .box rect { fill: none; stroke: currentColor; pointer-events: all; }
.jobset-diagnosis .box.root rect { stroke: #d32f2f; stroke-width: 2.5; }
.jobset-diagnosis .box.symptom, .jobset-diagnosis .box.besides { opacity: 0.65; }
.jobset-diagnosis .box.besides rect { stroke-dasharray: 4 3; }
.jobset-diagnosis .box[aria-pressed="true"] { opacity: 1; }
.jobset-diagnosis .box text { font: 12px monospace; fill: currentColor; }
.jobset-diagnosis .box .heading { font-weight: bold; }
.jobset-diagnosis .arrow { fill: none; stroke: currentColor; opacity: 0.65; }
.jobset-diagnosis .arrow.indirect { stroke-dasharray: 4 3; }
`;
