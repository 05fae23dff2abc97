import { asArray, asRecord, isObject } from "@jobset-ts/api/kubernetes";
import type { Labels } from "./pod-affinity-term.ts";

/** A node selector term. A node has to match all requirements. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeRequirement[];
  /** Requirements on `metadata.name`. */
  readonly matchFields?: readonly NodeRequirement[];
}

export interface NodeRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/**
 * Returns the terms of a required node affinity, of which one has to match. `undefined` if there is no required
 * affinity.
 */
export function getNodeSelectorTerms(
  nodeAffinity: unknown,
): readonly NodeSelectorTerm[] | undefined {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = asRecord(
    nodeAffinity as Readonly<Record<string, unknown>> | undefined,
  );
  if (!isObject(required)) return undefined;
  return asArray(required.nodeSelectorTerms as readonly NodeSelectorTerm[]).filter(isObject);
}

/** Returns whether a node matches one of the terms. A term without requirements matches nothing. */
export function matchesNodeTerms(
  terms: readonly NodeSelectorTerm[] | undefined,
  node: { readonly name: string; readonly labels: Labels },
): boolean {
  if (terms === undefined) return true;
  return terms.some((term) => {
    const [labels, fields] = [asArray(term.matchExpressions), asArray(term.matchFields)];
    return (
      labels.length + fields.length > 0 &&
      labels.every((one) => matchesRequirement(one, getOwnMember(node.labels, one.key))) &&
      fields.every((one) =>
        matchesRequirement(one, one.key === "metadata.name" ? node.name : undefined),
      )
    );
  });
}

/**
 * Returns the only node names that the terms allow, if each term requires names by `metadata.name`. `undefined` if the
 * terms allow any name.
 *
 * @see Kubernetes 1.36 `NodeAffinity.PreFilter`
 */
export function getNamedNodes(
  terms: readonly NodeSelectorTerm[] | undefined,
): ReadonlySet<string> | undefined {
  if (terms === undefined || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields } of terms) {
    const required = asArray(matchFields).filter(
      ({ key, operator }) => key === "metadata.name" && operator === "In",
    );
    const [first, ...others] = required.map(({ values }) => asArray(values));
    if (first === undefined) return undefined;
    for (const name of first) {
      if (others.every((values) => values.includes(name))) names.add(name);
    }
  }
  return names;
}

/** Returns whether a label of a node satisfies a requirement. `value` is undefined if the node does not have the label. */
export function matchesRequirement(
  { operator, values }: NodeRequirement,
  value: string | undefined,
): boolean {
  const required = asArray(values);
  switch (operator) {
    case "In":
      return value !== undefined && required.includes(value);
    case "NotIn":
      return value === undefined || !required.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isInteger(value) && Number(value) > parseNumber(required[0]);
    case "Lt":
      return isInteger(value) && Number(value) < parseNumber(required[0]);
    default:
      return false;
  }
}

/** Returns NaN for a value that is not text. */
function parseNumber(text: string | undefined): number {
  return typeof text === "string" ? Number(text) : Number.NaN;
}

function isInteger(value: string | undefined): boolean {
  return typeof value === "string" && /^[+-]?\d+$/.test(value);
}

export function getOwnMember(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
