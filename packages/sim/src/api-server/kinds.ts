import { jobRules } from "./job/job-rules.ts";
import { jobSetRules } from "./jobset-rules.ts";
import type { KindRules } from "./kind-rules.ts";
import { podRules } from "./pod-rules.ts";
import { claimRules } from "./pvc-rules.ts";
import { serviceRules } from "./service-rules.ts";

/** Creates the rules of a kind without special rules. */
function createPlainRules(
  apiVersion: string,
  kind: string,
  resource: string,
  group = "",
): KindRules {
  return {
    apiVersion,
    kind,
    resource: group === "" ? resource : `${resource}.${group}`,
    qualifiedKind: group === "" ? kind : `${kind}.${group}`,
    isNamespaced: true,
    isCustomResource: false,
    hasStatus: true,
    isCreatedWithStatus: false,
    countsGenerations: false,
    defaultPropagation: "Background",
  };
}

const ALL_RULES: readonly KindRules[] = [
  {
    ...createPlainRules("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets", "jobset.x-k8s.io"),
    ...jobSetRules,
  },
  { ...createPlainRules("batch/v1", "Job", "jobs", "batch"), ...jobRules },
  { ...createPlainRules("v1", "Pod", "pods"), ...podRules },
  { ...createPlainRules("v1", "Service", "services"), ...serviceRules },
  { ...createPlainRules("v1", "PersistentVolumeClaim", "persistentvolumeclaims"), ...claimRules },
  { ...createPlainRules("v1", "Node", "nodes"), isNamespaced: false, isCreatedWithStatus: true },
  { ...createPlainRules("v1", "Namespace", "namespaces"), isNamespaced: false },
  {
    ...createPlainRules(
      "scheduling.k8s.io/v1",
      "PriorityClass",
      "priorityclasses",
      "scheduling.k8s.io",
    ),
    isNamespaced: false,
    hasStatus: false,
  },
  {
    ...createPlainRules("kueue.x-k8s.io/v1beta2", "Workload", "workloads", "kueue.x-k8s.io"),
    isCustomResource: true,
    countsGenerations: true,
  },
  createPlainRules("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", "policy"),
  { ...createPlainRules("events.k8s.io/v1", "Event", "events", "events.k8s.io"), hasStatus: false },
];

const BY_KIND = new Map(ALL_RULES.map((rules) => [rules.kind, rules]));

/** Returns the rules of a kind, or `undefined` if the API server does not serve it. */
export function findKindRules(kind: string): KindRules | undefined {
  return BY_KIND.get(kind);
}
