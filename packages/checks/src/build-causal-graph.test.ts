import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCausalGraph } from "./build-causal-graph.ts";

function linkCauses(causes: readonly (readonly number[])[]) {
  return buildCausalGraph(causes.length, (finding) => causes[finding] ?? []);
}

describe("buildCausalGraph", () => {
  it("buildCausalGraph returns no root without findings", () => {
    expect(linkCauses([]).roots).toEqual([]);
  });

  it("buildCausalGraph returns the longest path from a root, not the first", () => {
    expect(linkCauses([[], [0], [0], [2]]).chainFrom(0)).toEqual([0, 2, 3]);
  });

  it("buildCausalGraph returns the first of several longest paths", () => {
    expect(linkCauses([[], [0], [0], [1, 2]]).chainFrom(0)).toEqual([0, 1, 3]);
  });

  it("buildCausalGraph follows causes that are listed after their effects", () => {
    const { roots, causes, chainFrom } = linkCauses([[1], [2], []]);
    expect(roots).toEqual([2]);
    expect(causes).toEqual([[1], [2], []]);
    expect(chainFrom(2)).toEqual([2, 1, 0]);
  });

  it("buildCausalGraph ignores links that close a cycle, self-links and unknown findings", () => {
    const { roots, causes } = linkCauses([[1], [0], [2, 7, -1, 0.5]]);
    expect(roots).toEqual([0, 2]);
    expect(causes).toEqual([[], [0], []]);
  });

  it("buildCausalGraph follows a chain of ten thousand findings", () => {
    const causes = Array.from({ length: 10_000 }, (_, index) => (index === 0 ? [] : [index - 1]));
    expect(linkCauses(causes).chainFrom(0)).toHaveLength(10_000);
  });

  it("buildCausalGraph always finds a root, and each chain follows effects to an end", () => {
    const links = fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(links, (causes) => {
        const { roots, effects, chainFrom } = linkCauses(causes);
        expect(roots.length).toBeGreaterThan(0);
        for (const root of roots) {
          const chain = chainFrom(root);
          expect(new Set(chain).size).toBe(chain.length);
          for (const [at, finding] of chain.entries()) {
            const next = chain[at + 1];
            if (next === undefined) expect(effects[finding]).toEqual([]);
            else expect(effects[finding]).toContain(next);
          }
        }
      }),
    );
  });
});
