import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { claim } from "../../../testing/src/laws/claim.ts";
import type { Workload } from "../index.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import { admissions, queuedJobSets } from "./arbitrary-queued-jobsets.ts";
import { aCondition } from "./kueue-cluster.ts";

/** Creates the Workload of a JobSet. */
export type NewWorkload = (jobSet: Unvalidated<JobSet>) => KueueResult<Workload>;

/** Reports whether a Workload still matches its JobSet. */
export type IsEquivalent = (
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload>,
) => KueueResult<boolean>;

/** A new Workload matches its JobSet, and still does after its admission. */
export function newWorkloadsAreEquivalent(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
  readonly admit: (
    jobSet: Unvalidated<JobSet>,
    infos: readonly object[],
  ) => KueueResult<Unvalidated<JobSet>>;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet: given, infos }) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    claim(fits(subject.isEquivalent, jobSet, workload), "a new Workload does not match its JobSet");
    const admitted = subject.admit(jobSet, infos);
    claim(admitted.ok, "infos without a conflict are rejected", admitted);
    const running = admitted.ok ? admitted.value : jobSet;
    claim(
      fits(subject.isEquivalent, running, asAdmitted(workload)),
      "an admitted Workload does not match its JobSet",
    );
  });
}

/** Edits of labels, annotations, node selectors, gates or names do not require a new Workload. */
export function irrelevantEditsKeepTheWorkload(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
}): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (given) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    const edited = withReplicatedJobs(jobSet, ({ name, template, ...other }) => {
      const { spec } = template.spec.template;
      const next = {
        metadata: { labels: { edited: "true" }, annotations: { edited: "true" } },
        spec: {
          ...spec,
          containers: spec?.containers ?? [],
          nodeSelector: { edited: "true" },
          schedulingGates: [],
        },
      };
      return {
        ...other,
        name: `${name}x`,
        template: { ...template, spec: { ...template.spec, template: next } },
      };
    });
    claim(
      fits(subject.isEquivalent, edited, workload),
      "an irrelevant edit requires a new Workload",
    );
  });
}

/** Edits of counts, containers, time limits or owners require a new Workload. */
export function podSetEditsInvalidateTheWorkload(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
}): fc.IProperty<unknown> {
  const edits = fc.constantFrom<Edit>("count", "containers", "limit", "owner", "length");
  return fc.property(queuedJobSets(), edits, (given, edit) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    const isSame = fits(subject.isEquivalent, applyEdit(jobSet, edit), workload);
    claim(!isSame, `another ${edit} is not seen`);
  });
}

type Edit = "count" | "containers" | "limit" | "owner" | "length";

function applyEdit(jobSet: JobSet, edit: Edit): JobSet {
  const { replicatedJobs = [] } = jobSet.spec;
  switch (edit) {
    case "count":
      return withReplicatedJobs(jobSet, ({ replicas = 1, template, ...other }) => ({
        ...other,
        replicas: replicas + 1,
        template: { ...template, spec: { ...template.spec, parallelism: 7, completions: 7 } },
      }));
    case "containers":
      return withReplicatedJobs(jobSet, ({ template, ...other }) => {
        const { spec, ...rest } = template.spec.template;
        const next = { ...rest, spec: { ...spec, containers: [{ name: "other" }] } };
        return { ...other, template: { ...template, spec: { ...template.spec, template: next } } };
      });
    case "limit": {
      const labels = { "kueue.x-k8s.io/max-exec-time-seconds": "60" };
      return { ...jobSet, metadata: { ...jobSet.metadata, labels } };
    }
    case "owner":
      return { ...jobSet, metadata: { ...jobSet.metadata, uid: "another" } };
    case "length":
      return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs: replicatedJobs.slice(1) } };
  }
}

type ReplicatedJobs = NonNullable<JobSet["spec"]["replicatedJobs"]>;

function withReplicatedJobs(
  jobSet: JobSet,
  edit: (replicatedJob: ReplicatedJobs[number]) => ReplicatedJobs[number],
): JobSet {
  const replicatedJobs = (jobSet.spec.replicatedJobs ?? []).map(edit);
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs } };
}

function withoutPriority(jobSet: JobSet): JobSet {
  return { ...jobSet, metadata: { ...jobSet.metadata, labels: {} } };
}

export function createWorkloadFor(newWorkload: NewWorkload, jobSet: JobSet): Workload {
  const result = newWorkload(jobSet);
  if (!result.ok) throw new Error(`no Workload is made: ${result.refusal.message}`);
  return result.value;
}

function fits(
  isEquivalent: IsEquivalent,
  jobSet: Unvalidated<JobSet>,
  workload: Workload,
): boolean {
  const result = isEquivalent(jobSet, workload);
  claim(result.ok, "isEquivalent returns an error", result);
  return result.ok && result.value;
}

export function asAdmitted(workload: Workload): Workload {
  const conditions = ["QuotaReserved", "Admitted"].map((type) => aCondition(type, "True", "ok"));
  return { ...workload, status: { conditions } };
}
