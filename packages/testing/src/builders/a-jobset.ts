import type { JobSet, JobSetSpec, JobSetStatus, ReplicatedJob } from "@jobset-ts/api";
import { type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A JobSet for tests. */
export type AJobSet = JobSet & JobSetBuilder;

/** Methods that return a changed copy of a JobSet. */
export interface JobSetBuilder extends ObjectBuilder<AJobSet> {
  /** Adds a ReplicatedJob. By default, it has one Indexed Job with one Pod. */
  withReplicatedJob(name: string, replicatedJob?: Partial<ReplicatedJob>): AJobSet;
  /** Replaces fields of the spec. */
  withSpec(spec: Partial<JobSetSpec>): AJobSet;
  /** Replaces fields of the status. */
  withStatus(status: Partial<JobSetStatus>): AJobSet;
  /** Suspends the JobSet. */
  suspended(): AJobSet;
  /** Sets the number of restarts, all of which count towards the limit. */
  restarted(times: number): AJobSet;
}

/**
 * Creates a JobSet as admission returns it, without ReplicatedJobs, in the namespace `default` and with the UID
 * `<name>-uid`.
 *
 * @example aJobSet("train").withReplicatedJob("workers", { replicas: 4 }).suspended().spec.suspend // => true
 */
export function aJobSet(name: string): AJobSet {
  return fluent({
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name, namespace: "default", uid: `${name}-uid` },
    spec: {
      network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
      successPolicy: { operator: "All" },
      replicatedJobs: [],
    },
  });
}

/**
 * Creates a ReplicatedJob with one Indexed Job and one Pod, unless `rest` says otherwise.
 *
 * @example aReplicatedJob("workers", { replicas: 4 }).replicas // => 4
 */
export function aReplicatedJob(name: string, rest: Partial<ReplicatedJob> = {}): ReplicatedJob {
  const container = { name: "main", image: "img" };
  return {
    name,
    groupName: "default",
    replicas: 1,
    template: {
      spec: {
        parallelism: 1,
        completions: 1,
        completionMode: "Indexed",
        template: { spec: { restartPolicy: "Never", containers: [container] } },
      },
    },
    ...rest,
  };
}

const fluent: (object: JobSet) => AJobSet = withBuilderMethods<JobSet, AJobSet>({
  withReplicatedJob(name, rest) {
    const { replicatedJobs = [] } = this.spec;
    return this.withSpec({ replicatedJobs: [...replicatedJobs, aReplicatedJob(name, rest)] });
  },
  withSpec(spec) {
    return fluent({ ...this, spec: { ...this.spec, ...spec } });
  },
  withStatus(status) {
    return fluent({ ...this, status: { restarts: 0, ...this.status, ...status } });
  },
  suspended() {
    return this.withSpec({ suspend: true });
  },
  restarted(times) {
    return this.withStatus({ restarts: times, restartsCountTowardsMax: times });
  },
});
