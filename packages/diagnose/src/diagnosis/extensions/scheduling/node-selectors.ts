import type { Unvalidated } from "@jobset-ts/api";
import { asArray, asRecord, asString, isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { PodInJob } from "../../view/pod-view.ts";
import type { RefusalDetails } from "./refusal-details.ts";

const MAX_NAMES = 3;

/** Returns the labels that a Pod selects, with the values that nodes have instead. */
export function explainSelectors(view: PodInJob): RefusalDetails {
  const labels = listSelectors(view.pod.pod);
  const missing = labels.flatMap((label) => findOtherValues(view, label) ?? []);
  const others = missing.filter(({ values }) => values.length > 0);
  const notes = others.map(({ key, values }) => `nodes have ${key}=${values.join(", ")}`);
  const about = [labels.join(", "), ...notes].filter((part) => part !== "").join("; ");
  const [first] = missing;
  const label = first === undefined ? "KEY=VALUE" : `${first.key}=${first.value}`;
  // The cloud or the kubelet sets these labels, and a wrong value misleads other programs.
  if (first !== undefined && (first.values.length > 0 || ofPlatform.test(first.key))) {
    return {
      about,
      advice: `correct the selectors and affinity in a new JobSet, or add nodes with ${label}: kubectl get nodes -L ${first.key}`,
    };
  }
  return {
    about,
    advice: `compare the Pod's selectors and affinity with the nodes, and label a node: kubectl label nodes NODE ${label}`,
  };
}

const ofPlatform =
  /(?:^|\.)(?:kubernetes|k8s)\.io\/|^(?:cloud\.google\.com|eks\.amazonaws\.com|kubernetes\.azure\.com|karpenter[.a-z0-9-]*|nvidia\.com)\//;

/** Returns the values that nodes have for the key of a label that no node has. Undefined if a node has the label. */
function findOtherValues({ facts }: PodInJob, label: string) {
  const at = label.indexOf("=");
  if (at < 0) return undefined;
  const [key, value] = [label.slice(0, at), label.slice(at + 1)];
  const domains = facts.domains(key);
  if (domains.has(value)) return undefined;
  return { key, value, values: [...domains.keys()].sort().slice(0, MAX_NAMES) };
}

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

/** One alternative of a node affinity. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly values?: readonly string[];
  }[];
}

/** Returns the requirements of a term, such as `zone in (a, b)`. */
export function formatTerm(term: NodeSelectorTerm): readonly string[] {
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
