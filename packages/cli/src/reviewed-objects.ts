import {
  admitJobSet,
  admitPod,
  type Denial,
  type Explanation,
  explainDenial,
} from "@jobset-ts/admission";
import { isObject, type Observed, type Pod, textOf } from "@jobset-ts/api";
import { type Context, contextOf, type ObjectKey, type Snapshot } from "@jobset-ts/core";
import type { Diagnostic } from "./diagnostics.ts";
import { readCluster } from "./input/cluster.ts";
import { type InputObject, readObjects } from "./input/objects.ts";
import { type FilesAndClock, readSources } from "./input/sources.ts";
import { newObject } from "./new-object.ts";
import type { AdmitOptions } from "./options.ts";

/** What a cluster answers to a request about one object of a file. */
export interface Review {
  readonly object: ObjectKey;
  readonly operation: "CREATE" | "UPDATE";
  /** Who decided: the schema, one of the webhooks that change objects, or one of those that check them. */
  readonly stage: "schema" | "default" | "mutate" | "validate";
  /** Present when the request is denied; the explanation is, too. */
  readonly denial?: Denial;
  readonly explanation?: Explanation;
  readonly diagnose: InputObject["diagnose"];
}

/** All reviews, in the order of the files. */
export interface ReviewedObjects {
  readonly reviews: readonly Review[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when an object was denied, 2 when the files could not be read or hold nothing to review. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads objects from files, and the cluster that they are sent to from others, and asks JobSet's webhooks and CRD about
 * each JobSet and each Pod. A JobSet that is among the old objects, too, is an update.
 */
export async function reviewedObjects(
  options: AdmitOptions,
  files: FilesAndClock,
): Promise<ReviewedObjects> {
  const { sources, diagnostics: unreadable } = await readSources(options.filename, files);
  const found = readObjects(sources);
  const old = await oldJobSets(options, files);
  const cluster = await readCluster(options.cluster ?? [], files, knownKinds);
  const problems = [
    ...unreadable,
    ...found.diagnostics,
    ...old.diagnostics,
    ...cluster.diagnostics,
  ];
  const { snapshot } = cluster;
  if (problems.length > 0 || snapshot === undefined) return refused(problems);

  const isPod = ({ value }: InputObject) => value.apiVersion === "v1" && value.kind === "Pod";
  const pods = found.others.filter(isPod);
  if (found.jobSets.length + pods.length === 0) {
    return refused([{ severity: "error", message: "no JobSet and no Pod found" }]);
  }
  const context = contextOf({
    now: options.now ?? files.now(),
    features: Object.fromEntries([...options.featureGates].map((name) => [name, true])),
    quirks: options.quirks,
  });
  const outcomes = [
    ...found.jobSets.map((input) => reviewJobSet(input, old.jobSets, snapshot, context)),
    ...pods.map((input) => reviewPod(input, snapshot, context)),
  ];
  const passedOver = found.others
    .filter((input) => !isPod(input))
    .map(({ value, diagnose }) =>
      diagnose("kind", `${value.kind} is no matter of JobSet's`, "note"),
    );
  const isDenied = outcomes.some(({ review }) => review.denial !== undefined);
  return {
    reviews: outcomes.map(({ review }) => review),
    diagnostics: [...outcomes.flatMap(({ diagnostics }) => diagnostics), ...passedOver],
    exitCode: isDenied ? 1 : 0,
  };
}

/** What the cluster's files do not show is not there: a dump leaves out kinds of which there is nothing. */
const knownKinds = { kinds: ["PersistentVolumeClaim"] };

function refused(diagnostics: readonly Diagnostic[]): ReviewedObjects {
  return { reviews: [], diagnostics, exitCode: 2 };
}

async function oldJobSets(
  { old = [] }: AdmitOptions,
  files: FilesAndClock,
): Promise<{
  readonly jobSets: ReadonlyMap<string, unknown>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const { sources, diagnostics } = await readSources(old, files);
  const found = readObjects(sources);
  const named = found.jobSets.map(({ value }) => [nameOf(keyOf(value)), value] as const);
  return { jobSets: new Map(named), diagnostics: [...diagnostics, ...found.diagnostics] };
}

interface Outcome {
  readonly review: Review;
  readonly diagnostics: readonly Diagnostic[];
}

function reviewJobSet(
  input: InputObject,
  old: ReadonlyMap<string, unknown>,
  snapshot: Snapshot,
  context: Context,
): Outcome {
  const { value, diagnose } = input;
  const key = keyOf(value);
  const oldObject = old.get(nameOf(key));
  const operation = oldObject === undefined ? "CREATE" : "UPDATE";
  const created = newObject(input, {});
  const object = "object" in created ? created.object : value;
  const answer = admitJobSet({ operation, object, oldObject }, snapshot, context);
  const diagnostics = answer.warnings.map(({ field, message }) =>
    diagnose(field, message, "warning"),
  );
  const review = { object: key, operation, diagnose } as const;
  return answer.allowed
    ? { review: { ...review, stage: "validate" }, diagnostics }
    : { review: { ...review, stage: answer.stage, ...explained(answer.denial) }, diagnostics };
}

function reviewPod(
  { value, diagnose }: InputObject,
  snapshot: Snapshot,
  context: Context,
): Outcome {
  const answer = admitPod(value as unknown as Observed<Pod>, snapshot, context);
  const review = { object: keyOf(value), operation: "CREATE", diagnose } as const;
  const diagnostics: readonly Diagnostic[] = [];
  return answer.allowed
    ? { review: { ...review, stage: "validate" }, diagnostics }
    : { review: { ...review, stage: answer.stage, ...explained(answer.denial) }, diagnostics };
}

function explained(denial: Denial): Pick<Review, "denial" | "explanation"> {
  return { denial, explanation: explainDenial(denial) };
}

/** A Pod of a Job has no name of its own when it is sent, but what its name begins with. */
function keyOf({ apiVersion, kind, metadata }: InputObject["value"]): ObjectKey {
  const { name, generateName, namespace } = (isObject(metadata) ? metadata : {}) as Readonly<
    Record<string, string>
  >;
  return {
    apiVersion: String(apiVersion),
    kind: String(kind),
    namespace: textOf(namespace) || "default",
    name: textOf(name) || textOf(generateName),
  };
}

function nameOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
