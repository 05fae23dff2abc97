/** How long each step may take, in seconds. After that, a diagnosis reports the JobSet as stuck. */
export interface Thresholds {
  /** The time for a controller to reconcile a new, resumed or restarted JobSet. Default: 30. */
  readonly reconcileSeconds: number;
  /** The time for the Job controller to create a missing Pod, including its retries. Default: 600. */
  readonly podCreationSeconds: number;
  /** The time for the scheduler to try a new Pod. Default: 120. */
  readonly schedulingSeconds: number;
  /** The time for a Pod on a node to start, with its volumes, network and images. Default: 1200. */
  readonly podStartSeconds: number;
  /**
   * The time in which the kubelet retries a failure to start a Pod, such as a failure of a volume or the network, before
   * the failure counts as permanent. Default: 60.
   */
  readonly startFailureSeconds: number;
  /** The time for a running init container to end. Default: 3600. */
  readonly initContainerSeconds: number;
  /**
   * The time for a started Pod to become ready, in addition to the time that its startup and readiness probes allow.
   * Default: 300.
   */
  readonly podReadySeconds: number;
  /** The time for a cluster autoscaler to add a node. Default: 900. */
  readonly scaleUpSeconds: number;
  /** The time for preempted Pods to terminate and for the nominated Pod to get their node. Default: 900. */
  readonly preemptionSeconds: number;
  /** The time for Kueue to react to a change. Default: 60. */
  readonly queueSeconds: number;
  /** The time for an object to be removed after the grace period of its deletion. Default: 300. */
  readonly deletionSeconds: number;
}

/** The defaults of {@link Thresholds}. */
export const defaultThresholds: Thresholds = {
  reconcileSeconds: 30,
  podCreationSeconds: 600,
  schedulingSeconds: 120,
  podStartSeconds: 1200,
  startFailureSeconds: 60,
  initContainerSeconds: 3600,
  podReadySeconds: 300,
  scaleUpSeconds: 900,
  preemptionSeconds: 900,
  queueSeconds: 60,
  deletionSeconds: 300,
};

/** Returns the thresholds with the caller's changes. A value that is not a number keeps the default. */
export function createThresholds(changes?: Partial<Thresholds>): Thresholds {
  if (changes === undefined) return defaultThresholds;
  const entries = Object.entries(defaultThresholds).map(([name, value]) => {
    const changed = changes?.[name as keyof Thresholds];
    return [name, typeof changed === "number" && changed >= 0 ? changed : value];
  });
  return Object.fromEntries(entries);
}
