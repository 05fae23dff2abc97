import { differenceLines } from "./difference.ts";
import type { HistoryEntry } from "./history.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import type { Trace, TraceRow, TraceSpan } from "./trace.ts";

/**
 * A run as one page of HTML that needs nothing else: a row for each object, bars for how it stood over time, marks for what
 * went wrong and was told. Bars and marks tell more when they are pointed at or have the focus, which a click and the arrow
 * keys move.
 *
 * @param title - what the run is of
 * @example timelinePage(traceOf(randomScenario(1)).trace, "train").startsWith("<!doctype html>") // => true
 */
export function timelinePage(trace: Trace, title: string): string {
  const { rows, endsAt, entries, isQuiet, seed } = trace;
  const height = TOP + rows.length * ROW + 8;
  const end = isQuiet ? "at rest" : "not at rest";
  const broken = entries.filter(({ what }) => what === "Broken");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>Seed ${seed}; ${seconds(endsAt)} of virtual time, ${end} then; ${rows.length} objects.</p>
${broken.map(({ name, text }) => `<p class="broken">Broken: ${escaped(name)}: ${escaped(text)}</p>`).join("")}
<p class="tools"><button id="in">Zoom in</button> <button id="out">Zoom out</button> <button id="all">Whole run</button>
<span id="legend">${legend()}</span></p>
</header>
<main>
<div id="corner"></div>
<svg id="axis" aria-hidden="true" height="${AXIS}"></svg>
<div id="names" style="padding-top:${TOP}px">${rows.map(rowName).join("")}</div>
<svg id="chart" role="group" aria-label="How each object stood over time" height="${height}" data-ends="${endsAt}">
<g id="lines"></g>
${entries.map((entry, place) => globalMark(entry, place, trace, height)).join("")}
${rows.map((row, at) => rowOf(row, at, trace)).join("\n")}
</svg>
</main>
<section id="detail" aria-live="polite"><p>Point at a bar or a mark; a click keeps what is told of it. The arrow keys move from one to the next; Ctrl and the wheel zoom.</p></section>
<script type="application/json" id="entries">${embedded(detailsOf(trace))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Pixels. Across, all is in percent of the chart, whose width is the zoom. */
const ROW = 20;
const TOP = 14;
const AXIS = 24;

function rowName({ kind, name, depth }: TraceRow): string {
  const text = `${kind} ${name}`;
  return `<div class="name" style="padding-left:${8 + depth * 14}px" title="${escaped(text)}">${escaped(text)}</div>`;
}

function rowOf({ kind, name, spans, marks }: TraceRow, at: number, trace: Trace) {
  const y = TOP + at * ROW;
  const bars = spans.map((span) => barOf(`${kind} ${name}`, span, y, trace));
  const points = marks.map((place) => {
    const entry = trace.entries[place];
    return entry === undefined ? "" : markOf(entry, place, y, trace);
  });
  return `<g class="row" data-row="${at}">${bars.join("")}${points.join("")}</g>`;
}

function barOf(object: string, span: TraceSpan, y: number, { endsAt }: Trace): string {
  const { from, until, state, entry } = span;
  const told = `${object}: ${state}, ${seconds(from)} to ${seconds(until)}`;
  const box = `x="${percent(from, endsAt)}" y="${y + 2}" width="${percent(until - from, endsAt)}" height="${ROW - 4}"`;
  return (
    `<g class="bar ${stateClass(state)}"${pointedAt(told, from, entry)} data-until="${until}">` +
    `<rect ${box}></rect><svg ${box}><text x="3" y="12">${escaped(state)}</text></svg></g>`
  );
}

function markOf(entry: HistoryEntry, place: number, y: number, { endsAt }: Trace): string {
  const { at, what, text } = entry;
  const told = `${what} at ${seconds(at)}: ${text}`;
  const shape = what === "Event" ? EVENT : REFUSED;
  return `<g class="mark ${what}"${pointedAt(told, at, place)}><svg x="${percent(at, endsAt)}" y="${y}">${shape}</svg></g>`;
}

/** What is about no single object goes through all rows. */
function globalMark(entry: HistoryEntry, place: number, { endsAt }: Trace, height: number): string {
  const { at, what, name, text } = entry;
  if (what !== "Fault" && what !== "Broken") return "";
  const told = `${what} at ${seconds(at)}: ${name}: ${text}`;
  const shape = `<path d="M-5 0H5L0 10V${height}V10Z"></path>`;
  return `<g class="mark ${what}"${pointedAt(told, at, place)}><svg x="${percent(at, endsAt)}">${shape}</svg></g>`;
}

const EVENT = '<path d="M0 4L4 10L0 16L-4 10Z"></path>';
const REFUSED = '<path d="M-4 15L0 5L4 15Z"></path>';

function pointedAt(told: string, from: number, entry: number): string {
  return ` role="img" tabindex="-1" aria-label="${escaped(told)}" data-from="${from}" data-entry="${entry}"`;
}

function legend(): string {
  const states = LEGEND.map(([state, text]) => `<i class="${state}"></i>${text}`);
  const marks = [
    ["Event", EVENT, "Event"],
    ["Refused", REFUSED, "refused"],
    ["Fault", '<path d="M-5 4H5L0 14V20V14Z"></path>', "fault"],
  ].map(
    ([what, shape, text]) =>
      `<svg class="mark ${what}" width="14" height="20" viewBox="-7 0 14 20">${shape}</svg>${text}`,
  );
  return [...states, ...marks].join(" ");
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

/** Exact to a pixel at every zoom. */
function percent(time: number, endsAt: number): string {
  return `${Number(((100 * time) / Math.max(1, endsAt)).toFixed(6))}%`;
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
