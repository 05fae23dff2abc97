import type { Container, Observed, PodSpec } from "@jobset-ts/api";
import type { MemberChange } from "./member-changes.ts";
import { isObject, listOf, textOf } from "./reading.ts";

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
  const next: Record<string, unknown> = { ...container.resources };
  let changed = false;
  for (const member of ["requests", "limits"] as const) {
    const amounts = wanted.resources?.[member];
    if (sameAmounts(container.resources?.[member], amounts)) continue;
    changed = true;
    if (amounts === undefined) delete next[member];
    else next[member] = amounts;
  }
  return changed ? { ...container, resources: next } : container;
}

function sameAmounts(
  one: Readonly<Record<string, string>> | undefined,
  other: Readonly<Record<string, string>> | undefined,
): boolean {
  const [left, right] = [Object.entries(one ?? {}), Object.entries(other ?? {})];
  return left.length === right.length && left.every(([name, value]) => other?.[name] === value);
}
