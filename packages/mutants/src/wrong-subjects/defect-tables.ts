// Tables of defects that differ only in a member, or in the checked elements of a list.
import { getShape, type ShapeName } from "@jobset-ts/api/typed";
import type { WebhookDefect } from "./wrong-webhook.ts";

type Defects = Readonly<Record<string, WebhookDefect>>;

/** Creates a description and a defect from each item. */
export function defectForEach<Item>(
  items: readonly Item[],
  create: (item: Item) => readonly [string, WebhookDefect],
): Defects {
  return Object.fromEntries(items.map(create));
}

/** Creates a description and a defect from each pair of items. */
export function defectForEachPair<First, Second>(
  firsts: readonly First[],
  seconds: readonly Second[],
  create: (first: First, second: Second) => readonly [string, WebhookDefect],
): Defects {
  return Object.fromEntries(
    firsts.flatMap((first) => seconds.map((second) => create(first, second))),
  );
}

/** The elements that a webhook checks if it does not check the whole list. */
export const partialChecks: readonly (readonly [
  elements: string,
  isChecked: (index: number, length: number) => boolean,
])[] = [
  ["only the first", (index) => index === 0],
  ["only the last", (index, length) => index === length - 1],
  ["all but the last", (index, length) => length === 1 || index < length - 1],
];

/** The path from a ReplicatedJob to the spec of its Job. */
export const JOB = "template.spec";
/** The path from a ReplicatedJob to the spec of its Pods. */
export const POD = `${JOB}.template.spec`;

/**
 * Returns the names of the members of an API type, except some.
 *
 * @param excluded - names, separated by spaces
 */
export function memberNames(type: ShapeName, excluded = ""): readonly string[] {
  const names = getShape(type).members.map(({ name }) => name);
  return names.filter((name) => !excluded.split(" ").includes(name));
}

export const memberPaths = (parent: string, names: readonly string[]) =>
  names.map((name) => `${parent}.${name}`);

const jobSpecPaths = memberPaths(JOB, memberNames("JobSpec", "template"));
const podSpecPaths = memberPaths(POD, memberNames("PodSpec"));
/** The paths from a ReplicatedJob to the members of its Job spec and of its Pod spec. */
export const specPaths = [...jobSpecPaths, ...podSpecPaths];
