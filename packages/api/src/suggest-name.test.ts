import { describe, expect, it } from "vitest";
import { suggestName } from "./suggest-name.ts";

const members = ["replicatedJobs", "network", "suspend", "env", "args", "ports", "nodeSelector"];

describe("suggestName", () => {
  it.each([
    ["replicatedJob", "replicatedJobs"],
    ["replicatedjobs", "replicatedJobs"],
    ["suspended", "suspend"],
    ["envs", "env"],
    ["agrs", "args"],
    ["port", "ports"],
    ["node-selector", "nodeSelector"],
    ["netwrok", "network"],
  ])("suggestName suggests the intended name for %s", (written, suggestion) => {
    expect(suggestName(written, members)).toBe(` (Did you mean ${suggestion}?)`);
  });

  it.each(["", "x", "foo", "completions", "env.name", "s".repeat(1_000_000)])(
    "suggestName suggests nothing for a different word",
    (written) => {
      expect(suggestName(written, members)).toBe("");
    },
  );

  it.each([
    ["startupOrder", "startupPolicyOrder"],
    ["ttlAfterFinished", "ttlSecondsAfterFinished"],
    ["publishAddresses", "publishNotReadyAddresses"],
  ])(
    "suggestName suggests the name whose words %s contains only in part",
    (written, suggestion) => {
      const known = ["startupPolicyOrder", "ttlSecondsAfterFinished", "publishNotReadyAddresses"];
      expect(suggestName(written, known)).toBe(` (Did you mean ${suggestion}?)`);
      expect(suggestName("finished", known)).toBe("");
      expect(suggestName("orderStartup", known)).toBe("");
    },
  );

  it("suggestName prefers the closest name, and the first of equally close ones", () => {
    expect(suggestName("reason", ["season", "Reason"])).toBe(" (Did you mean Reason?)");
    expect(suggestName("treason", ["reason", "treasons"])).toBe(" (Did you mean reason?)");
  });

  it("suggestName does not compare texts that are too long for a name", () => {
    const long = "a".repeat(100_000);
    expect(suggestName(long, [`${long}s`])).toBe("");
  });
});
