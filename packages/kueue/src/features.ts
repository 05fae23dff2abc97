/**
 * Kueue's feature gates that affect JobSets, with their defaults.
 *
 * @see Kueue `pkg/features`
 * @example kueueFeatureGates.ShortWorkloadNames // => false
 */
export const kueueFeatureGates = {
  /** Copies the admission gates of a JobSet to its Workload. */
  AdmissionGatedBy: true,
  /** Labels Pods with their queues. */
  AssignQueueLabelsForPods: true,
  /** Copies configured annotations to the Workload. */
  CustomMetricLabels: false,
  /** Lets Jobs scale through Workload slices. JobSets do not support it. */
  ElasticJobsViaWorkloadSlices: true,
  /** Marks Workloads without an owner as Finished. */
  FinishOrphanedWorkloads: true,
  /** Lets JobSets run on worker clusters. */
  MultiKueue: true,
  /** Lets Jobs be admitted with fewer Pods. It never applies to JobSets. */
  PartialAdmission: true,
  /** Releases the quota of succeeded child Jobs. */
  ReclaimablePods: true,
  /** Limits Workload names to 63 bytes instead of 253. */
  ShortWorkloadNames: false,
  /** Does not suspend objects that are being deleted. */
  SkipAncestorCheckForDeletedWorkloads: true,
  /** Lets Pod slices contain smaller slices. */
  TASMultiLayerTopology: true,
  /** Reads the topology requests of Pod sets. */
  TopologyAwareScheduling: true,
  /** Reports in its conditions why a Workload is not admitted. */
  UnadmittedWorkloadsObservability: true,
  /** Identifies Workloads by annotations first, then by labels. */
  WorkloadIdentifierAnnotations: true,
  /** Gives JobSets a default priority class. */
  WorkloadPriorityClassDefaulting: true,
} as const satisfies Readonly<Record<string, boolean>>;

/** The name of a Kueue feature gate. */
type KueueFeatureName = keyof typeof kueueFeatureGates;

/** The enabled Kueue feature gates. */
export type KueueFeatureGates = ReadonlySet<KueueFeatureName>;

/**
 * Returns the enabled gates. Gates without a setting have their default.
 *
 * @param settings - gates by name; an undefined or absent gate keeps its default
 * @throws TypeError if a gate is unknown or not a boolean: an error in code or configuration, not in cluster state
 * @example resolveKueueFeatureGates({ MultiKueue: false }).has("MultiKueue") // => false
 * @example resolveKueueFeatureGates().has("ReclaimablePods") // => true
 */
export function resolveKueueFeatureGates(
  settings: Readonly<Partial<Record<string, boolean>>> = {},
): KueueFeatureGates {
  const set = new Map(Object.entries(settings ?? {}));
  for (const [name, on] of set) {
    if (!Object.hasOwn(kueueFeatureGates, name)) {
      throw new TypeError(`unknown Kueue feature gate "${name}"`);
    }
    if (on !== undefined && typeof on !== "boolean") {
      throw new TypeError(`Kueue feature gate "${name}": must be true or false, not ${on}`);
    }
  }
  const names = Object.keys(kueueFeatureGates) as KueueFeatureName[];
  return new Set(names.filter((name) => set.get(name) ?? kueueFeatureGates[name]));
}
