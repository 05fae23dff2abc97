import {
  asArray,
  asRecord,
  asString,
  getNamespace,
  getUid,
  isObject,
  namespacedName,
  type Pod,
  type PodSpec,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import { getNodeSelectorTerms, type NodeSelectorTerm } from "./node-selector.ts";
import { getAffinityTerms, type Labels, type RequiredAffinityTerm } from "./pod-affinity-term.ts";
import { type Amounts, getPodRequests } from "./resource-amounts.ts";

/** The parts of a Pod that the scheduler reads. */
export interface PodInfo extends PodSpecInfo {
  /** `<namespace>/<name>`. */
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly nominatedNodeName: string;
  /** Undefined for a Pod that has not started. */
  readonly startTime: string | undefined;
  readonly isTerminating: boolean;
}

/** The parts of a Pod spec that the scheduler reads. */
export interface PodSpecInfo {
  readonly priority: number;
  readonly mayPreempt: boolean;
  readonly requests: Amounts;
  readonly nodeSelector: readonly (readonly [key: string, value: string])[];
  /** Undefined if the Pod has no required node affinity. */
  readonly nodeTerms: readonly NodeSelectorTerm[] | undefined;
  readonly tolerations: readonly Toleration[];
  readonly affinity: readonly RequiredAffinityTerm[];
  readonly antiAffinity: readonly RequiredAffinityTerm[];
}

export function createPodInfo(pod: Pod): PodInfo {
  const spec = createPodSpecInfo(pod.spec);
  // Lists all members, because a spread costs several times as much. This runs for each Pod that is added or moved.
  return {
    priority: spec.priority,
    mayPreempt: spec.mayPreempt,
    requests: spec.requests,
    nodeSelector: spec.nodeSelector,
    nodeTerms: spec.nodeTerms,
    tolerations: spec.tolerations,
    affinity: spec.affinity,
    antiAffinity: spec.antiAffinity,
    key: namespacedName(pod),
    uid: getUid(pod),
    namespace: getNamespace(pod),
    labels: pod.metadata.labels ?? NO_LABELS,
    nominatedNodeName: asString(pod.status?.nominatedNodeName),
    startTime: pod.status?.startTime,
    isTerminating: pod.metadata.deletionTimestamp !== undefined,
  };
}

const NO_LABELS: Labels = {};

/** Stored objects are immutable, so each spec is read once. */
const specCache = new WeakMap<PodSpec, PodSpecInfo>();

function createPodSpecInfo(spec: PodSpec): PodSpecInfo {
  let info = specCache.get(spec);
  if (info === undefined) {
    const { podAffinity, podAntiAffinity, nodeAffinity } = asRecord(spec.affinity);
    info = {
      priority: spec.priority ?? 0,
      mayPreempt: spec.preemptionPolicy !== "Never",
      requests: getPodRequests(spec),
      nodeSelector: Object.entries(asRecord(spec.nodeSelector)),
      nodeTerms: getNodeSelectorTerms(nodeAffinity),
      tolerations: asArray(spec.tolerations).filter(isObject),
      affinity: getAffinityTerms(podAffinity),
      antiAffinity: getAffinityTerms(podAntiAffinity),
    };
    specCache.set(spec, info);
  }
  return info;
}
