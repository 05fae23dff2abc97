/** The script of a run's page: zoom, details of bars and marks, and arrow keys. */
export const PAGE_SCRIPT = `
const [main, names, chart, axis, lines, detail] = ["main", "#names", "#chart", "#axis", "#lines", "#detail"].map((one) => document.querySelector(one));
const entries = JSON.parse(document.getElementById("entries").textContent);
const ends = Math.max(1, Number(chart.dataset.ends));
const rows = [...chart.querySelectorAll(".row")];
const bars = [...chart.querySelectorAll(".bar")].map((bar) => ({ bar, lasts: bar.dataset.until - bar.dataset.from, isNarrow: false }));
const words = [...chart.querySelectorAll(":scope > .mark text")].map((text) => ({
  text,
  from: Math.min(ends, text.closest(".mark").dataset.from),
  isLeft: text.getAttribute("text-anchor") === "end",
  takes: 7 * text.textContent.length + 14, // pixels, or a little less
}));
const SVG = "http://www.w3.org/2000/svg";
const time = (ms) => (ms / 1000).toFixed(3) + "s";
const MARGIN = 8; // on either side of the chart, for marks at its ends
const fitting = () => Math.max(200, main.clientWidth - names.offsetWidth - 2 * MARGIN);
let width = 0;

/** Widens the chart; what is at some pixels from the names stays there. */
function zoomTo(next, anchor = fitting() / 2) {
  const share = width === 0 ? 0 : (main.scrollLeft + anchor) / width;
  width = Math.min(Math.max(next, fitting()), 4e6);
  chart.setAttribute("width", width);
  axis.setAttribute("width", width);
  for (const one of bars) {
    const isNarrow = (one.lasts / ends) * width < 24;
    if (isNarrow !== one.isNarrow) one.bar.classList.toggle("narrow", (one.isNarrow = isNarrow));
  }
  showWords();
  main.scrollLeft = share * width - anchor;
  drawTimes();
}

/** Shows the words of the marks that go through all rows, but for those that would lie on others. */
function showWords() {
  let free = -Infinity;
  for (const { text, from, isLeft, takes } of words) {
    const at = (from / ends) * width;
    const [left, right] = isLeft ? [at - takes, at] : [at, at + takes];
    const isShown = left >= free;
    if (isShown) free = right;
    text.classList.toggle("hidden", !isShown);
  }
}

/** Draws the times that are seen, and a screen more on either side. */
function drawTimes() {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 108e5, 216e5, 864e5];
  const scale = width / ends;
  const step = steps.find((one) => one * scale > 80) ?? Math.ceil(80 / scale / 864e5) * 864e5;
  const screen = fitting() / scale;
  const first = Math.max(0, Math.floor((main.scrollLeft / scale - screen) / step));
  const last = Math.floor(Math.min(ends, main.scrollLeft / scale + 2 * screen) / step);
  axis.replaceChildren();
  lines.replaceChildren();
  for (let at = first; at <= last; at++) {
    const x = at * step * scale;
    lines.append(made("line", { x1: x, x2: x, y1: 0, y2: chart.getAttribute("height") }));
    const text = made("text", { x: x + 3, y: 14 });
    text.textContent = (at * step) / 1000 + "s";
    axis.append(made("line", { x1: x, x2: x, y1: 6, y2: 24 }), text);
  }
}

function made(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function html(name, text, className = "") {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = className;
  return element;
}

let told, named;
function tell(item) {
  if (item === told) return;
  told = item;
  named?.classList.remove("now");
  named = names.children[item.closest(".row")?.dataset.row];
  named?.classList.add("now");
  const head = html("strong", item.getAttribute("aria-label"));
  const entry = entries[item.dataset.entry];
  if (entry === undefined) return detail.replaceChildren(head);
  const by = html("p", [entry.what, entry.about, "at " + time(entry.at), entry.actor && "by " + entry.actor].filter(Boolean).join(" "));
  const list = document.createElement("ul");
  for (const line of entry.difference) list.append(subtractAmounts(line));
  detail.replaceChildren(head, by, entry.difference.length > 0 ? list : html("p", entry.text));
  detail.scrollTop = 0;
}

/** A line is a path, a colon, and "+ new", "− old" or "old → new". */
function subtractAmounts(line) {
  const colon = line.getIndex(": ");
  const item = document.createElement("li");
  item.append(html("b", line.slice(0, colon + 2)));
  const values = line.slice(colon + 2);
  const arrow = values.getIndex(" → ");
  if (values.startsWith("+ ")) item.append(html("span", values, "added"));
  else if (values.startsWith("− ")) item.append(html("span", values, "removed"));
  else item.append(html("span", values.slice(0, arrow), "removed"), " → ", html("span", values.slice(arrow + 3), "added"));
  return item;
}

/** What has the focus, or would get it. */
let current = chart.querySelector("[role=img]");
current?.setAttribute("tabindex", "0");
function keep(item) {
  current.setAttribute("tabindex", "-1");
  item.setAttribute("tabindex", "0");
  current = item;
}
function moveTo(item) {
  if (item === undefined || item === null) return;
  item.focus({ preventScroll: true });
  const [box, seen] = [item.getBoundingClientRect(), main.getBoundingClientRect()];
  const left = seen.left + names.offsetWidth;
  if (box.right < left + 20 || box.left > seen.right - 20) main.scrollLeft += box.left - left - fitting() / 3;
  if (item.closest(".row") === null) return;
  const top = seen.top + axis.clientHeight;
  if (box.top < top) main.scrollTop -= top - box.top;
  if (box.bottom > seen.bottom - 16) main.scrollTop += box.bottom - seen.bottom + 16;
}
/** What is in a row, or goes through all, in the order of time. */
function itemsBeside(row) {
  const all = row ? row.querySelectorAll("[role=img]") : chart.querySelectorAll(":scope > [role=img]");
  return [...all].sort((one, other) => one.dataset.from - other.dataset.from);
}
function barAt(row, from) {
  const all = [...(row?.querySelectorAll(".bar") ?? [])];
  return all.findLast((bar) => Number(bar.dataset.from) <= from) ?? all[0];
}
/** What goes through all rows. */
function markAt(from) {
  const all = itemsBeside(null);
  return all.findLast((mark) => Number(mark.dataset.from) <= from) ?? all[0];
}
// Not on the chart itself: a browser gives the focus to a drawing that listens for keys.
main.addEventListener("keydown", (event) => {
  if (document.activeElement !== current) return;
  const row = current.closest(".row");
  const all = itemsBeside(row);
  const at = all.getIndex(current);
  const from = Number(current.dataset.from);
  const next = {
    ArrowLeft: () => all[at - 1],
    ArrowRight: () => all[at + 1],
    ArrowUp: () => row === rows[0] ? markAt(from) : barAt(rows[rows.getIndex(row) - 1], from),
    ArrowDown: () => barAt(rows[rows.getIndex(row) + 1], from),
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  moveTo(next());
});
main.addEventListener("focusin", (event) => {
  const item = event.target.closest("[role=img]");
  if (item === null) return;
  keep(item);
  tell(item);
});
chart.addEventListener("pointerover", (event) => {
  const item = event.target.closest("[role=img]");
  if (item !== null) tell(item);
});
chart.addEventListener("pointerleave", () => {
  if (document.activeElement === current) tell(current);
});
document.getElementById("in").addEventListener("click", () => zoomTo(width * 2));
document.getElementById("out").addEventListener("click", () => zoomTo(width / 2));
document.getElementById("all").addEventListener("click", () => zoomTo(0));
main.addEventListener("scroll", drawTimes);
main.addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  const anchor = event.clientX - main.getBoundingClientRect().left - names.offsetWidth - MARGIN;
  zoomTo(event.deltaY < 0 ? width * 1.3 : width / 1.3, anchor);
}, { passive: false });
let fits = fitting();
addEventListener("resize", () => {
  const isWhole = width <= fits;
  fits = fitting();
  zoomTo(isWhole ? 0 : width);
});
zoomTo(0);
`;
