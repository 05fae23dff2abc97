import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";

/** A kind with an accessor in snapshots, and how an API server serves it. */
export interface SnapshotKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/**
 * The kinds that JobSet's semantics read, by name. A cache has to watch them, except Events, which only explain why
 * something is stuck.
 *
 * @example SNAPSHOT_KINDS.get("Job")?.apiVersion // => "batch/v1"
 */
export const SNAPSHOT_KINDS: ReadonlyMap<string, SnapshotKind> = new Map(
  [
    { apiVersion: JOBSET_API_VERSION, kind: "JobSet", isNamespaced: true },
    { apiVersion: "batch/v1", kind: "Job", isNamespaced: true },
    { apiVersion: "v1", kind: "Pod", isNamespaced: true },
    { apiVersion: "v1", kind: "Service", isNamespaced: true },
    { apiVersion: "v1", kind: "PersistentVolumeClaim", isNamespaced: true },
    { apiVersion: "v1", kind: "Node", isNamespaced: false },
    { apiVersion: "v1", kind: "Event", isNamespaced: true },
  ].map((one) => [one.kind, one]),
);

/** Returns the API group of an API version; the core group has no name. */
export function getGroup(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
