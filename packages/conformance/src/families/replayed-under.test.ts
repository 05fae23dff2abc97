import type { Quirks } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { replayedUnder } from "./replayed-under.ts";

/** Upstream patches and errs; we do neither. */
const answer = (under: Quirks) => ({
  effects: under.has("ElasticNullPatch") ? ["patch"] : [],
  ...(under.has("DeadLeaderEnforces") && { error: "no node" }),
});

describe("the answer of a family", () => {
  it("reproduces all quirks when it is to be upstream's", () => {
    expect(replayedUnder("upstream", answer)).toEqual({
      output: { effects: ["patch"], error: "no node" },
    });
  });

  it("is ours otherwise, and names the quirks that would change it", () => {
    expect(replayedUnder("none", answer)).toEqual({
      output: { effects: [] },
      explainedBy: ["DeadLeaderEnforces", "ElasticNullPatch"],
    });
  });

  it("is explained by quirks that hide one another, when nothing else explains it", () => {
    const hidden = (under: Quirks) =>
      under.has("UpdateSkipsCreateChecks") || under.has("TopologyKeyUnchecked");
    expect(replayedUnder("none", hidden).explainedBy).toEqual([
      "UpdateSkipsCreateChecks",
      "TopologyKeyUnchecked",
    ]);
  });

  it("is explained by none when it is upstream's anyway", () => {
    expect(replayedUnder("none", () => ({ effects: [] })).explainedBy).toEqual([]);
  });
});
