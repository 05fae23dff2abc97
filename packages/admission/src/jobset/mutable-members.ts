import type { ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asArray, type Container, isObject, type PodSpec } from "@jobset-ts/api/kubernetes";
import { applyChanges, type FieldChange } from "@jobset-ts/core/requests";
import { namesText } from "./jobset-view.ts";
import type { ReplicatedJobPair, UpdateView } from "./update-view.ts";

/** When a member of an existing JobSet may change. */
export type Mutability =
  /** Never. */
  | "Immutable"
  /** While the JobSet is suspended, and in the update that suspends or resumes it. */
  | "WhileSuspended"
  /** With a feature gate. */
  | "NeedsGate"
  /** Always. */
  | "Free";

/**
 * The members of a ReplicatedJob that may change in a suspended JobSet, and that a resume copies to the Jobs. Kubernetes
 * also allows changes of the node affinity; JobSet does not.
 *
 * @see KEP-2926, "mutable scheduling directives"
 */
const suspendedMutablePaths: readonly (readonly string[])[] = [
  ["metadata", "labels"],
  ["metadata", "annotations"],
  ["spec", "nodeSelector"],
  ["spec", "tolerations"],
  ["spec", "schedulingGates"],
].map((path) => ["template", "spec", "template", ...path]);

/** The members of an Indexed ReplicatedJob that may change with the gate `ElasticJobSet`. */
const scalableMembers: readonly (readonly string[])[] = [
  ["template", "spec", "parallelism"],
  ["template", "spec", "completions"],
];

const containerLists = ["containers", "initContainers"] as const;
const resourceMembers: readonly string[] = ["requests", "limits"];

/**
 * Returns when a member of a ReplicatedJob may change.
 *
 * @param path - relative to the ReplicatedJob; everything below a mutable member may change
 */
export function getMutability(
  path: readonly (string | number)[],
  { after }: ReplicatedJobPair,
  { features }: UpdateView["after"],
): Mutability {
  const isWithin = (member: readonly string[]) => member.every((name, at) => path[at] === name);
  if (suspendedMutablePaths.some(isWithin)) return "WhileSuspended";
  if (after.completionMode === "Indexed" && scalableMembers.some(isWithin)) return "NeedsGate";
  const mayChangeResources = features.has("MutablePodResourcesForSuspendedJobSets");
  return mayChangeResources && isContainerResource(path) ? "WhileSuspended" : "Immutable";
}

function isContainerResource(path: readonly (string | number)[]): boolean {
  const [list, , resources, member] = path.slice(4);
  return (
    path.slice(0, 4).join(".") === "template.spec.template.spec" &&
    containerLists.some((name) => name === list) &&
    resources === "resources" &&
    resourceMembers.some((name) => name === member)
  );
}

/**
 * Returns the ReplicatedJobs after an update, with mutable members restored. The remaining differences are not allowed.
 *
 * @returns absent if the JobSet has none after the update
 */
export function withMutableMembersRestored(
  update: UpdateView,
): readonly Unvalidated<ReplicatedJob>[] | undefined {
  if (!Array.isArray(update.after.spec.replicatedJobs)) return undefined;
  return update.pairs.map((pair) => restoreMutableMembers(pair, update));
}

function restoreMutableMembers(
  pair: ReplicatedJobPair,
  update: UpdateView,
): Unvalidated<ReplicatedJob> {
  const { after, before } = pair;
  if (before === undefined) return after.replicatedJob;
  const mayScale = update.after.features.has("ElasticJobSet") && after.completionMode === "Indexed";
  const members = [
    ...(mayScale ? scalableMembers : []),
    ...(update.isSuspended ? suspendedMutablePaths : []),
  ];
  const mayChangeResources =
    update.isSuspended && update.after.features.has("MutablePodResourcesForSuspendedJobSets");
  return applyChanges(after.replicatedJob, [
    ...members.map((path) => ({ path, value: memberAt(before.replicatedJob, path) })),
    ...(mayChangeResources ? restoreResources(pair) : []),
  ]);
}

/** @see KEP-1150 */
function restoreResources({ before, after }: ReplicatedJobPair): readonly FieldChange[] {
  const [old, next] = [before, after].map((one) => one?.jobSpec.template?.spec);
  return containerLists
    .filter((list) => Array.isArray(next?.[list]))
    .map((list) => ({
      path: ["template", "spec", "template", "spec", list],
      value: withOldResources(list, old, next),
    }));
}

function withOldResources(
  list: (typeof containerLists)[number],
  old: Unvalidated<PodSpec> | undefined,
  next: Unvalidated<PodSpec> | undefined,
): readonly Unvalidated<Container>[] {
  const named = new Map(
    asArray(old?.[list])
      .filter(isObject)
      .map((container) => [namesText(container.name), container]),
  );
  return asArray(next?.[list]).map((container) => {
    const before = isObject(container) ? named.get(namesText(container.name)) : undefined;
    if (before === undefined) return container;
    const changes = resourceMembers.map((member) => {
      const path = ["resources", member];
      return { path, value: memberAt(before, path) };
    });
    return applyChanges(container, changes);
  });
}

/** Returns the member at a path. Null and impossible paths count as absent. */
function memberAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const name of path) {
    const members = value as Readonly<Record<string, unknown>> | undefined;
    if (!isObject(members) || !Object.hasOwn(members, name)) return undefined;
    value = members[name];
  }
  return value ?? undefined;
}
