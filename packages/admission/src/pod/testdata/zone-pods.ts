// The Pods of one Job under exclusive placement by zone, for the webhook tests.
import { type Unvalidated } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { type Event, type KubernetesObject, type Pod } from "@jobset-ts/api/kubernetes";
import { type Context, createContext, type Quirk, type Snapshot, createSnapshot } from "@jobset-ts/core";
import { type WebhookRequest } from "../../webhook-shape.ts";
import { type APod, aJob, aNode, aPod } from "@jobset-ts/testing";

/** The only topology key. */
export const zone = "topology.kubernetes.io/zone";

/** The only Job. */
export const job = aJob("js-rjob-0");

/** Returns a Pod as the Job controller creates it, of whichever role its annotations make it. */
export function aJobSetPod(name: string): APod {
  return aPod(name).withAnnotations({ [JOBSET_NAME_KEY]: "js" });
}

/** Returns the leader, pending unless it is put on a node. */
export function aLeader(suffix = "aaaaa"): APod {
  return aJobSetPod(`js-rjob-0-0-${suffix}`).exclusive(zone);
}

/** Returns a Pod under another name. */
export function named(name: string, pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, name } };
}

/** Returns a follower without a node selector. */
export function aFollower(): APod {
  return aJobSetPod("js-rjob-0-1-bbbbb").exclusive(zone);
}

/** A node in a zone. */
export const nodeA = aNode("node-a").withLabels({ [zone]: "zone-a" });

/** Returns a cluster whose Pods, Nodes and Events were all read. */
export function createCluster(...objects: readonly Unvalidated<KubernetesObject>[]): Snapshot {
  return createSnapshot(objects, { kinds: ["Pod", "Node", "Event"] });
}

/** Returns the request to create a Pod, whatever it is. */
export function createCreationRequest(object: unknown): WebhookRequest {
  return { operation: "CREATE", object };
}

/** Returns a context with quirks. */
export function contextWithQuirks(...quirks: readonly Quirk[]): Context {
  return createContext({ now: 0, quirks });
}

/** Returns a Warning about an object. */
export function aWarning(
  about: KubernetesObject,
  reason: string,
  message: string,
  lastTimestamp = "2026-02-07T06:56:19Z",
): Event {
  const { name, namespace, uid } = about.metadata;
  const { apiVersion, kind } = about;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${lastTimestamp}.${message.length}`, namespace },
    involvedObject: { apiVersion, kind, name, namespace, uid },
    type: "Warning",
    reason,
    message,
    lastTimestamp,
  };
}
