/** The normal duration of each state, in seconds. After it, a diagnosis reports the state as stuck. */
export interface Thresholds {
  /** Until a controller has reconciled a new, resumed or restarted JobSet. Default: 30. */
  readonly reconcileSeconds: number;
  /** Until the Job controller has created a missing Pod, including its retries. Default: 600. */
  readonly podCreationSeconds: number;
  /** Until the scheduler has reported on a new Pod. Default: 120. */
  readonly schedulingSeconds: number;
  /** Until a Pod on a node has started: volumes, network, images. Default: 1200. */
  readonly podStartSeconds: number;
  /**
   * Until a failure to start a Pod, such as a failure of a volume or the network, counts as lasting. The kubelet
   * retries. Default: 60.
   */
  readonly startFailureSeconds: number;
  /** Until an init container that runs has ended. Default: 3600. */
  readonly initContainerSeconds: number;
  /**
   * Until a started Pod is ready. If the Pod has a startup or readiness probe, the time that the probe allows is added.
   * Default: 300.
   */
  readonly podReadySeconds: number;
  /** Until a cluster autoscaler has added a node. Default: 900. */
  readonly scaleUpSeconds: number;
  /** Until preempted Pods have terminated and a nominated Pod has their node. Default: 900. */
  readonly preemptionSeconds: number;
  /** Until Kueue has reacted to a change. Default: 60. */
  readonly queueSeconds: number;
  /** Until an object is removed after the grace period of its deletion. Default: 300. */
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
