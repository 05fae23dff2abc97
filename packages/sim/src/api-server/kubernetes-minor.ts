/**
 * A minor version of Kubernetes. The list holds the versions that differ for JobSets. Before 1.36, a suspended Job
 * keeps its start time, and its template can change only while it has none.
 *
 * @see KEP-2926, KEP-5440
 */
export type KubernetesMinor = (typeof kubernetesMinors)[number];

export const kubernetesMinors = ["1.35", "1.36"] as const;

export const LATEST_MINOR: KubernetesMinor = "1.36";
