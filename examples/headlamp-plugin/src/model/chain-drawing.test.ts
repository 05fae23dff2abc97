import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BOX_WIDTH, breakLines, type ChainBox, chainDrawing } from "./chain-drawing.ts";
import type { ReportedCause } from "./reported-cause.ts";

function cause(chain: readonly string[], besides: readonly string[] = []): ReportedCause {
  const finding = (text: string) => ({ id: "an-id", text, isDoubtful: false, evidence: [] });
  return {
    number: 1,
    chain: chain.map(finding),
    besides: besides.map(finding),
    mayBeCausedBy: [],
    advice: [],
  };
}

const words = fc.array(fc.string({ maxLength: 12, unit: "binary" })).map((all) => all.join(" "));
const causes = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 8 }), fc.array(words, { maxLength: 7 }))
  .map(([chain, besides]) => cause(chain, besides));

describe("the layout of a chain", () => {
  it("chainDrawing puts the root cause at the top, symptoms below it and other effects beside it", () => {
    const { boxes } = chainDrawing(cause(["root", "then", "last"], ["too"]));
    expect(boxes.map(({ part, label }) => [part, label])).toEqual([
      ["root", "Root cause: root"],
      ["symptom", "causes: then"],
      ["symptom", "which causes: last"],
      ["besides", "The root cause also causes: too"],
    ]);
    const [root, then, last, too] = boxes;
    expect([root?.x, root?.y, then?.x, last?.x]).toEqual([0, 0, 0, 0]);
    expect(too?.x).toBeGreaterThan(BOX_WIDTH);
    expect(too?.y).toBe(then?.y);
  });

  it("chainDrawing adds one arrow to every box but the root cause, dashed if steps may be missing", () => {
    const drawing = chainDrawing(cause(["root", "then"], ["too"]));
    expect(drawing.arrows.map(({ isIndirect }) => isIndirect)).toEqual([false, true]);
    fc.assert(
      fc.property(causes, (any) => {
        const { arrows, boxes } = chainDrawing(any);
        expect(arrows.length).toBe(boxes.length - 1);
        expect(new Set(arrows.map(({ path }) => path)).size).toBe(arrows.length);
      }),
    );
  });

  it("chainDrawing ends arrows at the edge of their box", () => {
    const { arrows, boxes } = chainDrawing(cause(["root", "then"], ["too"]));
    const [root, then, too] = boxes as readonly [ChainBox, ChainBox, ChainBox];
    expect(arrows[0]?.path).toBe(`M ${BOX_WIDTH / 2} ${root.height} V ${then.y}`);
    expect(arrows[1]?.path).toMatch(new RegExp(`V ${too.y + too.height / 2} H ${too.x}$`));
  });

  it("chainDrawing places boxes without overlap, within the drawing and around their text", () => {
    fc.assert(
      fc.property(causes, (any) => {
        const { boxes, width, height } = chainDrawing(any);
        for (const [at, box] of boxes.entries()) {
          expect(box.x + BOX_WIDTH).toBeLessThanOrEqual(width);
          expect(box.y + box.height).toBeLessThanOrEqual(height);
          for (const { baseline } of box.lines) expect(baseline).toBeLessThan(box.height);
          const isApart = (other: ChainBox) =>
            other.x !== box.x || other.y >= box.y + box.height || box.y >= other.y + other.height;
          expect(boxes.slice(at + 1).every(isApart)).toBe(true);
        }
      }),
    );
  });
});

describe("line breaks", () => {
  it("breakLines breaks at spaces, within a word if there is none, and marks truncated text", () => {
    expect(breakLines("no node can host it", 8, 3)).toEqual(["no node", "can host", "it"]);
    expect(breakLines("abcdefghij", 4, 3)).toEqual(["abcd", "efgh", "ij"]);
    expect(breakLines("one two three four", 5, 2)).toEqual(["one", "two …"]);
    expect(breakLines("", 5, 2)).toEqual([]);
  });

  it("breakLines keeps all characters except spaces and never splits a character", () => {
    const texts = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, columns) => {
        const lines = breakLines(text, columns, 100);
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        expect(lines.every((line) => line.isWellFormed())).toBe(text.isWellFormed());
      }),
    );
  });
});
