// Edits of ReplicatedJobs, derived from the table of shapes: each member of their templates is added, changed and removed.
import type { JobSet, ReplicatedJob } from "@jobset-ts/api";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import {
  type ElementType,
  getShape,
  isShapeName,
  type Member,
  type ShapeName,
} from "@jobset-ts/api/typed";
import { aJobSet } from "../builders/a-jobset.ts";
import { asJson } from "./as-json.ts";
import { replicatedJob } from "./jobset-rules.ts";
import { drawSample, getRequired, merged } from "./schema-samples.ts";

/** An edit, in words and as it is. */
export interface Edit {
  readonly says: string;
  readonly before: JobSet;
  readonly after: JobSet;
}

/** What is done to a member of one ReplicatedJob, and to which. */
interface MemberEdit {
  /** From the ReplicatedJob down. */
  readonly path: readonly Member[];
  readonly form: Form;
  /** The index of the element that the path follows in each list. */
  readonly element: number;
  /** The index of the ReplicatedJob. */
  readonly job: number;
  readonly state: State;
}

const forms = ["Changed", "Added", "Removed", "Grown", "Shrunk"] as const;
/** A list of three elements grows and shrinks by one at its end. */
type Form = (typeof forms)[number];

const formWords: Readonly<Record<Form, string>> = {
  Changed: "changes",
  Added: "is added",
  Removed: "is removed",
  Grown: "gains an element",
  Shrunk: "loses an element",
};

const states = ["Running", "Suspended", "Suspending", "Resuming"] as const;
/** What the JobSet is before and after the edit. */
type State = (typeof states)[number];

const stateWords: Readonly<Record<State, string>> = {
  Running: "while the JobSet runs",
  Suspended: "while the JobSet is suspended",
  Suspending: "as the JobSet is suspended",
  Resuming: "as the JobSet is resumed",
};

/** Every list has three elements: one is first, one is last, and one is neither. */
const PLACES = [0, 1, 2] as const;

/** All edits of one member. Each is made when it is called for: there are thousands. */
export function memberEdits(): readonly (() => Edit)[] {
  const members = listPaths("ReplicatedJob", []).filter(isNearTheTop);
  const leaves = listLeaves("ReplicatedJob", []);
  return [...members.flatMap(listMemberEdits), ...leaves.map(createLeafEdit)].map(
    (edit) => () => madeEdit(edit),
  );
}

/** A member of a ReplicatedJob, of its templates, or of a container. */
function isNearTheTop(path: readonly Member[]): boolean {
  const owner = path.at(-1)?.declaredBy ?? "ReplicatedJob";
  return ownersNearTheTop.has(owner) && path.length <= DEEPEST_NEAR_THE_TOP;
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
/** `template`, `spec`, `template`, `spec`, `containers`, and a member of a container. */
const DEEPEST_NEAR_THE_TOP = 6;

/** Every form while the JobSet runs and while it is suspended, and a change of every ReplicatedJob, every element, in every state. */
function listMemberEdits(path: readonly Member[], index: number): readonly MemberEdit[] {
  const last = path.at(-1);
  if (last === undefined) return [];
  const place = index % PLACES.length;
  const edit = { path, element: place, job: place, state: "Running", form: "Changed" } as const;
  const otherForms = forms.filter((form) => form !== "Changed" && hasForm(last, form));
  const otherPlaces = PLACES.filter((other) => other !== place);
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
    element: index % PLACES.length,
    job: Math.floor(index / 3) % PLACES.length,
    state: index % 2 === 0 ? "Running" : "Suspended",
  };
}

/** Some booleans are true by default and others are false, so only a change of a boolean always makes a difference. */
function hasForm({ collection, required, type }: Member, form: Form): boolean {
  if (form === "Grown" || form === "Shrunk") return collection === "list";
  return !required && (type !== "boolean" || collection !== "none");
}

/** The paths to all members of a type, its own and those below. */
function listPaths(type: ShapeName, above: readonly Member[]): readonly (readonly Member[])[] {
  return listMembers(type).flatMap((member) => {
    const path = [...above, member];
    const isDeep = path.length >= DEEPEST_NEAR_THE_TOP;
    return [path, ...(isShapeName(member.type) && !isDeep ? listPaths(member.type, path) : [])];
  });
}

/**
 * The paths down to members that hold scalars: one to each member of each type, since a type is compared in one way wherever it
 * is. Where all members below are known already, the path ends.
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
  return getShape(type).members.filter(({ name }) => !keptBySchema.has(`${type}.${name}`));
}

/** An API server keeps these as they are by itself, so no webhook is called about a change. */
const keptBySchema: ReadonlySet<string> = new Set(["ReplicatedJob.dependsOn"]);

function madeEdit({ path, form, element, job, state }: MemberEdit): Edit {
  const parents = path.slice(0, -1);
  const [before, after] = listFormMembers(form, path.at(-1), element).map((members) =>
    below(parents, element, members),
  );
  const wasSuspended = state === "Suspended" || state === "Resuming";
  const isSuspended = state === "Suspended" || state === "Suspending";
  return {
    says: `spec.replicatedJobs[${job}].${pathText(path, element)} ${formWords[form]} ${stateWords[state]}`,
    before: withJob(job, before, wasSuspended),
    after: withJob(job, after, isSuspended),
  };
}

/** The member before and after. */
function listFormMembers(
  form: Form,
  member: Member | undefined,
  element: number,
): readonly [JsonObject, JsonObject] {
  if (member === undefined) return [{}, {}];
  const { name, type, collection } = member;
  const content = (number: number, length: number = PLACES.length): JsonObject => {
    const sample = drawSample(type, number);
    if (collection === "none") return { [name]: sample };
    if (collection === "map") return { [name]: { key: sample, other: drawSample(type, 5) } };
    return { [name]: aroundElement(type, element, sample, length) };
  };
  switch (form) {
    case "Changed":
      return [content(1), content(2)];
    case "Added":
      return [{}, content(1)];
    case "Removed":
      return [content(1), {}];
    case "Grown":
      return [content(1), content(1, PLACES.length + 1)];
    case "Shrunk":
      return [content(1, PLACES.length + 1), content(1)];
  }
}

/** A list that has a value in the place of one element. */
function aroundElement(
  type: ElementType,
  element: number,
  value: unknown,
  length: number = PLACES.length,
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

/** A JobSet of three ReplicatedJobs, one of which has additional members. */
function withJob(at: number, members: JsonObject | undefined, suspend: boolean): JobSet {
  const replicatedJobs = plainJobs.map((plain, place) =>
    place === at ? (merged(plain, members) as ReplicatedJob) : plain,
  );
  const { spec, ...rest } = plainJobSet;
  return { ...rest, spec: { ...spec, replicatedJobs, ...(suspend && { suspend }) } };
}

const plainJobs = PLACES.map((place) => replicatedJob(`job${place}`));
const plainJobSet = asJson<JobSet>(aJobSet("train"));

/** Members at the end of a path. Each object on the path has the other members that its type requires, too. */
function below(
  [member, ...rest]: readonly Member[],
  element: number,
  members: JsonObject,
): JsonObject {
  if (member === undefined) return members;
  const { name, type, collection } = member;
  const value = merged(getRequired(type, 9), below(rest, element, members));
  return { [name]: collection === "list" ? aroundElement(type, element, value) : value };
}
