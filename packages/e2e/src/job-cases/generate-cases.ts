import {
  type ElementType,
  getShape,
  isShapeName,
  type Member,
  type ShapeName,
} from "@jobset-ts/api/typed";
import {
  createJobsWithEveryMember,
  type JobData,
} from "../../../testing/src/testing/jobs-with-every-member.ts";
import { keys, listChangedValues } from "./changed-values.ts";
import { type Chooser, createChooser } from "./chooser.ts";
import { rareChanges } from "./rare-changes.ts";

/** A Job that a server judges. */
export interface JobCase {
  /** The name of the Job that was changed, and the number of the case. */
  readonly name: string;
  readonly job: JobData;
}

/** The maximum number of other values that a member gets. The Job with one volume of each type has the most members. */
const maxValues = (job: string) => (job === "storage" ? 5 : 12);
/** The number of cases with two or three changes, for each Job. */
const COMBINATIONS = 100;

/**
 * Returns the Jobs of {@link createJobsWithEveryMember}, and each of them with changes: a member
 * removed, set to a value of a table, or added with a value of its type; an element repeated, or a
 * list empty. The cases are always the same.
 */
export function* generateJobCases(): Generator<JobCase, void, undefined> {
  for (const [name, job] of Object.entries(createJobsWithEveryMember())) {
    const chooser = createChooser(name);
    let count = 0;
    const number = (changed: JobData): JobCase => {
      count += 1;
      return { name: `${name}/${count}`, job: changed };
    };
    yield number(job);
    const changes = [...listChanges(job, { pick: chooser.pick, maxValues: maxValues(name) })];
    for (const change of changes) yield number(applyChanges(job, [change]));
    for (const rare of rareChanges[name] ?? [])
      yield number(applyChanges(job, readRareChanges(rare)));
    for (let at = 0; at < COMBINATIONS; at += 1) {
      yield number(applyChanges(job, chooser.pick(changes, chooser.drawBelow(2) + 2)));
    }
  }
}

/** A change of the value at a path. Undefined removes it. */
interface Change {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

type Path = Change["path"];

function readRareChanges(pairs: readonly unknown[]): readonly Change[] {
  return pairs.flatMap((path, at) =>
    at % 2 === 0 ? [{ path: String(path).split("."), value: pairs[at + 1] ?? undefined }] : [],
  );
}

/** The number of changes, and the changes. */
interface Choice {
  readonly pick: Chooser["pick"];
  readonly maxValues: number;
}

function* listChanges(job: JobData, choice: Choice): Generator<Change, void, undefined> {
  for (const name of ["", "Upper", "a.b", "x".repeat(62), "x".repeat(64), "-a"]) {
    yield { path: ["metadata", "name"], value: name };
  }
  for (const finalizer of ["example.com/x", "x", "orphan", "a b"]) {
    yield { path: ["metadata", "finalizers"], value: [finalizer] };
  }
  yield* mapChanges(["metadata", "labels"], job.metadata.labels, { type: "string" }, choice);
  yield* memberChanges(job.spec, "JobSpec", ["spec"], choice);
}

function* memberChanges(
  object: Record<string, unknown>,
  type: ShapeName,
  path: Path,
  choice: Choice,
): Generator<Change, void, undefined> {
  for (const member of getShape(type).members) {
    if (skipped.has(member.name) && type === "JobSpec") continue;
    const own = [...path, member.name];
    const value = object[member.name];
    if (value === undefined) {
      for (const sample of choice.pick(listSamples(member), 3)) yield { path: own, value: sample };
      continue;
    }
    yield { path: own, value: undefined };
    if (member.collection === "list") {
      yield* listMemberChanges(own, value as readonly unknown[], member, choice);
    } else if (member.collection === "map") {
      yield* mapChanges(own, value as Record<string, unknown>, member, choice);
    } else yield* valueChanges(own, value, member, choice);
  }
}

/** A specified selector and the generated labels depend on the UID, which differs each time. */
const skipped: ReadonlySet<string> = new Set(["selector", "manualSelector"]);

function* valueChanges(
  path: Path,
  value: unknown,
  { type }: { type: ElementType },
  choice: Choice,
): Generator<Change, void, undefined> {
  if (isShapeName(type)) {
    yield { path, value: {} };
    yield* memberChanges(value as Record<string, unknown>, type, path, choice);
    return;
  }
  for (const other of choice.pick(listChangedValues({ type }), choice.maxValues))
    yield { path, value: other };
}

function* listMemberChanges(
  path: Path,
  list: readonly unknown[],
  member: Member,
  choice: Choice,
): Generator<Change, void, undefined> {
  const [first] = list;
  yield { path, value: [] };
  yield { path, value: [...list, first] };
  for (const count of choice.pick([4, 21, 33, 256], 1)) {
    yield { path, value: Array.from({ length: count }, () => first) };
  }
  for (const [index, element] of list.entries()) {
    yield* valueChanges([...path, index], element, member, choice);
  }
}

function* mapChanges(
  path: Path,
  map: Record<string, unknown>,
  { type }: { type: ElementType },
  choice: Choice,
): Generator<Change, void, undefined> {
  yield { path, value: {} };
  const sample = type === "Quantity" ? "1" : "v";
  for (const key of choice.pick(keys, Math.ceil(choice.maxValues / 2)))
    yield { path: [...path, key], value: sample };
  for (const key of Object.keys(map)) {
    yield { path: [...path, key], value: undefined };
    yield* valueChanges([...path, key], map[key], { type }, choice);
  }
}

/** Returns values of an absent member: a scalar of the table, or an object whose members are samples. */
function listSamples({ type, collection }: Member): readonly unknown[] {
  const values = isShapeName(type)
    ? [{}, createSample(type, 0), createSample(type, 3)]
    : listChangedValues({ type });
  if (collection === "list") return values.map((value) => [value]);
  if (collection === "map") {
    return keys.map((key) => ({ [key]: type === "Quantity" ? "1" : "v" }));
  }
  return values;
}

/** @param seed - selects the values of the table for the members */
function createSample(type: ShapeName, seed: number, depth = 0): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  for (const { name, type: own, collection } of getShape(type).members) {
    if (collection !== "none" || depth > 2) continue;
    const values = listChangedValues({ type: own });
    if (isShapeName(own)) {
      // One object member is enough, because most types want exactly one.
      if (!Object.values(sample).some((value) => typeof value === "object")) {
        sample[name] = createSample(own, seed, depth + 1);
      }
    } else sample[name] = values[(seed + 2) % values.length];
  }
  return sample;
}

function applyChanges(job: JobData, changes: readonly Change[]): JobData {
  const changed = structuredClone(job);
  for (const { path, value } of changes) {
    let owner = changed;
    for (const step of path.slice(0, -1)) owner = owner?.[step];
    const last = path.at(-1) ?? "";
    if (typeof owner !== "object" || owner === null) continue;
    if (value === undefined && !Array.isArray(owner)) delete owner[last];
    else if (value !== undefined) owner[last] = structuredClone(value);
  }
  return changed;
}
