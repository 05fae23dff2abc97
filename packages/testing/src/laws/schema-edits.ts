// Edits of ReplicatedJobs, derived from the table of shapes. Each field of their templates is added, changed and
// removed.
import type { JobSet, ReplicatedJob } from "@jobset-ts/api";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import {
  type ElementType,
  getShape,
  isShapeName,
  type Member,
  type ShapeName,
} from "@jobset-ts/api/typed";
import { drawSample, getRequired, mergeValues } from "../arbitraries/schema-samples.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { replicatedJob } from "./rule-samples.ts";

/** An edit with its description. */
export interface Edit {
  readonly says: string;
  readonly before: JobSet;
  readonly after: JobSet;
}

/** The edit of a field in one ReplicatedJob. */
interface MemberEdit {
  /** The path below the ReplicatedJob. */
  readonly path: readonly Member[];
  readonly form: Form;
  /** The list index that the path follows in each list. */
  readonly element: number;
  /** The index of the ReplicatedJob. */
  readonly job: number;
  readonly state: State;
}

const forms = ["Changed", "Added", "Removed", "Grown", "Shrunk"] as const;
/** A list of three elements grows or shrinks by one at its end. */
type Form = (typeof forms)[number];

const formWords: Readonly<Record<Form, string>> = {
  Changed: "changes",
  Added: "is added",
  Removed: "is removed",
  Grown: "gains an element",
  Shrunk: "loses an element",
};

const states = ["Running", "Suspended", "Suspending", "Resuming"] as const;
/** The state of the JobSet before and after the edit. */
type State = (typeof states)[number];

const stateWords: Readonly<Record<State, string>> = {
  Running: "while the JobSet runs",
  Suspended: "while the JobSet is suspended",
  Suspending: "as the JobSet is suspended",
  Resuming: "as the JobSet is resumed",
};

/** Every list has three elements: a first, a middle and a last one. */
const LIST_INDEXES = [0, 1, 2] as const;

/** Returns all edits of one field. They are functions, because there are thousands. */
export function memberEdits(): readonly (() => Edit)[] {
  const members = listPaths("ReplicatedJob", []).filter(isShallow);
  const leaves = listLeaves("ReplicatedJob", []);
  return [...members.flatMap(listMemberEdits), ...leaves.map(createLeafEdit)].map(
    (edit) => () => createEdit(edit),
  );
}

/** Returns whether a field belongs to a ReplicatedJob, its templates, or a container. */
function isShallow(path: readonly Member[]): boolean {
  const owner = path.at(-1)?.declaredBy ?? "ReplicatedJob";
  return ownersNearTheTop.has(owner) && path.length <= MAX_DEPTH_NEAR_ROOT;
}

const ownersNearTheTop: ReadonlySet<ShapeName> = new Set<ShapeName>([
  "ReplicatedJob",
  "JobTemplateSpec",
  "ObjectMeta",
  "JobSpec",
  "PodTemplateSpec",
  "PodSpec",
  "Container",
  "EphemeralContainer",
]);
/** `template`, `spec`, `template`, `spec`, `containers`, and a field of a container. */
const MAX_DEPTH_NEAR_ROOT = 6;

/**
 * Returns every form for running and suspended JobSets, and changes of every ReplicatedJob and every element in every
 * state.
 */
function listMemberEdits(path: readonly Member[], index: number): readonly MemberEdit[] {
  const last = path.at(-1);
  if (last === undefined) return [];
  const place = index % LIST_INDEXES.length;
  const edit = { path, element: place, job: place, state: "Running", form: "Changed" } as const;
  const otherForms = forms.filter((form) => form !== "Changed" && hasForm(last, form));
  const otherPlaces = LIST_INDEXES.filter((other) => other !== place);
  const isInList = path.some(({ collection }) => collection === "list");
  return [
    ...states.map((state) => ({ ...edit, state })),
    ...(["Running", "Suspended"] as const).flatMap((state) =>
      otherForms.map((form) => ({ ...edit, state, form })),
    ),
    ...otherPlaces.map((job) => ({ ...edit, job })),
    ...(isInList ? otherPlaces.map((element) => ({ ...edit, element })) : []),
  ];
}

function createLeafEdit(path: readonly Member[], index: number): MemberEdit {
  return {
    path,
    form: "Changed",
    element: index % LIST_INDEXES.length,
    job: Math.floor(index / 3) % LIST_INDEXES.length,
    state: index % 2 === 0 ? "Running" : "Suspended",
  };
}

/** Some booleans are true by default and others false, so only a change of the value always has an effect. */
function hasForm({ collection, required, type }: Member, form: Form): boolean {
  if (form === "Grown" || form === "Shrunk") return collection === "list";
  return !required && (type !== "boolean" || collection !== "none");
}

/** Returns the paths to all fields of a type and of the types below it. */
function listPaths(type: ShapeName, above: readonly Member[]): readonly (readonly Member[])[] {
  return listMembers(type).flatMap((member) => {
    const path = [...above, member];
    const isDeep = path.length >= MAX_DEPTH_NEAR_ROOT;
    return [path, ...(isShapeName(member.type) && !isDeep ? listPaths(member.type, path) : [])];
  });
}

/**
 * Returns the paths to fields that contain scalars: one for each field of each type, because a type is compared in the
 * same way everywhere. A path ends if all fields below are known.
 */
function listLeaves(
  type: ShapeName,
  above: readonly Member[],
  known: Set<string> = new Set(),
): readonly (readonly Member[])[] {
  return listMembers(type).flatMap((member) => {
    const own = `${type}.${member.name}`;
    if (known.has(own)) return [];
    known.add(own);
    const path = [...above, member];
    const leaves = isShapeName(member.type) ? listLeaves(member.type, path, known) : [];
    return leaves.length === 0 ? [path] : leaves;
  });
}

function listMembers(type: ShapeName): readonly Member[] {
  return getShape(type).members.filter(({ name }) => !schemaImmutableFields.has(`${type}.${name}`));
}

/** The API server rejects changes of these fields itself, so it does not call a webhook. */
const schemaImmutableFields: ReadonlySet<string> = new Set(["ReplicatedJob.dependsOn"]);

function createEdit({ path, form, element, job, state }: MemberEdit): Edit {
  const parents = path.slice(0, -1);
  const [before, after] = listFormMembers(form, path.at(-1), element).map((members) =>
    createMemberAt(parents, element, members),
  );
  const wasSuspended = state === "Suspended" || state === "Resuming";
  const isSuspended = state === "Suspended" || state === "Suspending";
  return {
    says: `spec.replicatedJobs[${job}].${pathText(path, element)} ${formWords[form]} ${stateWords[state]}`,
    before: withJob(job, before, wasSuspended),
    after: withJob(job, after, isSuspended),
  };
}

/** Returns the field before and after the edit. */
function listFormMembers(
  form: Form,
  member: Member | undefined,
  element: number,
): readonly [JsonObject, JsonObject] {
  if (member === undefined) return [{}, {}];
  const { name, type, collection } = member;
  const content = (number: number, length: number = LIST_INDEXES.length): JsonObject => {
    const sample = drawSample(type, number);
    if (collection === "none") return { [name]: sample };
    if (collection === "map") return { [name]: { key: sample, other: drawSample(type, 5) } };
    return { [name]: createListWithElement(type, element, sample, length) };
  };
  switch (form) {
    case "Changed":
      return [content(1), content(2)];
    case "Added":
      return [{}, content(1)];
    case "Removed":
      return [content(1), {}];
    case "Grown":
      return [content(1), content(1, LIST_INDEXES.length + 1)];
    case "Shrunk":
      return [content(1, LIST_INDEXES.length + 1), content(1)];
  }
}

/** Returns a list with a value in place of one element. */
function createListWithElement(
  type: ElementType,
  element: number,
  value: unknown,
  length: number = LIST_INDEXES.length,
): readonly unknown[] {
  return Array.from({ length }, (_, index) =>
    index === element ? value : drawSample(type, 20 + index),
  );
}

function pathText(path: readonly Member[], element: number): string {
  return path
    .map(({ name, collection }, index) =>
      collection === "list" && index < path.length - 1 ? `${name}[${element}]` : name,
    )
    .join(".");
}

/** Returns a JobSet with three ReplicatedJobs, one of which has additional fields. */
function withJob(at: number, members: JsonObject | undefined, suspend: boolean): JobSet {
  const replicatedJobs = plainJobs.map((plain, place) =>
    place === at ? (mergeValues(plain, members) as ReplicatedJob) : plain,
  );
  const { spec, ...rest } = plainJobSet;
  return { ...rest, spec: { ...spec, replicatedJobs, ...(suspend && { suspend }) } };
}

const plainJobs = LIST_INDEXES.map((place) => replicatedJob(`job${place}`));
const plainJobSet = asJson<JobSet>(aJobSet("train"));

/** Returns fields at the end of a path. Each object on the path also has the required fields of its type. */
function createMemberAt(
  [member, ...rest]: readonly Member[],
  element: number,
  members: JsonObject,
): JsonObject {
  if (member === undefined) return members;
  const { name, type, collection } = member;
  const value = mergeValues(getRequired(type, 9), createMemberAt(rest, element, members));
  return { [name]: collection === "list" ? createListWithElement(type, element, value) : value };
}
