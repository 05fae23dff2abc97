import { MAX_INT32 } from "@jobset-ts/api/typed";
import { describe, expect, it } from "vitest";
import {
  type AnyObject,
  invalid,
  jobSet,
  plain,
  replicatedJob,
} from "./testing/created-jobsets.ts";
import {
  createErrors,
  emptyCluster,
  getDenial,
  likeUpstream,
  validateCreation,
  withGates,
} from "./testing/denials.ts";

describe("in-place restart", () => {
  const gate = plain(
    "InPlaceRestart restart strategy cannot be set when InPlaceRestart feature gate is disabled",
  );
  const failurePolicy = { restartStrategy: "InPlaceRestart" };
  const inOrder = { backoffLimit: MAX_INT32, podReplacementPolicy: "Failed" };
  const on = withGates("InPlaceRestart");
  const base = "spec.replicatedJobs[0].template.spec";
  const demand = {
    backoffLimit:
      "replicatedJob w: must be set to 2147483647 (MaxInt32) when in-place restart is enabled",
    podReplacementPolicy: "replicatedJob w: must be set to Failed when in-place restart is enabled",
    completions:
      "replicatedJob w: completions and parallelism must be set and equal to each other when in-place restart is enabled",
  };

  it("in-place restart needs its gate, without which the Jobs are not checked", () => {
    expect(createErrors(jobSet({ failurePolicy, replicatedJobs: [replicatedJob("w")] }))).toEqual([
      gate,
    ]);
  });

  it.each<[string, AnyObject, readonly string[]]>([
    ["all fields are set as required", {}, []],
    [
      "no field is set",
      { backoffLimit: null, podReplacementPolicy: null, completions: null, parallelism: null },
      [
        invalid(`${base}.backoffLimit`, "null", demand.backoffLimit),
        invalid(`${base}.podReplacementPolicy`, "null", demand.podReplacementPolicy),
        invalid(`${base}.completions`, "null", demand.completions),
      ],
    ],
    [
      "the back-off limit is too low",
      { backoffLimit: 6 },
      [invalid(`${base}.backoffLimit`, "6", demand.backoffLimit)],
    ],
    [
      "Pods are replaced too early",
      { podReplacementPolicy: "TerminatingOrFailed" },
      [
        invalid(
          `${base}.podReplacementPolicy`,
          '"TerminatingOrFailed"',
          demand.podReplacementPolicy,
        ),
      ],
    ],
    [
      "Pods do not all run at once",
      { completions: 2 },
      [invalid(`${base}.completions`, "2", demand.completions)],
    ],
    [
      "parallelism is not set",
      { parallelism: undefined },
      [invalid(`${base}.completions`, "1", demand.completions)],
    ],
  ])("in-place restart with its gate checks the Jobs: %s", (_, jobSpec, errors) => {
    const replicatedJobs = [replicatedJob("w", { ...inOrder, ...jobSpec })];
    expect(createErrors(jobSet({ failurePolicy, replicatedJobs }), on)).toEqual(errors);
  });

  it("an invalid in-place restart is reported by the rule that it breaks", () => {
    const bad = jobSet({ failurePolicy, replicatedJobs: [replicatedJob("w")] });
    const listRuleIds = (context: typeof on) =>
      getDenial(validateCreation(bad, emptyCluster, context)).roots.map(({ id }) => id);
    expect(listRuleIds(likeUpstream)).toEqual(["in-place-restart-enabled"]);
    expect(new Set(listRuleIds(on))).toEqual(new Set(["job-restarts-in-place"]));
  });

  it("other strategies have no requirements on the Jobs", () => {
    const recreate = { restartStrategy: "Recreate" };
    const replicatedJobs = [replicatedJob("w", { backoffLimit: 6 })];
    expect(createErrors(jobSet({ failurePolicy: recreate, replicatedJobs }), on)).toEqual([]);
  });
});
