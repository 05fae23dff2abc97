/** What makes the page of a run move: zoom, what is told of a bar or a mark, and the arrow keys. */
export const PAGE_SCRIPT = `
const chart = document.getElementById("chart");
const scroll = document.getElementById("scroll");
const detail = document.getElementById("detail");
const axis = document.getElementById("axis");
const entries = JSON.parse(document.getElementById("entries").textContent);
const ends = Math.max(1, Number(chart.dataset.ends));
const items = [...chart.querySelectorAll("[role=img]")];
const SVG = "http://www.w3.org/2000/svg";
const time = (ms) => (ms / 1000).toFixed(3) + "s";
let width = 0;

function layOut(next) {
  const middle = width === 0 ? 0 : (scroll.scrollLeft + scroll.clientWidth / 2) / width;
  width = Math.min(Math.max(next, scroll.clientWidth - 4, 200), 4e6);
  const scale = width / ends;
  chart.setAttribute("width", width);
  for (const item of items) {
    const { from, until } = item.dataset;
    const x = from * scale;
    for (const part of item.children) {
      if (part.localName === "path") {
        part.setAttribute("transform", part.getAttribute("transform").replace(/translate\\([^ ]+/, "translate(" + x));
      } else {
        part.setAttribute("x", x);
        part.setAttribute("width", Math.max(1, (until - from) * scale));
      }
    }
  }
  drawAxis(scale);
  scroll.scrollLeft = middle * width - scroll.clientWidth / 2;
}

function drawAxis(scale) {
  axis.replaceChildren();
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 108e5, 216e5, 864e5];
  const step = steps.find((one) => one * scale > 80) ?? 864e5;
  const count = Math.min(5000, Math.floor(ends / step));
  for (let at = 0; at <= count; at++) {
    const x = at * step * scale;
    const line = document.createElementNS(SVG, "line");
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 18, y2: chart.getAttribute("height") })) line.setAttribute(name, value);
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", x + 2);
    text.setAttribute("y", 12);
    text.textContent = at * step / 1000 + "s";
    axis.append(line, text);
  }
}

function tell(item) {
  const entry = entries[item.dataset.entry];
  const lines = [];
  const head = document.createElement("strong");
  head.textContent = item.getAttribute("aria-label");
  lines.push(head);
  if (entry !== undefined) {
    const by = document.createElement("p");
    by.textContent = [entry.what, entry.about, "at " + time(entry.at), entry.actor && "by " + entry.actor].filter(Boolean).join(" ");
    const pre = document.createElement("pre");
    pre.textContent = entry.difference.length > 0 ? entry.difference.join("\\n") : entry.text;
    lines.push(by, pre);
  }
  detail.replaceChildren(...lines);
}

let current = items[0];
current?.setAttribute("tabindex", "0");
function moveTo(item) {
  if (item === undefined || item === null) return;
  current.setAttribute("tabindex", "-1");
  item.setAttribute("tabindex", "0");
  current = item;
  item.focus();
  item.scrollIntoView({ block: "nearest", inline: "nearest" });
}
function inRow(row, from) {
  const all = [...(row?.querySelectorAll("[role=img]") ?? [])];
  return all.findLast((item) => Number(item.dataset.from) <= from) ?? all[0];
}
chart.addEventListener("keydown", (event) => {
  const row = current.closest(".row");
  const all = [...(row ?? chart).querySelectorAll(row ? "[role=img]" : ":scope > [role=img]")];
  const at = all.indexOf(current);
  const from = Number(current.dataset.from);
  const rows = [...chart.querySelectorAll(".row")];
  const next = {
    ArrowLeft: () => all[at - 1],
    ArrowRight: () => all[at + 1],
    ArrowUp: () => inRow(rows[rows.indexOf(row) - 1], from),
    ArrowDown: () => inRow(rows[rows.indexOf(row) + 1], from),
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  moveTo(next());
});
chart.addEventListener("focusin", (event) => tell(event.target.closest("[role=img]")));
chart.addEventListener("pointerover", (event) => {
  const item = event.target.closest("[role=img]");
  if (item !== null) tell(item);
});
document.getElementById("in").addEventListener("click", () => layOut(width * 2));
document.getElementById("out").addEventListener("click", () => layOut(width / 2));
document.getElementById("all").addEventListener("click", () => layOut(0));
scroll.addEventListener("wheel", (event) => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  layOut(event.deltaY < 0 ? width * 1.3 : width / 1.3);
}, { passive: false });
layOut(0);
`;
