import { asArray, asRecord, asString, isObject, type JsonObject } from "@jobset-ts/api/kubernetes";

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
  const requirements = asArray(term.matchExpressions as unknown[]).filter(isObject) as JsonObject[];
  for (const requirement of requirements) {
    const key = asString(requirement.key as string);
    if (satisfies(labels[key], requirement)) continue;
    const value = findValue(requirement);
    if (labels[key] !== undefined || value === undefined) return undefined;
    labels[key] = value;
  }
  return requirements.every((one) => satisfies(labels[asString(one.key as string)], one))
    ? labels
    : undefined;
}

function satisfies(value: string | undefined, { operator, values }: JsonObject): boolean {
  const list = asArray(values as string[]);
  switch (operator) {
    case "In":
      return value !== undefined && list.includes(value);
    case "NotIn":
      return value === undefined || !list.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(list[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(list[0]);
    default:
      return false;
  }
}

/** Returns a value that satisfies a requirement, if it needs one. */
function findValue({ operator, values }: JsonObject): string | undefined {
  const [first] = asArray(values as string[]);
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
