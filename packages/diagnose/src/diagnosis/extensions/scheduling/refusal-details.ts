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
  type Taint,
  type Toleration,
  toleratesTaint,
} from "@jobset-ts/api/kubernetes";
import { type ClusterIndex, findObject } from "../../view/cluster-facts.ts";
import { memoize, memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { listClaims } from "./resource-claim-checks.ts";
import type { NodeRefusal, RefusalClass } from "./scheduler-message.ts";
import { listClaimNames } from "./volume-checks.ts";

/** What a reason of the scheduler is about, as text for people, and what to do. */
export interface RefusalDetails {
  /** The labels, taints, nodes, ports, volumes or claims. Empty if they are unknown. */
  readonly about: string;
  readonly advice: string;
}

/** Returns what the scheduler's reason against nodes is about: the scheduler itself names neither labels nor nodes. */
export function explainRefusal(view: PodInJob, refusal: NodeRefusal): RefusalDetails {
  return explanations[refusal.class](view, refusal);
}

const RECREATE = "in a new JobSet";

const explanations: Readonly<
  Record<RefusalClass, (view: PodInJob, refusal: NodeRefusal) => RefusalDetails>
> = {
  Taint: (view, { text }) => {
    const taints = /\{[^}]+\}/.test(text) ? [] : listTaints(view);
    return {
      about: taints.join(", "),
      advice: `${RECREATE}, tolerate the taint, or remove it: kubectl taint nodes NODE ${taints[0] ?? "KEY"}-`,
    };
  },
  SelectorMismatch: ({ pod }) => {
    const labels = listSelectors(pod.pod);
    const [first = "KEY=VALUE"] = labels;
    return {
      about: labels.join(", "),
      advice: `compare the Pod's selectors and affinity with the nodes, and label a node: kubectl label nodes NODE ${first}`,
    };
  },
  Cordoned: (view) => {
    const nodes = listCordoned(view).map(getName);
    const named = nodes.length > MAX_NAMES ? [] : nodes;
    return {
      about: listNames(nodes),
      advice: `wait for the maintenance of the node, or end it: kubectl uncordon ${named.join(" ") || "NODE"}`,
    };
  },
  Volume: (view) => {
    const claims = listClaimNames(view.pod.pod).map((name) => describeClaim(view, name));
    return {
      about: listNames(claims),
      advice: `use nodes that can reach the volume, or a claim whose volume they can reach: kubectl get pvc -n ${view.jobSet.namespace}`,
    };
  },
  Ports: ({ pod }) => {
    const ports = listHostPorts(pod.pod);
    return {
      about: ports.length === 0 ? "" : `host port ${ports.join(", ")}`,
      advice: `wait until a Pod that uses the port ends, add nodes, or run fewer of these Pods or none with host ports ${RECREATE}`,
    };
  },
  TopologySpread: ({ pod }) => ({
    about: listSpreadKeys(pod.pod).join(", "),
    advice:
      "make nodes available in the domains that have the fewest Pods, or relax the constraint",
  }),
  Devices: (view) => ({
    about: listNames(
      listClaims(view).map(
        (claim) =>
          asString(claim.resourceClaimName) ||
          asString(claim.resourceClaimTemplateName) ||
          asString(claim.name),
      ),
    ),
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
  Insufficient: () => ({ about: "", advice: "add nodes with the resource, or free some of it" }),
  NoNodes: () => ({ about: "", advice: "add nodes: the cluster has none" }),
  Other: () => ({ about: "", advice: "read the scheduler's message" }),
};

const MAX_NAMES = 3;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

/** Returns the taints of nodes that the Pod does not tolerate. */
function listTaints({ facts, pod }: PodInJob): readonly string[] {
  const tolerations = asArray<Unvalidated<Toleration>>(pod.pod.spec?.tolerations).filter(isObject);
  const found: string[] = [];
  for (const [text, taint] of taintsOf(facts)) {
    if (tolerations.some((toleration) => toleratesTaint(toleration, taint))) continue;
    found.push(text);
    if (found.length === MAX_NAMES) break;
  }
  return found;
}

/** The different taints of all nodes, by their text. The scheduler reports a cordon as another reason. */
const taintsOf = /* @__PURE__ */ memoizeByObject(({ snapshot }: ClusterIndex) => {
  const taints = new Map<string, Unvalidated<Taint>>();
  for (const node of snapshot.nodes) {
    for (const taint of asArray<Unvalidated<Taint>>(node.spec?.taints)) {
      if (!isObject(taint) || taint.effect === "PreferNoSchedule") continue;
      const [key, value] = [asString(taint.key), asString(taint.value)];
      if (key === "node.kubernetes.io/unschedulable") continue;
      taints.set(`${key}${value && `=${value}`}:${asString(taint.effect)}`, taint);
    }
  }
  return taints;
});

/** Returns the labels that the Pod requires of its node, by selector and by affinity. */
function listSelectors(pod: Unvalidated<Pod>): readonly string[] {
  const selectors = Object.entries(asRecord(pod.spec?.nodeSelector)).map(
    ([key, value]) => `${key}=${asString(value)}`,
  );
  const { nodeAffinity } = asRecord(pod.spec?.affinity) as { readonly nodeAffinity?: NodeAffinity };
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const expressions = asArray(terms).filter(isObject).flatMap(formatTerm);
  return [...new Set([...selectors, ...expressions])].slice(0, MAX_NAMES);
}

interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
  };
}

interface NodeSelectorTerm {
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

/** Returns the requirements of a term, such as `zone in (a, b)`. */
function formatTerm(term: NodeSelectorTerm): readonly string[] {
  return asArray(term.matchExpressions)
    .filter(isObject)
    .map(({ key, operator, values }) => {
      const list = asArray(values).map((value) => asString(value));
      const [first] = list;
      if (operator === "In" && list.length === 1) return `${asString(key)}=${first}`;
      const among = list.length === 0 ? "" : ` (${list.slice(0, MAX_NAMES).join(", ")})`;
      return `${asString(key)} ${asString(operator)}${among}`;
    });
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
