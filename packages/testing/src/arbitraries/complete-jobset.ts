import type { DependsOn, JobSet, JobSetSpec, JobSetStatus, ReplicatedJob } from "@jobset-ts/api";
import { earlier } from "./arbitrary-fates.ts";
import type { Traits } from "./situations.ts";

/** Whether the controller under test manages the JobSet, and if not, why. */
export type JobSetManagement = "ours" | "beingDeleted" | "managedElsewhere";

interface Parts {
  readonly base: JobSet;
  readonly spec: Partial<JobSetSpec>;
  readonly dependencies: readonly DependsOn[][];
  readonly status: Partial<JobSetStatus>;
  readonly leftRestarts: NonNullable<Traits["leftRestarts"]>[number] | undefined;
  readonly self: JobSetManagement;
}

/**
 * Returns a JobSet with the generated spec, status and owner.
 *
 * @param traits - absent for any clusters, including those that admission would deny
 */
export function completeJobSet(parts: Parts, traits: Traits | undefined): JobSet {
  const { base, spec, dependencies, self, leftRestarts } = parts;
  const { failurePolicy } = spec;
  const status = { restarts: 0, ...base.status, ...parts.status };
  const inPlace = failurePolicy?.restartStrategy === "InPlaceRestart";
  const replicatedJobs = (base.spec.replicatedJobs ?? []).map((replicatedJob, index) => ({
    ...replicatedJob,
    dependsOn:
      traits === undefined
        ? (dependencies[index] ?? [])
        : dependOnPreceding(dependencies[index], base, index, traits),
    ...(inPlace && { template: withOnePod(replicatedJob) }),
  }));
  const maxRestarts = leftRestarts && countRestarts(status, leftRestarts.of) + leftRestarts.left;
  return {
    ...base,
    metadata: {
      ...base.metadata,
      creationTimestamp: longAgo,
      ...(self === "beingDeleted" && { deletionTimestamp: earlier, finalizers: ["f"] }),
    },
    spec: {
      ...base.spec,
      ...spec,
      ...(failurePolicy &&
        maxRestarts !== undefined && { failurePolicy: { ...failurePolicy, maxRestarts } }),
      ...(traits?.suspended && { suspend: true }),
      // An omitted field comes first and has the same meaning as its default.
      ...(traits?.suspended === false && base.spec.suspend && { suspend: false }),
      replicatedJobs,
      ...(self === "managedElsewhere" && { managedBy: "acme.com/controller" }),
    },
    status,
  };
}

/** The creation time of the JobSet. */
const longAgo = "2026-02-07T08:00:00Z";

function countRestarts(status: JobSetStatus, of: "JobSet" | "All"): number {
  const { restartsCountTowardsMax = 0, replicatedJobsStatus = [] } = status;
  const ofJobs = replicatedJobsStatus.flatMap((one) => one.jobRestartsCountTowardsMax ?? []);
  return (of === "JobSet" ? [] : ofJobs).reduce((sum, one) => sum + one, restartsCountTowardsMax);
}

/** Dependencies that admission accepts: a ReplicatedJob depends on none, one or two preceding ReplicatedJobs. */
function dependOnPreceding(
  generated: readonly DependsOn[] = [],
  { spec }: JobSet,
  index: number,
  { dependsOn }: Traits,
): DependsOn[] {
  if (dependsOn === "Never") return [];
  const before = (spec.replicatedJobs ?? []).slice(Math.max(0, index - generated.length), index);
  // Both orders are possible, because a status check may depend on the order.
  if (generated[0]?.name !== generated[1]?.name) before.reverse();
  return before.map(({ name }, at) => ({
    name,
    status: generated[at]?.status ?? "Ready",
  }));
}

/** Returns the template with one Pod, as in-place restart requires. */
function withOnePod({ template }: ReplicatedJob): ReplicatedJob["template"] {
  return { ...template, spec: { ...template.spec, parallelism: 1, completions: 1 } };
}
