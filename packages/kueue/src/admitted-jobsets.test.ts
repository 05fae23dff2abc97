import { validateJobSet } from "@jobset-ts/admission";
import type { JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import {
  createContext,
  createSnapshot,
  NO_QUIRKS,
  type Quirks,
  UPSTREAM_QUIRKS,
} from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resumeJob } from "../../core/src/child-jobs/resume-job.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { runWithPodSetsInfo as admitWith, resolveKueueFeatureGates, stopJob } from "./index.ts";
import { admissions } from "./testing/arbitrary-queued-jobsets.ts";
import { type Admit, webhookAllowsAdmissionUpdates } from "./testing/kueue-admission.ts";
import { type ResumeChild, resumeFollowsTheTemplate } from "./testing/kueue-children.ts";

const features = resolveKueueFeatureGates();
const admit: Admit = (jobSet, infos) => admitWith(jobSet, infos, features);
const context = createContext({ now: 0 });

describe("webhookAllowsAdmissionUpdates", () => {
  const isUpdateAllowed = (before: object, after: object) => {
    const withApiVersion = (jobSet: object) => ({
      ...jobSet,
      apiVersion: "jobset.x-k8s.io/v1alpha2",
    });
    const request = {
      operation: "UPDATE",
      object: withApiVersion(after),
      oldObject: withApiVersion(before),
    } as const;
    return validateJobSet(request, createSnapshot([]), context).allowed;
  };

  it("admitted JobSets pass JobSet's webhook", () => {
    const law = webhookAllowsAdmissionUpdates({ admit, stop: stopJob, isUpdateAllowed });
    fc.assert(law, { numRuns: runs(50) });
  });

  it.each([
    [
      "changes the templates of a running JobSet",
      { admit, stop: stopJob, isUpdateAllowed: () => true },
    ],
    ["changes nothing", { admit, stop: stopJob, isUpdateAllowed: () => false }],
  ])("the law detects a webhook that admits a JobSet that %s", (_, subject) => {
    const { failed } = fc.check(webhookAllowsAdmissionUpdates(subject), { numRuns: 1000, seed: 1 });
    expect(failed).toBe(true);
  });
});

function resumedUnder(quirks: Quirks): ResumeChild {
  return (jobSet, job) => {
    const [replicatedJob] = jobSet.spec.replicatedJobs ?? [];
    if (replicatedJob === undefined) return job;
    return resumeJob(jobSet, replicatedJob, job, { features: context.features, quirks }).job;
  };
}

describe("resuming a child Job", () => {
  it("upstream's resume keeps the directives of a child Job and applies those of the template", () => {
    const law = resumeFollowsTheTemplate(resumedUnder(UPSTREAM_QUIRKS));
    fc.assert(law, { numRuns: runs(50) });
  });

  it.each([
    ["drops the existing directives", resumedUnder(NO_QUIRKS)],
    ["changes nothing", ((_, job) => job) as ResumeChild],
  ])("the law detects a resume that %s", (_, subject) => {
    expect(fc.check(resumeFollowsTheTemplate(subject), { numRuns: 1000, seed: 1 }).failed).toBe(
      true,
    );
  });

  // JobSets are restored between admissions, but child Jobs are not. They get the node selectors of both admissions.
  it("a child Job keeps the node selectors of its first admission under upstream's resume", () => {
    const isFree = fc.property(admissions(), ({ jobSet, infos, others }) => {
      expect(selectorAfterTwoAdmissions(jobSet, infos, others, UPSTREAM_QUIRKS)).toEqual(
        selectorAfterTwoAdmissions(jobSet, others, others, UPSTREAM_QUIRKS),
      );
    });
    expect(fc.check(isFree, { numRuns: 1000, seed: 1 }).failed).toBe(true);
  });

  it("a child Job has only the node selectors of its last admission under our resume", () => {
    fc.assert(
      fc.property(admissions(), ({ jobSet, infos, others }) => {
        expect(selectorAfterTwoAdmissions(jobSet, infos, others, NO_QUIRKS)).toEqual(
          selectorAfterTwoAdmissions(jobSet, others, others, NO_QUIRKS),
        );
      }),
    );
  });
});

/** Returns the node selector of a child Job that was created under one admission and resumed under another. */
function selectorAfterTwoAdmissions(
  jobSet: JobSet,
  first: Parameters<Admit>[1],
  second: Parameters<Admit>[1],
  quirks: Quirks,
): unknown {
  const [before, after] = [admit(jobSet, first), admit(jobSet, second)];
  if (!before.ok || !after.ok) throw new Error("infos without a conflict are rejected");
  const [created] = before.value.spec?.replicatedJobs ?? [];
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { labels: { "jobset.sigs.k8s.io/replicatedjob-name": created?.name ?? "" } },
    spec: { suspend: true, template: created?.template?.spec?.template },
  } as Job;
  const resumed = resumedUnder(quirks)(after.value as JobSet, job);
  return resumed.spec?.template?.spec?.nodeSelector ?? {};
}
