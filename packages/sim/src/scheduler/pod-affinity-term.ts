import {
  asArray,
  asRecord,
  asString,
  isObject,
  type LabelSelector,
  matchesLabelSelector,
  type PodAffinityTerm,
} from "@jobset-ts/api/kubernetes";

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** A required term of a Pod's affinity or anti-affinity. */
export interface RequiredAffinityTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector | undefined;
  readonly namespaces: readonly string[];
  /**
   * An empty selector selects all namespaces. If it is undefined and `namespaces` is empty, the term selects the Pod's
   * own namespace.
   */
  readonly namespaceSelector: LabelSelector | undefined;
}

/** Returns the required terms of a Pod's affinity or anti-affinity. */
export function getAffinityTerms(
  affinity: { readonly requiredDuringSchedulingIgnoredDuringExecution?: unknown } | undefined,
): readonly RequiredAffinityTerm[] {
  const terms = asRecord(affinity).requiredDuringSchedulingIgnoredDuringExecution;
  return asArray(terms as readonly PodAffinityTerm[] | undefined)
    .filter(isObject)
    .map(({ topologyKey, labelSelector, namespaces, namespaceSelector }) => ({
      topologyKey: asString(topologyKey),
      selector: labelSelector,
      namespaces: asArray(namespaces),
      namespaceSelector,
    }));
}

/** Returns whether a term of a Pod in `ownNamespace` selects a Pod, by namespace and labels. */
export function matchesTerm(
  term: RequiredAffinityTerm,
  ownNamespace: string,
  pod: { readonly namespace: string; readonly labels: Labels },
): boolean {
  return (
    selectsNamespace(term, ownNamespace, pod.namespace) &&
    matchesLabelSelector(term.selector, pod.labels)
  );
}

/** Each namespace has one known label, its name. */
function selectsNamespace(
  { namespaces, namespaceSelector }: RequiredAffinityTerm,
  ownNamespace: string,
  namespace: string,
): boolean {
  if (namespaces.length === 0 && namespaceSelector === undefined) return namespace === ownNamespace;
  if (namespaces.includes(namespace)) return true;
  return matchesLabelSelector(namespaceSelector, { "kubernetes.io/metadata.name": namespace });
}

/** Returns the label keys that a term uses. */
export function getSelectorKeys({ selector }: RequiredAffinityTerm): readonly string[] {
  return [
    ...Object.keys(asRecord(selector?.matchLabels)),
    ...asArray(selector?.matchExpressions).map(({ key }) => key),
  ];
}

/** Returns a label key and the values of which a selected Pod has one, if the selector has such a requirement. */
export function findRequiredLabel({
  selector,
}: RequiredAffinityTerm): { readonly key: string; readonly values: readonly string[] } | undefined {
  const [first] = Object.entries(asRecord(selector?.matchLabels));
  if (first !== undefined) return { key: first[0], values: [first[1]] };
  const requirement = asArray(selector?.matchExpressions).find(({ operator }) => operator === "In");
  return requirement && { key: requirement.key, values: asArray(requirement.values) };
}
