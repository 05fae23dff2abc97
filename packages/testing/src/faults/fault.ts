import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Scene } from "./scene.ts";
import type { Wishes } from "./shape.ts";

/** One thing that can go wrong with a JobSet. */
export interface Fault {
  /** The finding that names it. */
  readonly cause: string;
  /** What has happened, in words. */
  readonly how: string;
  /** What the JobSet has to be like. */
  readonly wishes?: Wishes;
  /** The kinds without which nobody can tell, besides JobSets. */
  readonly needs: readonly ReadKind[];
  /** Lets it happen, with all that comes of it. */
  readonly strike: (scene: Scene) => Struck;
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

/** What is true after something has gone wrong. */
export interface Struck {
  /** Where it lies, as `<Kind>/<namespace>/<name>`, and `<Kind>/<name>` of nodes. */
  readonly objects: readonly string[];
  readonly status: "Failed" | "Progressing" | "Waiting" | "Stuck";
  /** What is true as well, and may be named behind it. */
  readonly besides?: readonly string[];
  /** What is as true, since nothing that can be read tells which was first. */
  readonly equally?: readonly string[];
}

/** Names an object in one word. */
export function createRef({ kind, metadata }: Pick<KubernetesObject, "kind" | "metadata">): string {
  const { name = "", namespace } = metadata;
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}
