import type { Quirks } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { replayWithQuirks } from "./replay-with-quirks.ts";

/** Upstream patches and returns an error; we do neither. */
const respond = (under: Quirks) => ({
  effects: under.has("ElasticNullPatch") ? ["patch"] : [],
  ...(under.has("DeadLeaderEnforces") && { error: "no node" }),
});

describe("the result of a family under quirks", () => {
  it("replayedUnder reproduces all quirks in upstream mode", () => {
    expect(replayWithQuirks("upstream", respond)).toEqual({
      output: { effects: ["patch"], error: "no node" },
    });
  });

  it("replayedUnder returns our result without quirks and names the quirks that would change it", () => {
    expect(replayWithQuirks("none", respond)).toEqual({
      output: { effects: [] },
      explainedBy: ["DeadLeaderEnforces", "ElasticNullPatch"],
    });
  });

  it("replayedUnder finds quirks that mask each other if no single quirk explains the difference", () => {
    const maskedResult = (under: Quirks) =>
      under.has("UpdateSkipsCreateChecks") || under.has("TopologyKeyUnchecked");
    expect(replayWithQuirks("none", maskedResult).explainedBy).toEqual([
      "UpdateSkipsCreateChecks",
      "TopologyKeyUnchecked",
    ]);
  });

  it("replayedUnder names no quirk if our result equals upstream's", () => {
    expect(replayWithQuirks("none", () => ({ effects: [] })).explainedBy).toEqual([]);
  });
});
