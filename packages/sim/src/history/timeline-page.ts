import { formatDiff } from "./difference.ts";
import { type DrawnTime, getDrawnTime } from "./drawn-time.ts";
import type { HistoryEntry } from "./history.ts";
import { jobSetEnd, momentText } from "./jobset-end.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { POD_FAILURE, type Trace, type TraceRow, type TraceSpan } from "./trace.ts";

/**
 * Renders a run as one self-contained HTML page: a row for each object, bars for its states, marks for faults and
 * Events, and a header with the end of each JobSet. Bars and marks show details when the pointer is over them or when
 * they have the focus, which a click and the arrow keys move.
 *
 * @param title - the subject of the run
 * @param notes - further notes about its end, a sentence each
 * @example renderTimelineHtml(recordTrace(randomScenario(1)).trace, "train").startsWith("<!doctype html>") // => true
 */
export function renderTimelineHtml(
  trace: Trace,
  title: string,
  notes: readonly string[] = [],
): string {
  const { rows, endsAt, entries, isIdle, seed } = trace;
  const height = TOP + rows.length * ROW + 8;
  const end = isIdle ? "idle" : "not idle";
  const broken = entries.filter(({ what }) => what === "Broken");
  const drawn = getDrawnTime(trace);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<ul id="ends">${endLines(trace)}</ul>
${failuresText(entries)}${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join("")}
<p>Seed ${seed}; ${momentText(endsAt)} of virtual time, ${end} then; ${rows.length} objects.${gapText(drawn, trace)}</p>
${broken.map(({ name, text }) => `<p class="broken">Broken: ${escapeHtml(name)}: ${escapeHtml(text)}</p>`).join("")}
<p class="tools"><button id="in">Zoom in</button> <button id="out">Zoom out</button> <button id="all">Whole run</button>
<span id="legend">${legend()}</span></p>
</header>
<main>
<div id="corner"></div>
<svg id="axis" aria-hidden="true" height="${AXIS}"></svg>
<div id="names" style="padding-top:${TOP}px">${rows.map(rowName).join("")}</div>
<svg id="chart" role="group" aria-label="How each object stood over time" height="${height}" data-ends="${drawn.endsAt}">
<g id="lines"></g>
${entries.map((entry, place) => globalMark(entry, place, drawn, height)).join("")}
${rows.map((row, at) => createRow(row, at, trace, drawn)).join("\n")}
</svg>
</main>
<section id="detail" aria-live="polite"><p>Point at a bar or a mark to show its details; click to keep them. The arrow keys move from one to the next; Ctrl and the wheel zoom.</p></section>
<script type="application/json" id="entries">${serializeForScript(createDetails(trace, drawn))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** Returns how each JobSet ended, with the color of its state. */
function endLines(trace: Trace): string {
  const jobSets = trace.rows.filter(({ kind }) => kind === "JobSet");
  return jobSets
    .map((row) => {
      const { namespace, name } = row;
      const isAlone = jobSets.filter((one) => one.name === name).length === 1;
      const end = jobSetEnd(row, trace);
      const text = `${isAlone ? name : `${namespace}/${name}`}: ${end}`;
      const colour = end.startsWith("gone") ? "going" : stateClass(end);
      return `<li><i class="${colour}"></i>${escapeHtml(text)}</li>`;
    })
    .join("");
}

/** Returns the text of all requested failures, because there may be no room for each at its time. */
function failuresText(entries: readonly HistoryEntry[]): string {
  const texts = entries.flatMap(({ what, name, text }) =>
    what === "Fault" && name === POD_FAILURE ? [text] : [],
  );
  return texts.length === 0 ? "" : `<p class="failures">${escapeHtml(texts.join(", "))}</p>`;
}

function gapText({ gap }: DrawnTime, { endsAt }: Trace): string {
  if (gap === undefined) return "";
  const until = momentText(gap.until);
  const then =
    gap.until < endsAt
      ? `${until}; later deletions are not drawn`
      : `the run ends at ${until}, and the rest is not drawn`;
  return ` Nothing new happens from ${momentText(gap.from)} until ${then}.`;
}

/** Sizes in pixels. Horizontal positions are percentages of the chart, whose width is the zoom. */
const ROW = 20;
const TOP = 16;
const AXIS = 24;

function rowName({ kind, name, depth }: TraceRow): string {
  const text = `${kind} ${name}`;
  return `<div class="name" style="padding-left:${8 + depth * 14}px" title="${escapeHtml(text)}">${escapeHtml(text)}</div>`;
}

function createRow(row: TraceRow, at: number, { entries }: Trace, drawn: DrawnTime) {
  const { kind, name, spans, marks, goneAt } = row;
  const y = TOP + at * ROW;
  const bars = spans.map((span, place) => {
    // The last state of an existing object continues.
    const isLast = place === spans.length - 1 && goneAt === undefined;
    return createBar(`${kind} ${name}`, span, {
      y,
      drawn,
      until: isLast ? drawn.endsAt : span.until,
    });
  });
  const points = marks.map((place) => {
    const entry = entries[place];
    return entry === undefined ? "" : createMark(entry, place, y, drawn);
  });
  return `<g class="row" data-row="${at}">${bars.join("")}${points.join("")}</g>`;
}

function createBar(
  object: string,
  { from, until, state, entry }: TraceSpan,
  { y, drawn, until: drawnUntil }: { y: number; drawn: DrawnTime; until: number },
): string {
  const { endsAt } = drawn;
  if (from > endsAt) return "";
  const ends = Math.min(drawnUntil, endsAt);
  const label = `${object}: ${state}, ${seconds(from)} to ${seconds(until)}`;
  const box = `x="${percent(from, endsAt)}" y="${y + 2}" width="${percent(ends - from, endsAt)}" height="${ROW - 4}"`;
  return (
    `<g class="bar ${stateClass(state)}"${linkToEntry(label, from, entry)} data-until="${ends}">` +
    `<rect ${box}></rect><svg ${box}><text x="3" y="12">${escapeHtml(state)}</text></svg></g>`
  );
}

function createMark(entry: HistoryEntry, place: number, y: number, { endsAt }: DrawnTime) {
  const { at, what, text } = entry;
  if (at > endsAt) return "";
  const label = `${what} at ${seconds(at)}: ${text}`;
  const shape = what === "Refused" ? REJECTION_ICON : EVENT;
  return `<g class="mark ${what}"${linkToEntry(label, at, place)}><svg x="${percent(at, endsAt)}" y="${y}">${shape}</svg></g>`;
}

/** Draws an entry about no single object through all rows, with its label above them. */
function globalMark(entry: HistoryEntry, place: number, { endsAt }: DrawnTime, height: number) {
  const { at, what, name, text, hadNoTarget = false } = entry;
  if (what !== "Broken" && (what !== "Fault" || at > endsAt)) return "";
  const over = text.startsWith("over: ") ? `${name} is over` : name;
  const state = hadNoTarget ? `${name} meets nothing` : over;
  const words = name === POD_FAILURE ? text : state;
  // A violation later than the drawn time has its mark at the end.
  const isLeft = at > 0.8 * endsAt;
  const side = isLeft ? 'x="-7" text-anchor="end"' : 'x="7"';
  const label = `${what} at ${seconds(at)}: ${name}: ${text}`;
  const shape = `<path d="M-5 0H5L0 10V${height}V10Z"></path>`;
  return `<g class="mark ${what}"${linkToEntry(label, at, place)}><svg x="${percent(Math.min(at, endsAt), endsAt)}">${shape}<text ${side} y="11">${escapeHtml(words)}</text></svg></g>`;
}

const EVENT = '<path d="M0 4L4 10L0 16L-4 10Z"></path>';
const REJECTION_ICON = '<path d="M-4 15L0 5L4 15Z"></path>';

function linkToEntry(label: string, from: number, entry: number): string {
  return ` role="img" tabindex="-1" aria-label="${escapeHtml(label)}" data-from="${from}" data-entry="${entry}"`;
}

function legend(): string {
  const states = LEGEND.map(([state, text]) => `<i class="${state}"></i>${text}`);
  const marks = [
    ["Event", EVENT, "Event"],
    ["Refused", REJECTION_ICON, "refused"],
    ["Fault", '<path d="M-5 4H5L0 14V20V14Z"></path>', "fault"],
  ].map(
    ([what, shape, text]) =>
      `<svg class="mark ${what}" width="14" height="20" viewBox="-7 0 14 20">${shape}</svg>${text}`,
  );
  return [...states, ...marks].map((one) => `<span>${one}</span>`).join(" ");
}

const LEGEND = [
  ["waiting", "waiting or starting"],
  ["running", "running"],
  ["ready", "ready"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["restarting", "restarting"],
  ["going", "being deleted"],
  ["suspended", "suspended"],
] as const;

/** Returns the color class of a state. */
function stateClass(state: string): (typeof LEGEND)[number][0] {
  if (/being deleted/.test(state)) return "going";
  if (/^restarting/.test(state)) return "restarting";
  if (/^(?:Failed|failing)|ready (?:False|Unknown)/.test(state)) return "failed";
  if (/^(?:Succeeded|Complete|completing)/.test(state)) return "succeeded";
  if (/suspended/i.test(state)) return "suspended";
  const [, ready, desired] = /^(\d+) of (\d+) Pods ready/.exec(state) ?? [];
  if (ready !== desired || /^(?:created|Pending|no Pods|tainted|to be resumed)/.test(state))
    return "waiting";
  return /ready/.test(state) ? "ready" : "running";
}

/** Returns the details of each entry's bar or mark. */
function createDetails(
  { entries, rows }: Trace,
  drawn: DrawnTime,
): Readonly<Record<number, object>> {
  const shown = new Set(
    rows.flatMap(({ spans, marks }) => [...spans.map(({ entry }) => entry), ...marks]),
  );
  return Object.fromEntries(
    entries.flatMap((entry, place) => {
      const { at, actor, what, kind, namespace, name, text, patches } = entry;
      const isGlobal = what === "Fault" || what === "Broken";
      if (what !== "Broken" && at > drawn.endsAt) return [];
      if (!isGlobal && !shown.has(place)) return [];
      const difference = patches === undefined ? [] : formatDiff(patches());
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

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Serializes JSON that cannot end the element that contains it. */
function serializeForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
