import { aJob, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "../quirks.ts";
import { scaleJob } from "./scale-job.ts";

type Numbers = readonly [parallelism?: number | null, completions?: number | null];

function decide(template: Numbers, job: Numbers, quirks: Quirks = NO_QUIRKS) {
  const [parallelism, completions] = job as [number?, number?];
  const replicatedJob = aReplicatedJob("w", {
    template: {
      spec: {
        parallelism: template[0] as number,
        completions: template[1] as number,
        template: {},
      },
    },
  });
  const one = aJob("train-w-0").withSpec({ parallelism, completions });
  return scaleJob(one, replicatedJob, { quirks });
}

describe.each([
  ["by default", NO_QUIRKS],
  ["as upstream", UPSTREAM_QUIRKS],
])("scaleJob %s", (_, quirks) => {
  it.each<[Numbers, Numbers, object]>([
    [[2, 2], [2, 2], {}],
    [[8, 8], [2, 2], { parallelism: 8, completions: 8 }],
    [[2, 2], [8, 8], { parallelism: 2, completions: 2 }],
    [[8, 2], [2, 2], {}],
    [[2, 8], [2, 2], {}],
    [[8, undefined], [2, 2], {}],
    [[undefined, 8], [2, 2], {}],
    [[4, 4], [4, 2], { completions: 4 }],
    [[4, 4], [2, 4], { parallelism: 4 }],
    [[4, 4], [2, undefined], { parallelism: 4, completions: 4 }],
    [[0, 0], [1, 1], { parallelism: 0, completions: 0 }],
  ])(
    "if the template has %j and the Job has %j, scaleJob returns the patch %j",
    (template, job, spec) => {
      const decision = decide(template, job, quirks);
      if (Object.keys(spec).length === 0) expect(decision).toEqual({ action: "None" });
      else expect(decision).toStrictEqual({ action: "Scale", patch: { spec } });
    },
  );
});

describe("the quirk ElasticNullPatch", () => {
  it.each<[Numbers]>([[[]], [[null, null]]])(
    "a scale-down patches without effect if the template has %j, except by default",
    (template) => {
      expect(decide(template, [1, 1])).toEqual({ action: "None" });
      expect(decide(template, [1, 1], UPSTREAM_QUIRKS)).toStrictEqual({
        action: "Scale",
        patch: { spec: { parallelism: null, completions: null } },
      });
    },
  );

  it("with the quirk ElasticNullPatch the server sets one Pod; by default the patch contains the number", () => {
    expect(decide([], [3, 1])).toStrictEqual({
      action: "Scale",
      patch: { spec: { parallelism: 1 } },
    });
    expect(decide([], [3, 1], UPSTREAM_QUIRKS)).toStrictEqual({
      action: "Scale",
      patch: { spec: { parallelism: null, completions: null } },
    });
  });

  it("the quirk ElasticNullPatch patches nothing in a Job without server defaults", () => {
    expect(decide([], [], UPSTREAM_QUIRKS)).toEqual({ action: "None" });
  });
});
