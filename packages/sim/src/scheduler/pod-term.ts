import {
  isObject,
  type LabelSelector,
  listOf,
  membersOf,
  type PodAffinityTerm,
  selectsLabels,
  textOf,
} from "@jobset-ts/api/kubernetes";

/** Labels by key, as an object carries them. */
export type Labels = Readonly<Record<string, string>>;

/** A required term of a Pod's affinity or anti-affinity. */
export interface PodTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector | undefined;
  readonly namespaces: readonly string[];
  /** An empty one selects all namespaces; absent, with no `namespaces`, it is the Pod's own. */
  readonly namespaceSelector: LabelSelector | undefined;
}

/** The required terms of one side of a Pod's affinity. */
export function podTerms(
  affinity: { readonly requiredDuringSchedulingIgnoredDuringExecution?: unknown } | undefined,
): readonly PodTerm[] {
  const terms = membersOf(affinity).requiredDuringSchedulingIgnoredDuringExecution;
  return listOf(terms as readonly PodAffinityTerm[] | undefined)
    .filter(isObject)
    .map(({ topologyKey, labelSelector, namespaces, namespaceSelector }) => ({
      topologyKey: textOf(topologyKey),
      selector: labelSelector,
      namespaces: listOf(namespaces),
      namespaceSelector,
    }));
}

/** Whether a term of a Pod in `ownNamespace` selects a Pod by its namespace and its labels. */
export function termSelects(
  term: PodTerm,
  ownNamespace: string,
  pod: { readonly namespace: string; readonly labels: Labels },
): boolean {
  return (
    selectsNamespace(term, ownNamespace, pod.namespace) && selectsLabels(term.selector, pod.labels)
  );
}

/** A namespace is known by the label that each has, its name. */
function selectsNamespace(
  { namespaces, namespaceSelector }: PodTerm,
  ownNamespace: string,
  namespace: string,
): boolean {
  if (namespaces.length === 0 && namespaceSelector === undefined) return namespace === ownNamespace;
  if (namespaces.includes(namespace)) return true;
  return selectsLabels(namespaceSelector, { "kubernetes.io/metadata.name": namespace });
}

/** The label keys that a term looks at. */
export function selectorKeys({ selector }: PodTerm): readonly string[] {
  return [
    ...Object.keys(membersOf(selector?.matchLabels)),
    ...listOf(selector?.matchExpressions).map(({ key }) => key),
  ];
}

/** A key and the values of which a selected Pod carries one, where the selector has such a requirement. */
export function neededLabel({
  selector,
}: PodTerm): { readonly key: string; readonly values: readonly string[] } | undefined {
  const [first] = Object.entries(membersOf(selector?.matchLabels));
  if (first !== undefined) return { key: first[0], values: [first[1]] };
  const requirement = listOf(selector?.matchExpressions).find(({ operator }) => operator === "In");
  return requirement && { key: requirement.key, values: listOf(requirement.values) };
}
