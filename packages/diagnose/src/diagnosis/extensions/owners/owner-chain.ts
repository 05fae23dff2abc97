import type { Unvalidated } from "@jobset-ts/api";
import {
  asString,
  getControllerOf,
  getName,
  getUid,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import type { JobSetView } from "../../view/jobset-view.ts";

/** A JobSet or a controller above it, such as a TrainJob. */
export interface ChainedOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Undefined if the object was not read. */
  readonly object: Unvalidated<KubernetesObject> | undefined;
}

/** Returns the JobSet and the controllers above it, the JobSet first. */
export function listOwnerChain({ jobSet, facts, namespace }: JobSetView): readonly ChainedOwner[] {
  const chain: ChainedOwner[] = [
    { kind: "JobSet", name: getName(jobSet), uid: getUid(jobSet), object: jobSet },
  ];
  // The loop also visits the owners that it adds.
  for (const { object } of chain) {
    const owner = object === undefined ? undefined : getControllerOf(object);
    if (owner === undefined || chain.length >= MAX_OWNERS) break;
    const [kind, name, uid] = [asString(owner.kind), asString(owner.name), asString(owner.uid)];
    chain.push({ kind, name, uid, object: facts.snapshot.object(kind, namespace, name) });
  }
  return chain;
}

/** Owner references of malformed objects may form a cycle. */
const MAX_OWNERS = 4;

/** Returns the object that a user changes: the topmost controller of a JobSet, or the JobSet itself. */
export function findTopOwner(view: JobSetView): ChainedOwner {
  const chain = listOwnerChain(view);
  return chain[chain.length - 1] ?? { kind: "JobSet", name: view.name, uid: "", object: undefined };
}
