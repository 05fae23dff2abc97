import type {
  EpochMillis,
  JobSet,
  ReplicatedJob,
  ReplicatedJobStatus,
  Unvalidated,
} from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "./cluster-facts.ts";
import type { CreationFailure } from "./creation-failure.ts";
import type { EventFacts } from "./events.ts";
import type { LeaderState } from "./leader-state.ts";
import type { MemberPod } from "./member-pod.ts";
import type { PodNumbers } from "./numbers.ts";
import type { SchedulingState } from "./scheduling-state.ts";
import type { Thresholds } from "./thresholds.ts";

/** A JobSet and the objects that belong to it, as the checks see them. */
export interface JobSetView {
  readonly jobSet: Unvalidated<JobSet>;
  readonly name: string;
  readonly namespace: string;
  readonly now: EpochMillis;
  readonly thresholds: Thresholds;
  readonly facts: ClusterIndex;
  /** In spec order, then those that only Pods name. */
  readonly replicatedJobs: readonly ReplicatedJobView[];
  /** Those of the spec by name. The first of equal names. */
  readonly named: ReadonlyMap<string, ReplicatedJobView>;
  /** The counts in the status, by ReplicatedJob. */
  readonly counts: ReadonlyMap<string, StatusCounts>;
  /** Whether its conditions show that it has finished. */
  readonly isFinished: boolean;
  /** Whether its Jobs and Pods are required: it has neither finished nor is it being deleted. */
  readonly needsJobs: boolean;
  readonly childJobs: readonly Unvalidated<Job>[];
  /** Child Jobs of an earlier restart attempt. */
  readonly previousJobs: readonly Unvalidated<Job>[];
  readonly events: readonly EventFacts[];
  /** Returns the scheduler's result for a Pod without a node. */
  readonly schedulingOf: (pod: MemberPod) => SchedulingState;
}

/** The counts of a ReplicatedJob's started Jobs in the JobSet's status. */
export type StatusCounts = Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">;

/** One ReplicatedJob of a JobSet. */
export interface ReplicatedJobView {
  readonly jobSet: JobSetView;
  readonly name: string;
  /** From 0, in spec order. */
  readonly position: number;
  /** Absent if the spec does not name it. */
  readonly spec?: Unvalidated<ReplicatedJob>;
  readonly replicas: number;
  /** By job index. Contains at most `MAX_ABSENT_JOBS` absent Jobs, but at least one. */
  readonly jobs: readonly JobView[];
  /** The other absent Jobs. */
  readonly unlisted: UnlistedJobs;
}

/** Absent Jobs that `replicas` requests. They are only counted, so that the cost does not grow with `replicas`. */
export interface UnlistedJobs {
  readonly count: number;
  /** The Pod numbers of all of them. */
  readonly numbers: PodNumbers;
}

/** One Job, whether or not it exists. */
export interface JobView {
  readonly replicatedJob: ReplicatedJobView;
  readonly name: string;
  readonly index: number;
  /** The child Job of the current restart attempt. */
  readonly job: Unvalidated<Job> | undefined;
  /** The Job with this name that does not belong to the JobSet. */
  readonly foreign: Unvalidated<Job> | undefined;
  /** Whether the JobSet requires it: its index is below `replicas`, and the JobSet needs Jobs. */
  readonly isDue: boolean;
  /** The topology key of exclusive placement by affinity. Absent without it. */
  readonly topologyKey: string | undefined;
  /** The Pods of the current attempt and of this Job object, by completion index. */
  readonly pods: readonly MemberPod[];
  readonly stray: readonly MemberPod[];
  /** The Pods of an earlier restart attempt. */
  readonly previousPods: readonly MemberPod[];
  readonly numbers: PodNumbers;
  readonly lowestMissingIndex: number | undefined;
  /** The Pods with index 0. */
  readonly leaders: readonly MemberPod[];
  readonly leaderState: LeaderState;
  /** The last Event about a failed Pod creation. Absent if there is none or Events were not read. */
  readonly failedCreation: FailedCreation | undefined;
  /** The last failed creation that is not a denial of a follower. It may concern the leader. */
  readonly rejectedCreation: FailedCreation | undefined;
  /** Whether its Pods refer to a Job that is not in the snapshot. The lists may be from different times. */
  readonly isDangling: boolean;
}

/** A failed Pod creation and its reason. */
export interface FailedCreation {
  readonly event: EventFacts;
  readonly failure: CreationFailure;
}
