import { aJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { suspendJob } from "./suspend-job.ts";

describe("suspendJob", () => {
  it("suspendJob sets suspend and shares all other parts", () => {
    const job = deepFreeze(aJob("train-w-0").withStatus({ active: 1 }));
    const { job: suspended, changes } = suspendJob(job);
    expect(changes).toEqual([{ path: ["spec", "suspend"], value: true }]);
    expect(suspended).toEqual({ ...job, spec: { ...job.spec, suspend: true } });
    expect(suspended.spec?.template).toBe(job.spec.template);
    expect(suspended.status).toBe(job.status);
  });

  it("suspendJob returns a suspended Job unchanged", () => {
    const job = aJob("train-w-0").suspended();
    expect(suspendJob(job)).toEqual({ job, changes: [] });
    expect(suspendJob(job).job).toBe(job);
  });
});
