import { asArray, asRecord, asString, isObject } from "./members.ts";
import type { Unvalidated } from "./unvalidated.ts";

/**
 * A label selector. All its requirements must match.
 *
 * @see Kubernetes `metav1.LabelSelector`
 */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

/** A requirement on the value of a key. */
export interface LabelSelectorRequirement {
  key: string;
  operator: LabelSelectorOperator;
  /** Required for `In` and `NotIn`, forbidden for other operators. */
  values?: string[];
}

/** `In` and `NotIn`: whether the value is one of `values`. `Exists` and `DoesNotExist`: whether the key exists. */
export type LabelSelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

/**
 * Reports whether labels satisfy a selector. An absent selector selects nothing, and an empty one selects everything.
 * `NotIn` matches labels without the key. A requirement that the API server rejects selects nothing, and a label whose
 * value is not text counts as absent.
 *
 * @see Kubernetes `metav1.LabelSelectorAsSelector`
 * @example matchesLabelSelector({ matchLabels: { app: "a" } }, { app: "a", tier: "web" }) // => true
 * @example matchesLabelSelector(undefined, {}) // => false
 */
export function matchesLabelSelector(
  selector: Unvalidated<LabelSelector> | undefined,
  labels: Readonly<Record<string, string | undefined>> | undefined,
): boolean {
  if (!isObject(selector)) return false;
  const carried = asRecord(labels);
  const labelValue = (key: string) => {
    const value = Object.hasOwn(carried, key) ? carried[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return (
    Object.entries(asRecord(selector.matchLabels)).every(
      ([key, value]) => value !== undefined && labelValue(key) === value,
    ) &&
    asArray(selector.matchExpressions).every((requirement) =>
      matchesRequirement(asRecord(requirement), labelValue(asString(requirement?.key))),
    )
  );
}

function matchesRequirement(
  requirement: Unvalidated<LabelSelectorRequirement>,
  value: string | undefined,
): boolean {
  const values = asArray(requirement.values);
  switch (requirement.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return values.length > 0 && (value === undefined || !values.includes(value));
    case "Exists":
      return values.length === 0 && value !== undefined;
    case "DoesNotExist":
      return values.length === 0 && value === undefined;
    default:
      return false;
  }
}
