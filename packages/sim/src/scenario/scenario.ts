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
  /** The seed of all random choices. */
  readonly seed: number;
  /** The initial objects, created in this order: nodes, JobSets, and others. */
  readonly objects: readonly RequestedObject[];
  /**
   * The behavior of the containers of the Pods. Containers without a rule run until they are
   * stopped.
   */
  readonly workload: readonly WorkloadRule[];
  readonly actions: readonly UserAction[];
  readonly faults: readonly Fault[];
  /** JobSet's feature gates that are not at their default. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** The Kubernetes version of the cluster. Default: the latest modelled version. */
  readonly kubernetes?: KubernetesMinor;
  /** The queueing system, if there is one. */
  readonly queueing?: QueueConfig;
  /** When the run ends, unless it becomes idle earlier. */
  readonly endsAt: number;
}

/** An action of a user. */
export interface UserAction {
  readonly at: number;
  readonly request: ServerRequest;
  /**
   * Labels, as in `kubectl delete pods -l job-name=train-w-0`. The request is sent for each object of its kind and
   * namespace that has all of them at that time, with any name.
   */
  readonly selector?: Readonly<Record<string, string>>;
}
