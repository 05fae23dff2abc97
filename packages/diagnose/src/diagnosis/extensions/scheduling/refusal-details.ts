import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { type ClusterIndex, findObject } from "../../view/cluster-facts.ts";
import { memoize, memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { isOnlyOnTainted } from "./node-capacity.ts";
import { explainSelectors, formatTerm, type NodeSelectorTerm } from "./node-selectors.ts";
import { describeResourceClaim, listClaims } from "./resource-claim-checks.ts";
import type { NodeRefusal, RefusalClass } from "./scheduler-message.ts";
import { explainTaints } from "./taints.ts";
import { listClaimNames } from "./volume-checks.ts";

/** The subject of a scheduler's reason, as text for people, and the advice. */
export interface RefusalDetails {
  /** The labels, taints, nodes, ports, volumes or claims. Empty if they are unknown. */
  readonly about: string;
  readonly advice: string;
  /** Whether the reason needs no advice if there are others, because its nodes are not for such Pods. */
  readonly isExpected?: boolean;
}

/** Returns the subject of the scheduler's reason against nodes, because the scheduler names neither labels nor nodes. */
export function explainRefusal(view: PodInJob, refusal: NodeRefusal): RefusalDetails {
  return explanations[refusal.class](view, refusal);
}

const RECREATE = "in a new JobSet";

const explanations: Readonly<
  Record<RefusalClass, (view: PodInJob, refusal: NodeRefusal) => RefusalDetails>
> = {
  Taint: (view, { text }) => explainTaints(view, text),
  SelectorMismatch: (view) => explainSelectors(view),
  Cordoned: (view) => {
    const nodes = listCordoned(view).map(getName);
    const named = nodes.length > MAX_NAMES ? [] : nodes;
    return {
      about: listNames(nodes),
      advice: `wait for the maintenance of the node, or end it: kubectl uncordon ${named.join(" ") || "NODE"}`,
    };
  },
  Volume: (view, { text }) => {
    const claims = listClaimNames(view.pod.pod).map((name) => describeClaim(view, name));
    return { about: listNames(claims), advice: adviseOnVolume(view, text) };
  },
  Ports: ({ pod }) => {
    const ports = listHostPorts(pod.pod);
    return {
      about: ports.length === 0 ? "" : `host port ${ports.join(", ")}`,
      advice: `wait until a Pod that uses the port ends, add nodes, or run fewer of these Pods or none with host ports ${RECREATE}`,
    };
  },
  TopologySpread: ({ pod }, { text }) => {
    const keys = listSpreadKeys(pod.pod);
    return {
      about: keys.join(", "),
      advice: text.includes("missing required label")
        ? `label the nodes, or relax the constraint: kubectl get nodes -L ${keys.join(",")}`
        : "make nodes available in the domains that have the fewest Pods, or relax the constraint",
    };
  },
  Devices: (view) => ({
    about: listNames(listClaims(view).map((claim) => describeResourceClaim(view, claim))),
    advice: `check the ResourceClaims and the devices of the nodes: kubectl get resourceclaims -n ${view.jobSet.namespace}`,
  }),
  PodAffinity: () => ({
    about: "",
    advice: "compare the Pod's affinity with the Pods on the nodes",
  }),
  DomainOccupied: () => ({
    about: "",
    advice: "wait until the Pods that the anti-affinity names end, or add nodes",
  }),
  Insufficient: (view, { resource = "" }) => ({
    about: "",
    advice: "add nodes with the resource, or free some of it",
    isExpected: isOnlyOnTainted(view, resource),
  }),
  NoNodes: () => ({ about: "", advice: "add nodes: the cluster has none" }),
  Other: (view, { text }) => ({
    about: "",
    advice: adviseOnOther(view, text),
  }),
};

function adviseOnOther({ jobSet }: PodInJob, text: string): string {
  const deviceClass = /device class (\S+) does not exist/.exec(text)?.[1];
  if (deviceClass !== undefined) {
    return `create DeviceClass ${deviceClass}, or correct the request of the ResourceClaim: kubectl get deviceclasses`;
  }
  return /gang|pod ?group/i.test(text)
    ? `make room for all Pods of the group at once, or lower its minimum: kubectl get podgroups -n ${jobSet.namespace}`
    : "read the scheduler's message";
}

function adviseOnVolume({ jobSet }: PodInJob, text: string): string {
  const list = `kubectl get pvc -n ${jobSet.namespace}`;
  if (text.includes("ReadWriteOncePod")) {
    return `end the other Pod that uses the claim, or use a claim with access mode ReadWriteMany ${RECREATE}: ${list}`;
  }
  if (text.includes("max volume count")) {
    return "add nodes: each node attaches a limited number of volumes";
  }
  if (text.includes("is being deleted")) {
    return `wait until the claim is deleted and recreate it, or use another claim ${RECREATE}: ${list}`;
  }
  return `use nodes that can reach the volume, or a claim whose volume they can reach: ${list}`;
}

const MAX_NAMES = 3;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

/** Returns the cordoned nodes that have the labels of the Pod's selector. */
export function listCordoned({ facts, pod }: PodInJob): readonly Unvalidated<Node>[] {
  const selector = Object.entries(asRecord(pod.pod.spec?.nodeSelector));
  const labels = selector.map(([key, value]) => [key, asString(value)]);
  return cordonedBySelector(facts)(JSON.stringify(labels));
}

/** Many Pods have the same selector. */
const cordonedBySelector = /* @__PURE__ */ memoizeByObject(({ cordoned }: ClusterIndex) =>
  memoize((selector) => {
    const required: readonly (readonly [string, string])[] = JSON.parse(selector);
    return cordoned.filter(({ metadata }) => {
      const labels = asRecord(metadata?.labels);
      return required.every(([key, value]) => labels[key] === value);
    });
  }),
);

function listHostPorts(pod: Unvalidated<Pod>): readonly number[] {
  const spec = pod.spec as { readonly hostNetwork?: unknown } | undefined;
  const ports = asArray(pod.spec?.containers)
    .filter(isObject)
    .flatMap((container) => asArray((container as { readonly ports?: readonly Port[] }).ports))
    .filter(isObject)
    .map(({ hostPort, containerPort }) =>
      spec?.hostNetwork === true ? (hostPort ?? containerPort) : hostPort,
    );
  return [...new Set(ports)].filter((port) => typeof port === "number" && port !== 0) as number[];
}

interface Port {
  readonly hostPort?: number;
  readonly containerPort?: number;
}

function listSpreadKeys(pod: Unvalidated<Pod>): readonly string[] {
  const { topologySpreadConstraints } = (pod.spec ?? {}) as {
    readonly topologySpreadConstraints?: readonly { readonly topologyKey?: string }[];
  };
  return asArray(topologySpreadConstraints)
    .filter(isObject)
    .map(({ topologyKey }) => asString(topologyKey));
}

/** Returns a claim with its volume and the nodes that can reach the volume, if they are known. */
function describeClaim({ facts, pod }: PodInJob, name: string): string {
  const claim = facts.snapshot.volumeClaim(getNamespace(pod.pod), name);
  const { volumeName } = (claim?.spec ?? {}) as { readonly volumeName?: string };
  if (asString(volumeName) === "") return `PersistentVolumeClaim ${name}`;
  const volume = findObject<PersistentVolume>(facts, "PersistentVolume", "", {
    name: asString(volumeName),
  });
  const terms = asArray(volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms);
  const where = terms.filter(isObject).flatMap((term) => formatTerm(term as NodeSelectorTerm));
  const only = where.length === 0 ? "" : `, only on nodes with ${where.join(" or ")}`;
  return `PersistentVolumeClaim ${name} with volume ${asString(volumeName)}${only}`;
}

interface PersistentVolume extends KubernetesObject {
  readonly spec?: {
    readonly nodeAffinity?: {
      readonly required?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };
    };
  };
}
