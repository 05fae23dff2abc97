import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ClusterBuilder } from "./cluster-builder.ts";
import type { ShapeRequirements } from "./jobset-shape.ts";

/** A problem that a JobSet can have. */
export interface Fault {
  /** The finding that names the problem. */
  readonly cause: string;
  /** What has happened, as a sentence. */
  readonly how: string;
  /** The required properties of the JobSet. */
  readonly requirements?: ShapeRequirements;
  /** The kinds, in addition to JobSets, that a diagnosis needs to find the cause. */
  readonly needs: readonly ReadKind[];
  /** Kinds of extensions that the cluster has besides {@link readKinds}. They are always read. */
  readonly reads?: readonly string[];
  /** Applies the fault and all its consequences. */
  readonly apply: (scene: ClusterBuilder) => FaultEffect;
}

/** The kinds of objects that a diagnosis reads. */
export const readKinds = [
  "Pod",
  "Job",
  "Node",
  "Service",
  "PersistentVolumeClaim",
  "Event",
] as const;

/** One of {@link readKinds}. */
export type ReadKind = (typeof readKinds)[number];

/** The facts after a fault was applied. */
export interface FaultEffect {
  /** The affected objects, as `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` for nodes. */
  readonly objects: readonly string[];
  readonly status: "Failed" | "Progressing" | "Waiting" | "Stuck";
  /** Findings that are also true. A diagnosis may report them after the cause. */
  readonly besides?: readonly string[];
  /** Findings that are also correct, because the objects do not show which came first. */
  readonly equally?: readonly string[];
}

/** Returns the reference to an object as one string. */
export function createRef({ kind, metadata }: Pick<KubernetesObject, "kind" | "metadata">): string {
  const { name = "", namespace } = metadata;
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
