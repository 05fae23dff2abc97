import type { JobSet, JobSetSpec, JobSetStatus, ReplicatedJob } from "@jobset-ts/api";
import { type ObjectBuilder, stepping } from "./object-steps.ts";

/** A JobSet to test with. */
export type AJobSet = JobSet & JobSetBuilder;

/** Steps that a JobSet can take; each answers with a changed copy. */
export interface JobSetBuilder extends ObjectBuilder<AJobSet> {
  /** Adds a ReplicatedJob: by default of one Indexed Job with one Pod. */
  withReplicatedJob(name: string, replicatedJob?: Partial<ReplicatedJob>): AJobSet;
  /** Replaces members of the spec. */
  withSpec(spec: Partial<JobSetSpec>): AJobSet;
  /** Replaces members of the status. */
  withStatus(status: Partial<JobSetStatus>): AJobSet;
  /** The same, suspended. */
  suspended(): AJobSet;
  /** As after that many restarts, all of which count. */
  restarted(times: number): AJobSet;
}

/**
 * A JobSet as admission leaves it, without ReplicatedJobs, in the namespace `default` and with the UID `<name>-uid`.
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
 * A ReplicatedJob of one Indexed Job with one Pod, save for what is given.
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

const fluent: (object: JobSet) => AJobSet = stepping<JobSet, AJobSet>({
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
