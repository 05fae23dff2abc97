import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { KubernetesMinor } from "../api-server/kubernetes-minor.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import type { QueueConfig } from "../queueing/queueing.ts";
import type { Fault } from "./fault.ts";

/**
 * A whole run as plain data: the initial objects, user actions, faults, and the seed of all other choices. Times are
 * milliseconds since the start. The same scenario always gives the same history.
 */
export interface Scenario {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  /** Created at the beginning, in this order: nodes, JobSets, and whatever else. */
  readonly objects: readonly RequestedObject[];
  /** What the Pods' containers do; those that no rule is about run until they are stopped. */
  readonly workload: readonly WorkloadRule[];
  readonly actions: readonly UserAction[];
  readonly faults: readonly Fault[];
  /** JobSet's feature gates that are not at their default. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** The cluster's version; left open, the latest that is modelled. */
  readonly kubernetes?: KubernetesMinor;
  /** The queueing system, if there is one. */
  readonly queueing?: QueueConfig;
  /** When the run ends, unless it becomes idle before. */
  readonly endsAt: number;
}

/** What a user does. */
export interface UserAction {
  readonly at: number;
  readonly request: ServerRequest;
  /**
   * Labels, as in `kubectl delete pods -l job-name=train-w-0`: the request is made of each object of its kind and namespace that
   * has them all by then, whatever its name.
   */
  readonly selector?: Readonly<Record<string, string>>;
}
