import { asArray, asRecord, asString, isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import {
  getOwnMember,
  matchesRequirement,
  type NodeRequirement,
} from "../scheduler/node-selector.ts";

type Labels = Readonly<Record<string, string>>;

/**
 * Returns labels with which a node satisfies the node selector and the required node affinity of a Pod. The first term
 * of the affinity that contradicts neither itself nor the node selector counts. Without such a term, the labels satisfy
 * the node selector only.
 *
 * @param podSpec - any JSON value
 */
export function findRequiredNodeLabels(podSpec: unknown): Labels {
  const { nodeSelector, affinity } = asRecord(podSpec as JsonObject);
  const selected = asRecord(nodeSelector as JsonObject) as Labels;
  const { nodeAffinity } = asRecord(affinity as JsonObject);
  const required = asRecord(nodeAffinity as JsonObject)[REQUIRED];
  const terms = asArray(asRecord(required as JsonObject).nodeSelectorTerms as unknown[]);
  for (const term of terms.filter(isObject)) {
    const labels = satisfyTerm(term as JsonObject, selected);
    if (labels !== undefined) return labels;
  }
  return selected;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

function satisfyTerm(term: JsonObject, selected: Labels): Labels | undefined {
  const labels: Record<string, string> = { ...selected };
  const requirements = asArray(term.matchExpressions as NodeRequirement[]).filter(isObject);
  for (const requirement of requirements) {
    const key = asString(requirement.key);
    if (satisfies(labels, requirement)) continue;
    const value = findValue(requirement);
    if (getOwnMember(labels, key) !== undefined || value === undefined) return undefined;
    labels[key] = value;
  }
  return requirements.every((one) => satisfies(labels, one)) ? labels : undefined;
}

function satisfies(labels: Labels, requirement: NodeRequirement): boolean {
  return matchesRequirement(requirement, getOwnMember(labels, asString(requirement.key)));
}

/** Returns a value that satisfies a requirement, if it needs one. */
function findValue({ operator, values }: NodeRequirement): string | undefined {
  const first = asString(asArray(values)[0]);
  switch (operator) {
    case "In":
      return first;
    case "Exists":
      return "true";
    case "Gt":
      return `${Number(first) + 1}`;
    case "Lt":
      return `${Number(first) - 1}`;
    default:
      return undefined;
  }
}
