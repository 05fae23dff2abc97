import {
  type Container,
  equalQuantities,
  type Observed,
  type PodSpec,
  parseQuantity,
  type ResourceRequirements,
} from "@jobset-ts/api";
import type { MemberChange } from "../member-changes.ts";
import { isObject, listOf, membersOf, textOf } from "../reading.ts";

/**
 * The requests and limits that a resumed Job takes over from the JobSet's Pod template, container by container.
 * Containers are matched by name; their resource claims stay, none is added or removed.
 *
 * Behind the gate `MutablePodResourcesForSuspendedJobSets`, which no released controller has yet.
 *
 * @see KEP-1150
 */
export function resourceChanges(
  old: Observed<PodSpec> | undefined,
  template: Observed<PodSpec> | undefined,
): readonly MemberChange[] {
  return (["containers", "initContainers"] as const).flatMap((list) => {
    const wanted = new Map(
      listOf(template?.[list])
        .filter(isObject)
        .map((container) => [textOf(container.name), container]),
    );
    const before = listOf(old?.[list]);
    const next = before.map((container) =>
      isObject(container)
        ? withResources(container, wanted.get(textOf(container.name)))
        : container,
    );
    const changed = next.some((container, index) => container !== before[index]);
    return changed ? [{ path: ["spec", "template", "spec", list], value: next }] : [];
  });
}

function withResources(
  container: Observed<Container>,
  wanted: Observed<Container> | undefined,
): Observed<Container> {
  if (wanted === undefined) return container;
  const { requests, limits, ...others } = resourcesOf(container);
  const next = resourcesOf(wanted);
  if (sameAmounts(requests, next.requests) && sameAmounts(limits, next.limits)) return container;
  return {
    ...container,
    resources: {
      ...others,
      ...(isObject(next.requests) && { requests: next.requests }),
      ...(isObject(next.limits) && { limits: next.limits }),
    },
  };
}

function resourcesOf({ resources }: Observed<Container>): Observed<ResourceRequirements> {
  return isObject(resources) ? resources : {};
}

type Amounts = Readonly<Record<string, string>> | undefined;

/** Whether two maps of quantities say the same, however the quantities are written: the API server rewrites some. */
function sameAmounts(one: Amounts, other: Amounts): boolean {
  const [left, right] = [membersOf(one), membersOf(other)];
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
