import { createContext } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { allChecks } from "../../../all.ts";
import { diagnose } from "../../engine/diagnose.ts";
import {
  anEvent,
  createJobSet,
  createService,
  now,
  rootIds,
  snapshotWithout,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { createTemplateChecks, type JobValidator } from "./template-checks.ts";

/** Rejects the Jobs of ReplicatedJob `b`. */
const validateJob: JobValidator = (job) => ({
  errors: job.metadata?.name?.startsWith("js-b-")
    ? [{ field: "spec.template.spec.containers[0].image", body: "Required value" }]
    : [],
});

function diagnoseWith(objects: readonly Wire[]) {
  const snapshot = snapshotWithout([], objects);
  const checks = [...allChecks, createTemplateChecks(validateJob)];
  const options = { now: createContext({ now }).now, checks };
  return diagnose(snapshot, snapshot.jobSet("ml", "js") ?? {}, options);
}

describe("createTemplateChecks", () => {
  it("an invalid field is the cause if a Job is absent and no Event says why", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "b", replicas: 2 }] });
    const { roots } = diagnoseWith([jobSet, createService(jobSet)]);
    const field = "spec.replicatedJobs[0].template.spec.template.spec.containers[0].image";
    expect(roots.map(({ message }) => message)).toEqual([
      `the API server rejects job js-b-0: ${field}: Required value`,
    ]);
    expect(roots[0]?.texts?.advice).toEqual([
      `correct ${field} and recreate JobSet js: the Pod template of a JobSet is immutable`,
    ]);
  });

  it("an Event with the error of the API server takes precedence", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "b" }] });
    const text = 'job "js-b-0" creation failed with error: jobs.batch is forbidden: quota';
    const found = diagnoseWith([
      jobSet,
      createService(jobSet),
      anEvent(jobSet, "JobCreationFailed", text),
    ]);
    expect(rootIds(found)).toEqual(["job-rejected"]);
  });

  it("a valid template is not a cause", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "a" }] });
    expect(rootIds(diagnoseWith([jobSet, createService(jobSet)]))).toEqual(["job-absent"]);
  });
});
