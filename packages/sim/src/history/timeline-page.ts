import { differenceLines } from "./difference.ts";
import type { HistoryEntry } from "./history.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import type { Trace, TraceRow, TraceSpan } from "./trace.ts";

/**
 * A run as one page of HTML that needs nothing else: a row for each object, bars for how it stood over time, marks for what
 * went wrong and was told. Bars and marks tell more when they are pointed at or have the focus, which the arrow keys move.
 *
 * @param title - what the run is of
 * @example timelinePage(traceOf(randomScenario(1)).trace, "train").startsWith("<!doctype html>") // => true
 */
export function timelinePage(trace: Trace, title: string): string {
  const { rows, endsAt, entries, isQuiet, seed } = trace;
  const height = TOP + rows.length * ROW + 8;
  const scale = CHART / Math.max(1, endsAt);
  const end = isQuiet ? "at rest" : "not at rest";
  const broken = entries.filter(({ what }) => what === "Broken");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>Seed ${seed}; ${seconds(endsAt)} of virtual time, ${end} then; ${rows.length} objects.</p>
${broken.map(({ name, text }) => `<p class="broken">Broken: ${escaped(name)}: ${escaped(text)}</p>`).join("")}
<p class="tools"><button id="in">Zoom in</button> <button id="out">Zoom out</button> <button id="all">Whole run</button>
<span id="legend">${LEGEND.map(([state, text]) => `<i class="${state}"></i>${text}`).join(" ")}</span></p>
</header>
<main>
<div id="names" style="padding-top:${TOP}px">${rows.map(nameOf).join("")}</div>
<div id="scroll" tabindex="-1">
<svg id="chart" role="group" aria-label="How each object stood over time" width="${CHART}" height="${height}" data-ends="${endsAt}">
<g id="axis"></g>
${entries.map((entry, place) => globalMark(entry, place, scale, height)).join("")}
${rows.map((row, at) => rowOf(row, at, scale, trace)).join("\n")}
</svg>
</div>
</main>
<section id="detail" aria-live="polite"><p>Point at a bar or a mark, or move with the arrow keys.</p></section>
<script type="application/json" id="entries">${embedded(detailsOf(trace))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Pixels, before any zoom. */
const CHART = 1000;
const ROW = 20;
const TOP = 28;

function nameOf({ kind, name, depth }: TraceRow): string {
  const text = `${kind} ${name}`;
  return `<div class="name" style="padding-left:${8 + depth * 14}px" title="${escaped(text)}">${escaped(text)}</div>`;
}

function rowOf({ kind, name, spans, marks }: TraceRow, at: number, scale: number, trace: Trace) {
  const y = TOP + at * ROW;
  const bars = spans.map((span) => barOf(`${kind} ${name}`, span, y, scale));
  const points = marks.map((place) => {
    const entry = trace.entries[place];
    return entry === undefined ? "" : markOf(entry, place, y, scale);
  });
  return `<g class="row" data-row="${at}">${bars.join("")}${points.join("")}</g>`;
}

function barOf(object: string, { from, until, state, entry }: TraceSpan, y: number, scale: number) {
  const told = `${object}: ${state}, ${seconds(from)} to ${seconds(until)}`;
  return (
    `<g class="bar ${stateClass(state)}" role="img" tabindex="-1" aria-label="${escaped(told)}" data-from="${from}" data-until="${until}" data-entry="${entry}">` +
    `<rect x="${pixels(from * scale)}" y="${y + 2}" width="${pixels(Math.max(1, (until - from) * scale))}" height="${ROW - 4}"></rect>` +
    `<svg x="${pixels(from * scale)}" y="${y + 2}" width="${pixels(Math.max(1, (until - from) * scale))}" height="${ROW - 4}"><text x="3" y="12">${escaped(state)}</text></svg></g>`
  );
}

function markOf(entry: HistoryEntry, place: number, y: number, scale: number): string {
  const { at, what, text } = entry;
  const told = `${what} at ${seconds(at)}: ${text}`;
  return `<g class="mark ${what}" role="img" tabindex="-1" aria-label="${escaped(told)}" data-from="${at}" data-until="${at}" data-entry="${place}"><path d="${what === "Told" ? "M0 4L4 10L0 16L-4 10Z" : "M-4 15L0 5L4 15Z"}" transform="translate(${pixels(at * scale)} ${y})"></path></g>`;
}

/** What is about no single object goes through all rows. */
function globalMark(entry: HistoryEntry, place: number, scale: number, height: number): string {
  const { at, what, name, text } = entry;
  if (what !== "Fault" && what !== "Broken") return "";
  const told = `${what} at ${seconds(at)}: ${name}: ${text}`;
  return `<g class="mark ${what}" role="img" tabindex="-1" aria-label="${escaped(told)}" data-from="${at}" data-until="${at}" data-entry="${place}"><path d="M-4 14H4L0 24V${height}V24Z" transform="translate(${pixels(at * scale)} 0)"></path></g>`;
}

const LEGEND = [
  ["waiting", "waiting"],
  ["running", "running"],
  ["ready", "ready"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["going", "being deleted"],
  ["suspended", "suspended"],
] as const;

/** Which colour a state has; the words of the state say the same. */
function stateClass(state: string): (typeof LEGEND)[number][0] {
  if (/being deleted/.test(state)) return "going";
  if (/^(?:Failed|failing|restarting)|ready (?:False|Unknown)/.test(state)) return "failed";
  if (/^(?:Succeeded|Complete|completing)/.test(state)) return "succeeded";
  if (/suspended/.test(state)) return "suspended";
  if (/^(?:Pending|no Pods)|^0 of /.test(state)) return "waiting";
  return /ready/.test(state) ? "ready" : "running";
}

/** Of each entry what its bar or mark tells more. */
function detailsOf({ entries, rows }: Trace): Readonly<Record<number, object>> {
  const shown = new Set(
    rows.flatMap(({ spans, marks }) => [...spans.map(({ entry }) => entry), ...marks]),
  );
  return Object.fromEntries(
    entries.flatMap((entry, place) => {
      const { at, actor, what, kind, namespace, name, text, patches } = entry;
      const isGlobal = what === "Fault" || what === "Broken";
      if (!isGlobal && !shown.has(place)) return [];
      const difference = patches === undefined ? [] : differenceLines(patches());
      const about = [kind, [namespace, name].filter(Boolean).join("/")].filter(Boolean).join(" ");
      return [[place, { at, actor, what, about, text, difference }]];
    }),
  );
}

function seconds(millis: number): string {
  return `${(millis / 1000).toFixed(3)}s`;
}

function pixels(length: number): string {
  return String(Math.round(length * 100) / 100);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** JSON that cannot end the element that it stands in. */
function embedded(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

const STYLE = `
:root { color-scheme: light; font: 14px/1.4 system-ui, sans-serif; color: #1b1f24; background: #fff; }
body { margin: 0; display: grid; grid-template-rows: auto 1fr auto; height: 100vh; }
header { padding: 8px 12px; border-bottom: 1px solid #c9d1d9; }
h1 { font-size: 18px; margin: 0; } p { margin: 4px 0; } .broken { color: #a40e26; font-weight: 600; }
main { display: grid; grid-template-columns: minmax(160px, 300px) 1fr; overflow-y: auto; align-items: start; }
.name { height: ${ROW}px; line-height: ${ROW}px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
#scroll { overflow-x: auto; }
#detail { height: 180px; overflow: auto; padding: 4px 12px; border-top: 1px solid #c9d1d9; background: #f6f8fa; }
#detail pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
#legend { margin-left: 12px; } #legend i { display: inline-block; width: 12px; height: 12px; margin: 0 4px 0 8px; border: 1px solid #57606a; }
svg text { font-size: 11px; fill: #1b1f24; } #axis line { stroke: #d0d7de; } #axis text { fill: #424a53; }
rect { stroke: #57606a; stroke-width: 0.5; }
.waiting rect, i.waiting { fill: #eaeef2; background: #eaeef2; }
.running rect, i.running { fill: #b6e3ff; background: #b6e3ff; }
.ready rect, i.ready { fill: #aceebb; background: #aceebb; }
.succeeded rect, i.succeeded { fill: #6fdd8b; background: #6fdd8b; }
.failed rect, i.failed { fill: #ffb3ad; background: #ffb3ad; }
.going rect, i.going { fill: #ffd8b5; background: #ffd8b5; }
.suspended rect, i.suspended { fill: #e2d4fb; background: #e2d4fb; }
.mark path { fill: #0550ae; stroke: #fff; stroke-width: 0.5; } .mark.Refused path { fill: #bc4c00; }
.mark.Fault path, .mark.Broken path { fill: #a40e26; stroke: #a40e26; }
[role=img]:focus { outline: none; } [role=img]:focus rect, [role=img]:focus path { stroke: #000; stroke-width: 2.5; }
`;
