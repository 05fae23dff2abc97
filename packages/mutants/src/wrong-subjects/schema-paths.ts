// The paths of members in the spec of a JobSet, and how to create a defect for each of them.
import { getShape, type ShapeName } from "@jobset-ts/api/typed";
import type { Place } from "../edit.ts";

/** The path to the spec of the Jobs of each ReplicatedJob. */
export const JOB = "replicatedJobs.*.template.spec";
/** The path to the spec of the Pods of each ReplicatedJob. */
export const POD = `${JOB}.template.spec`;

/** Returns the names of the members of an API type, except some, which are separated by spaces. */
export function memberNames(type: ShapeName, excluded = ""): readonly string[] {
  const names = getShape(type).members.map(({ name }) => name);
  return names.filter((name) => !excluded.split(" ").includes(name));
}

export const memberPaths = (parent: string, names: readonly string[]) =>
  names.map((name) => `${parent}.${name}`);

/** The paths to the members of the Job spec and of the Pod spec of each ReplicatedJob. */
export const specPaths = [
  ...memberPaths(JOB, memberNames("JobSpec", "template")),
  ...memberPaths(POD, memberNames("PodSpec")),
];

/** Which elements a webhook reads if it does not read the whole list. */
export const partialReads = Object.entries<(place: Place) => boolean>({
  "only the first": ({ index }) => index === 0,
  "only the last": ({ index, length }) => index === length - 1,
  "all but the last": ({ index, length }) => length === 1 || index < length - 1,
});

/** Creates a description and a defect from each item. */
export function defectForEach<Item, Defect>(
  items: readonly Item[],
  create: (item: Item) => readonly [string, Defect],
): Readonly<Record<string, Defect>> {
  return Object.fromEntries(items.map(create));
}

/** Pairs each item of a list with each item of another list. */
export function pairs<First, Second>(firsts: readonly First[], seconds: readonly Second[]) {
  return firsts.flatMap((first) => seconds.map((second) => [first, second] as const));
}
