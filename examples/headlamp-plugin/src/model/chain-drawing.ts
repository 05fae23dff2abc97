import type { ReportedCause, ReportedFinding } from "./reported-cause.ts";

/** The layout of a root cause and its effects, as boxes and arrows. Lengths are in pixels. */
export interface ChainDrawing {
  readonly width: number;
  readonly height: number;
  /** The root cause, its symptoms in order, then its other effects. */
  readonly boxes: readonly ChainBox[];
  readonly arrows: readonly ChainArrow[];
}

/** A finding with its position. */
export interface ChainBox {
  readonly finding: ReportedFinding;
  readonly part: "root" | "symptom" | "besides";
  /** The accessible name, which also describes the position. */
  readonly label: string;
  /** The text, broken into lines. */
  readonly lines: readonly ChainLine[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** A line of text in a box. Its position is relative to the top of the box. */
export interface ChainLine {
  readonly text: string;
  readonly baseline: number;
}

/** An arrow from a cause to its effect. */
export interface ChainArrow {
  /** The path in SVG. */
  readonly path: string;
  /** Whether steps may be missing between the two. */
  readonly isIndirect: boolean;
}

export const BOX_WIDTH = 440;
/** The distance between a box's edge and its text. */
export const PADDING = 12;
const LINE_HEIGHT = 17;
/** The position of the finding's name, above the lines. */
export const HEADING_BASELINE = PADDING + LINE_HEIGHT - 5;
/** The number of 12-pixel monospace characters that fit into a box. */
const COLUMNS = Math.floor((BOX_WIDTH - 2 * PADDING) / 7.25);
const MAX_LINES = 4;
/** The distance between boxes, which leaves room for the arrows. */
const GAP = 36;

/** Lays out the chain from top to bottom, with the other effects of the root cause next to it. */
export function chainDrawing({ chain, besides }: ReportedCause): ChainDrawing {
  const down = stackBoxes(chain, 0, 0, (at) => (at === 0 ? "root" : "symptom"));
  const [root, ...symptoms] = down;
  const below = root === undefined ? 0 : root.height + GAP;
  const sideEffects = stackBoxes(besides, BOX_WIDTH + GAP, below, () => "besides");
  const boxes = [...down, ...sideEffects];
  return {
    width: sideEffects.length === 0 ? BOX_WIDTH : 2 * BOX_WIDTH + GAP,
    height: Math.max(0, ...boxes.map(getBottom)),
    boxes,
    arrows: [
      ...symptoms.map((box, at) => downArrow(down[at], box)),
      ...sideEffects.map((box) => sideArrow(root, box)),
    ],
  };
}

function stackBoxes(
  findings: readonly ReportedFinding[],
  x: number,
  top: number,
  partOf: (at: number) => ChainBox["part"],
): readonly ChainBox[] {
  let y = top;
  return findings.map((finding, at) => {
    const lines = breakLines(finding.text, COLUMNS, MAX_LINES).map((text, line) => ({
      text,
      baseline: HEADING_BASELINE + (line + 1) * LINE_HEIGHT,
    }));
    const height = (lines.length + 1) * LINE_HEIGHT + 2 * PADDING;
    const part = partOf(at);
    const box = { finding, part, label: createLabel(finding, part, at), lines, x, y, height };
    y += height + GAP;
    return box;
  });
}

function createLabel({ text }: ReportedFinding, part: ChainBox["part"], at: number): string {
  switch (part) {
    case "root":
      return `Root cause: ${text}`;
    case "symptom":
      return at === 1 ? `causes: ${text}` : `which causes: ${text}`;
    case "besides":
      return `The root cause also causes: ${text}`;
  }
}

function getBottom({ y, height }: ChainBox): number {
  return y + height;
}

function downArrow(from: ChainBox | undefined, to: ChainBox): ChainArrow {
  const x = to.x + BOX_WIDTH / 2;
  return {
    path: `M ${x} ${from === undefined ? 0 : getBottom(from)} V ${to.y}`,
    isIndirect: false,
  };
}

function sideArrow(root: ChainBox | undefined, to: ChainBox): ChainArrow {
  const y = (root?.height ?? 0) / 2;
  const [out, into] = [BOX_WIDTH + GAP / 2, to.y + to.height / 2];
  return { path: `M ${BOX_WIDTH} ${y} H ${out} V ${into} H ${to.x}`, isIndirect: true };
}

/**
 * Breaks text into lines of limited length, at spaces if possible. Truncates a text that is too long.
 *
 * @example breakLines("no node can host it", 8, 3) // => ["no node", "can host", "it"]
 */
export function breakLines(text: string, columns: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  let left = [...text];
  while (left.length > 0 && lines.length < maxLines) {
    const isLast = lines.length === maxLines - 1;
    if (left.length <= columns) {
      lines.push(left.join(""));
      return lines;
    }
    if (isLast) {
      lines.push(`${left.slice(0, columns - 1).join("")}…`);
      return lines;
    }
    const space = left.lastIndexOf(" ", columns);
    const end = space > 0 ? space : columns;
    lines.push(left.slice(0, end).join(""));
    left = left.slice(space > 0 ? end + 1 : end);
  }
  return lines;
}
