import type { Unvalidated } from "@jobset-ts/api";
import {
  type Container,
  equalQuantities,
  type PodSpec,
  parseQuantity,
  type ResourceRequirements,
} from "@jobset-ts/api/kubernetes";
import { asArray, asRecord, asString, isObject } from "../jobset-members.ts";
import { entryChanges, type FieldChange, prefixPaths } from "../plan/field-changes.ts";

/**
 * Returns the requests and limits that a resumed Job takes over from the JobSet's Pod template, container by container.
 * Containers are matched by name; their resource claims stay, none is added or removed.
 *
 * Behind the gate `MutablePodResourcesForSuspendedJobSets`, which no released controller has yet.
 *
 * @see KEP-1150
 */
export function resourceChanges(
  old: Unvalidated<PodSpec> | undefined,
  template: Unvalidated<PodSpec> | undefined,
): readonly FieldChange[] {
  return (["containers", "initContainers"] as const).flatMap((list) => {
    const desired = new Map(listNamedContainers(template?.[list]));
    return listNamedContainers(old?.[list]).flatMap(([name, container]) =>
      prefixPaths(
        ["spec", "template", "spec", list, { name }, "resources"],
        amountChanges(container, desired.get(name)),
      ),
    );
  });
}

function listNamedContainers(
  list: readonly Unvalidated<Container>[] | undefined,
): readonly (readonly [name: string, Unvalidated<Container>])[] {
  return asArray(list)
    .filter(isObject)
    .map((container) => [asString(container.name), container] as const)
    .filter(([name]) => name !== "");
}

/** Returns the changes of a container's resources, amount by amount. */
function amountChanges(
  container: Unvalidated<Container>,
  desired: Unvalidated<Container> | undefined,
): readonly FieldChange[] {
  if (desired === undefined) return [];
  const [before, after] = [getResources(container), getResources(desired)];
  const members = ["requests", "limits"] as const;
  if (members.every((member) => sameAmounts(before[member], after[member]))) return [];
  return members.flatMap((member): readonly FieldChange[] =>
    isObject(after[member])
      ? prefixPaths([member], entryChanges(asRecord(before[member]), after[member]))
      : [{ path: [member] }],
  );
}

function getResources({ resources }: Unvalidated<Container>): Unvalidated<ResourceRequirements> {
  return isObject(resources) ? resources : {};
}

type Amounts = Readonly<Record<string, string>> | undefined;

/** Reports whether two maps have the same quantities, in any notation: the API server rewrites some. */
function sameAmounts(one: Amounts, other: Amounts): boolean {
  const [left, right] = [asRecord(one), asRecord(other)];
  return (
    Object.keys(left).length === Object.keys(right).length &&
    Object.entries(left).every(
      ([name, amount]) => Object.hasOwn(right, name) && sameAmount(amount, right[name]),
    )
  );
}

function sameAmount(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [left, right] = [parseQuantity(one), parseQuantity(other)];
  return left.ok && right.ok && equalQuantities(left.value, right.value);
}
