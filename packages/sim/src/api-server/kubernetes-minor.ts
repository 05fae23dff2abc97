/**
 * A minor version of Kubernetes, as far as JobSets can tell. Before 1.36 a Job that is suspended keeps its start time, and its
 * template may change only while it has none.
 *
 * @see KEP-2926, KEP-5440
 */
export type KubernetesMinor = (typeof kubernetesMinors)[number];

export const kubernetesMinors = ["1.35", "1.36"] as const;

export const LATEST_MINOR: KubernetesMinor = "1.36";
