/**
 * Kueue's feature gates that matter to a JobSet, with their defaults.
 *
 * @see Kueue `pkg/features`
 * @example kueueFeatureGates.ShortWorkloadNames // => false
 */
export const kueueFeatureGates = {
  /** A Workload holds a JobSet's admission gates. */
  AdmissionGatedBy: true,
  /** Pods are labelled with their queues. */
  AssignQueueLabelsForPods: true,
  /** Configured annotations are copied to the Workload. */
  CustomMetricLabels: false,
  /** Jobs may scale by slices of Workloads, which JobSets refuse. */
  ElasticJobsViaWorkloadSlices: true,
  /** A Workload without an owner is Finished. */
  FinishOrphanedWorkloads: true,
  /** JobSets may run on other clusters. */
  MultiKueue: true,
  /** Jobs may be admitted with fewer Pods; JobSets never are. */
  PartialAdmission: true,
  /** Pods of child Jobs that have succeeded give their quota back. */
  ReclaimablePods: true,
  /** Names of Workloads have at most 63 bytes rather than 253. */
  ShortWorkloadNames: false,
  /** What is being deleted is not suspended by default. */
  SkipAncestorCheckForDeletedWorkloads: true,
  /** Slices of Pods may hold smaller slices. */
  TASMultiLayerTopology: true,
  /** Pod sets ask for a topology. */
  TopologyAwareScheduling: true,
  /** A Workload that is not admitted says so in its conditions. */
  UnadmittedWorkloadsObservability: true,
  /** Workloads are named by annotations before labels. */
  WorkloadIdentifierAnnotations: true,
  /** JobSets get a priority class by default. */
  WorkloadPriorityClassDefaulting: true,
} as const satisfies Readonly<Record<string, boolean>>;

/** The name of a feature gate of Kueue's. */
type KueueFeatureName = keyof typeof kueueFeatureGates;

/** The gates of Kueue that are switched on. */
export type KueueFeatureGates = ReadonlySet<KueueFeatureName>;

/**
 * The gates that are on when these are set and all others have their default.
 *
 * @param settings - gates by name; an undefined one keeps its default, and so do all when there are none
 * @throws TypeError when a gate is unknown or no boolean: a mistake in code or configuration, not in cluster state
 * @example resolveKueueFeatureGates({ MultiKueue: false }).has("MultiKueue") // => false
 * @example resolveKueueFeatureGates().has("ReclaimablePods") // => true
 */
export function resolveKueueFeatureGates(
  settings: Readonly<Partial<Record<string, boolean>>> = {},
): KueueFeatureGates {
  const set = new Map(Object.entries(settings ?? {}));
  for (const [name, on] of set) {
    if (!Object.hasOwn(kueueFeatureGates, name)) {
      throw new TypeError(`unknown feature gate "${name}" of Kueue`);
    }
    if (on !== undefined && typeof on !== "boolean") {
      throw new TypeError(`the feature gate "${name}" is set to ${on}, not to true or false`);
    }
  }
  const names = Object.keys(kueueFeatureGates) as KueueFeatureName[];
  return new Set(names.filter((name) => set.get(name) ?? kueueFeatureGates[name]));
}
