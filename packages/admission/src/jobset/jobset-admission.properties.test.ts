import { defaultJobSet } from "@jobset-ts/api";
import type { Quirk } from "@jobset-ts/core";
import { manifests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resumeJob } from "../../../core/src/child-jobs/resume-job.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { admitJobSet } from "./admit-jobset.ts";
import { listChangedFields } from "./changed-fields.ts";
import {
  emptyCluster,
  likeUpstream,
  validateCreation,
  validateUpdate,
  withGates,
} from "./testing/denials.ts";
import {
  type AdmitJobSet,
  admittedJobSetsMakeValidObjects,
  anyJobSetRequestGetsResponse,
  defaultingIsIdempotent,
  editsWhileSuspendedReachJobs,
  finalizersCanBeRemoved,
  quirksOnlyAdmitMore,
  updatesGetNoDefaults,
  updatesKeepWhatCreationChecks,
} from "./testing/jobset-properties.ts";
import { validateJobSet } from "./validate-jobset.ts";

describe("the admission of any JobSet", () => {
  it.each<[string, fc.IProperty<unknown>, number, number?]>([
    ["defaulting is idempotent", defaultingIsIdempotent(defaultJobSet), 300],
    ["updates get no defaults", updatesGetNoDefaults(admitJobSet), 200],
    [
      "admitted JobSets have objects that the API server accepts",
      admittedJobSetsMakeValidObjects(admitJobSet),
      500,
    ],
    ["finalizers can always be removed", finalizersCanBeRemoved(validateJobSet), 300],
    ["updates cannot break creation rules", updatesKeepWhatCreationChecks(validateJobSet), 1000],
    ["everything that upstream denies is denied", quirksOnlyAdmitMore(validateJobSet), 500],
    [
      "fields that a resume copies can change while suspended",
      editsWhileSuspendedReachJobs(validateJobSet, resumeJob),
      200,
    ],
    [
      "the webhook returns a result for any request",
      anyJobSetRequestGetsResponse(validateJobSet),
      1000,
      50_000,
    ],
    [
      "the API server returns a result for any object",
      anyJobSetRequestGetsResponse(admitJobSet),
      1000,
      50_000,
    ],
  ])("the webhooks satisfy: %s", (_, property, numRuns, long = 10 * numRuns) => {
    fc.assert(property, { numRuns: runs(numRuns, long) });
  });
});

describe("upstream's admission", () => {
  it.each<Quirk>([
    "DashedReplicatedJobAdmitted",
    "ServiceNameUnchecked",
    "LongNodeSelectorAdmitted",
    "DottedClaimAdmitted",
    "TopologyKeyUnchecked",
  ])("upstream admits JobSets whose objects the API server rejects: %s", (quirk) => {
    const subject: AdmitJobSet = (request, snapshot, context) =>
      admitJobSet(request, snapshot, { ...context, quirks: new Set([quirk]) });
    const property = admittedJobSetsMakeValidObjects(subject);
    expect(fc.check(property, { numRuns: 5000, seed: 1 }).failed).toBe(true);
  });
});

describe("the generated manifests", () => {
  it("generated manifests are admitted and denied often enough for the properties", () => {
    const results = fc
      .sample(manifests(), { numRuns: 300, seed: 1 })
      .map((object) => validateCreation(object, emptyCluster, likeUpstream).allowed);
    const admitted = results.filter(Boolean).length;
    expect(admitted).toBeGreaterThan(75);
    expect(admitted).toBeLessThan(225);
  });
});

describe("the changed fields of an edit", () => {
  it("changedFields contains an immutable field of ReplicatedJobs exactly if the update is denied for it", () => {
    const contexts = fc.constantFrom(likeUpstream, withGates("ElasticJobSet"));
    fc.assert(
      fc.property(manifests(), manifests(), contexts, (old, next, context) => {
        const result = validateUpdate(old, next, emptyCluster, context);
        const rules = result.allowed ? [] : result.denial.roots.map(({ id }) => id);
        const forbidden = listChangedFields(old, next, context).some(
          ({ path, permitted }) => path.startsWith("spec.replicatedJobs") && !permitted,
        );
        expect(rules.includes("replicated-jobs-immutable")).toBe(forbidden);
      }),
      { numRuns: runs(150) },
    );
  });
});
