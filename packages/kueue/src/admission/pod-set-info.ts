import type { Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  isObject,
  type PodSchedulingGate,
  type PodTemplateSpec,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { failPermanently, type KueueResult } from "../objects/kueue-error.ts";
import { getStringMap, listObjects, withoutEmpty } from "../objects/members.ts";
import type { PodSet, PodSetInfo, Workload } from "../objects/workload.ts";

/**
 * Returns the directives that the templates had when the Workload was created.
 *
 * @returns `undefined` without a Workload, and an empty list for a Workload without Pod sets
 * @example podSetsInfoFromWorkload({ spec: { podSets: [{ name: "w", count: 2, template: { spec: { nodeSelector: { a: "b" } } } }] } }) // => [{ name: "w", count: 2, nodeSelector: { a: "b" } }]
 * @example podSetsInfoFromWorkload(undefined) // => undefined
 */
export function podSetsInfoFromWorkload(
  workload: Unvalidated<Workload> | undefined,
): readonly PodSetInfo[] | undefined {
  return isObject(workload) ? listObjects(workload.spec?.podSets).map(createInfo) : undefined;
}

function createInfo(set: Unvalidated<PodSet>): PodSetInfo {
  const { affinity } = set.template?.spec ?? {};
  return {
    name: asString(set.name),
    count: asInteger(set.count, 0),
    ...getDirectives(set.template),
    ...(isObject(affinity) && { affinity: affinity as PodSetInfo["affinity"] }),
  };
}

/** The directives of a Pod template that an admission can change. */
export type Directives = Pick<
  PodSetInfo,
  "labels" | "annotations" | "nodeSelector" | "tolerations" | "schedulingGates"
>;

/** The scheduling directives of a Pod template. */
export function getDirectives(template: Unvalidated<PodTemplateSpec> | undefined): Directives {
  return withoutEmpty({
    labels: getStringMap(template?.metadata?.labels),
    annotations: getStringMap(template?.metadata?.annotations),
    nodeSelector: getStringMap(template?.spec?.nodeSelector),
    tolerations: listObjects(template?.spec?.tolerations) as Toleration[],
    schedulingGates: listObjects(template?.spec?.schedulingGates) as PodSchedulingGate[],
  });
}

/**
 * Merges the data of one Pod set with that of another source.
 *
 * Maps are united, and a key with two values is a conflict. Missing tolerations and scheduling gates are appended.
 * Tolerations are compared without their seconds. Name, count and affinity do not change.
 *
 * @param base - an object with the members to merge
 * @returns an error for the first conflict in annotations, labels and node selector, in this order, and its smallest key
 * @example
 * const merged = mergePodSetInfo({ name: "w", count: 1, labels: { a: "1" } }, { labels: { a: "2" } });
 * merged.ok ? "" : merged.refusal.message // => "invalid admission check PodSetUpdate: conflict for labels: conflict for key=a, value1=1, value2=2"
 */
export function mergePodSetInfo<Base extends Unvalidated<Directives>>(
  base: Base,
  extra: Unvalidated<Directives>,
): KueueResult<Base> {
  const merged: { [Member in (typeof maps)[number]]?: Readonly<Record<string, string>> } = {};
  for (const member of maps) {
    const [ours, theirs] = [getStringMap(base?.[member]), getStringMap(extra?.[member])];
    const key = firstConflict(ours, theirs);
    if (key !== undefined) {
      const values = `conflict for key=${key}, value1=${ours[key]}, value2=${theirs[key]}`;
      const message = `invalid admission check PodSetUpdate: conflict for ${member}: ${values}`;
      return failPermanently("Conflict", message);
    }
    merged[member] = { ...ours, ...theirs };
  }
  return {
    ok: true,
    value: withoutEmpty({
      ...base,
      ...merged,
      tolerations: unionBy(base?.tolerations, extra?.tolerations, tolerationKey),
      schedulingGates: unionBy(base?.schedulingGates, extra?.schedulingGates, gateKey),
    }) as Base,
  };
}

/** The maps of a Pod set info, in the order in which Kueue checks them for conflicts. */
const maps = ["annotations", "labels", "nodeSelector"] as const;

function firstConflict(
  ours: Readonly<Record<string, string>>,
  theirs: Readonly<Record<string, string>>,
): string | undefined {
  return Object.keys(theirs)
    .filter((key) => Object.hasOwn(ours, key) && ours[key] !== theirs[key])
    .sort(compareBytes)[0];
}

function unionBy<Item>(
  base: readonly Item[] | undefined,
  extra: readonly Item[] | undefined,
  keyOf: (item: Item) => string,
): readonly Item[] {
  const ours = listObjects(base);
  const known = new Set(ours.map(keyOf));
  const added = listObjects(extra).filter((item) => {
    const key = keyOf(item);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
  return added.length === 0 ? ours : [...ours, ...added];
}

/** @see Kubernetes `Toleration.MatchToleration` */
function tolerationKey({ key, effect, value, operator }: Unvalidated<Toleration>): string {
  return JSON.stringify([
    asString(key),
    asString(effect),
    asString(value),
    asString(operator) || "Equal",
  ]);
}

function gateKey({ name }: Unvalidated<PodSchedulingGate>): string {
  return asString(name);
}
