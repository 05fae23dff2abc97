import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Job, PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import { queuedJobSets } from "./arbitrary-queued-jobsets.ts";

/** Resumes a suspended child Job from the first template of its JobSet. */
export type ResumeChild = (jobSet: JobSet, job: Job) => Unvalidated<Job>;

/**
 * The controller resumes a child Job without losing keys of its template, the JobSet's template takes precedence, and a
 * second resume changes nothing. Directives of an earlier admission remain.
 */
export function resumeFollowsTheTemplate(subject: ResumeChild): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), queuedJobSets(), (before, now) => {
    const template = getTemplate(now);
    const job = createChild(before);
    const resumed = subject(now, job);
    claimSame(resumed.spec?.suspend, false, "the JobSet stays suspended");
    for (const member of ["labels", "annotations", "nodeSelector"] as const) {
      const [old, expected, next] = [job.spec.template, template, resumed.spec?.template].map(
        (one) => getMap(one, member),
      );
      const united = { ...old, ...expected };
      for (const [key, value] of Object.entries(united)) {
        claimSame(next?.[key], value, `${member} has lost ${key}`);
      }
    }
    const tolerations = resumed.spec?.template?.spec?.tolerations ?? [];
    for (const { key } of template.spec?.tolerations ?? []) {
      claim(
        tolerations.some((one) => one.key === key),
        `${key} is not tolerated`,
      );
    }
    const second = subject(now, { ...resumed, spec: { ...resumed.spec, suspend: true } } as Job);
    claimSame(second.spec?.template, resumed.spec?.template, "a second call changes something");
  });
}

function getTemplate({ spec }: JobSet): PodTemplateSpec {
  return spec.replicatedJobs?.[0]?.template.spec.template ?? {};
}

function createChild(jobSet: JobSet): Job {
  const name = jobSet.spec.replicatedJobs?.[0]?.name ?? "";
  const { metadata, spec } = getTemplate(jobSet);
  const labels = { ...metadata?.labels, "jobset.sigs.k8s.io/replicatedjob-name": name };
  const template = { metadata: { ...metadata, labels }, spec: { containers: [], ...spec } };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: `train-${name}-0`, namespace: "default", labels },
    spec: { suspend: true, template },
  };
}

function getMap(
  template: Unvalidated<PodTemplateSpec> | undefined,
  member: "labels" | "annotations" | "nodeSelector",
): Readonly<Record<string, string>> {
  const map =
    member === "nodeSelector" ? template?.spec?.nodeSelector : template?.metadata?.[member];
  return map ?? {};
}
