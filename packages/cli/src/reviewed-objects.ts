import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { Diagnostic } from "./diagnostics.ts";
import { readCluster, readInput } from "./input/cluster.ts";
import { type InputObject, isJobSet } from "./input/objects.ts";
import type { FilesAndClock } from "./input/sources.ts";
import { keyOf } from "./object-key.ts";
import type { AdmitOptions } from "./options.ts";
import { passContext } from "./pass-context.ts";
import { type Asking, type Review, reviewJobSet, reviewPod } from "./review.ts";

/** All reviews, in the order of the files. */
export interface ReviewedObjects {
  readonly reviews: readonly Review[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when an object was denied, 2 when the files could not be read or hold nothing to review. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads objects from files, and the cluster that they are sent to from others, and asks JobSet's webhooks and CRD about
 * each JobSet and each Pod, as if it were sent alone. A JobSet that is among the old objects, too, is an update.
 */
export async function reviewedObjects(
  options: AdmitOptions,
  files: FilesAndClock,
): Promise<ReviewedObjects> {
  const sent = await readInput(options.filename, files);
  const old = await readInput(options.old ?? [], files);
  const { snapshot, diagnostics: unreadable } = await readCluster(options.cluster ?? [], files);
  const problems = [...sent.diagnostics, ...old.diagnostics, ...unreadable];
  if (problems.length > 0 || snapshot === undefined) return refused(problems);
  const ambiguous = repeated(
    old.jobSets,
    "error",
    "Duplicate value: --old names this JobSet twice",
  );
  if (ambiguous.length > 0) return refused(ambiguous);

  const objects = sent.objects.filter(isReviewed);
  if (objects.length === 0) {
    return refused([{ severity: "error", message: "no JobSet and no Pod found" }]);
  }
  const stored = new Map(old.jobSets.map((input) => [nameIn(keyOf(input)), input]));
  const reviews = reviewsOf(objects, stored, snapshot, {
    context: passContext(options, files),
    validate: options.validate,
  });
  return {
    reviews,
    diagnostics: [
      ...reviews.flatMap(({ warnings }) => warnings),
      ...repeated(objects, "note", "the files hold this object twice; each is reviewed by itself"),
      ...creationsOfStored(reviews, snapshot),
      ...withoutEdit(old.jobSets, reviews),
      ...passedOver(sent.objects.filter((input) => !isReviewed(input))),
    ],
    exitCode: reviews.some(({ denied }) => denied !== undefined) ? 1 : 0,
  };
}

function refused(diagnostics: readonly Diagnostic[]): ReviewedObjects {
  return { reviews: [], diagnostics, exitCode: 2 };
}

function isReviewed(input: InputObject): boolean {
  return isJobSet(input) || isPod(input);
}

function isPod({ value: { apiVersion, kind } }: InputObject): boolean {
  return apiVersion === "v1" && kind === "Pod";
}

function reviewsOf(
  objects: readonly InputObject[],
  stored: ReadonlyMap<string, InputObject>,
  snapshot: Snapshot,
  asking: Asking,
): readonly Review[] {
  return objects.map((input) => {
    if (isPod(input)) return reviewPod(input, snapshot, asking);
    const old = hasName(input) ? stored.get(nameIn(keyOf(input))) : undefined;
    return reviewJobSet(input, old, snapshot, asking);
  });
}

/** Objects whose name and kind others before them have; one that a server names is never the same as another. */
function repeated(
  objects: readonly InputObject[],
  severity: Diagnostic["severity"],
  message: string,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return objects.filter(hasName).flatMap((input) => {
    const key = keyOf(input);
    const name = `${key.kind}/${nameIn(key)}`;
    if (seen.has(name)) return [input.diagnose("metadata.name", message, severity)];
    seen.add(name);
    return [];
  });
}

function creationsOfStored(reviews: readonly Review[], snapshot: Snapshot): readonly Diagnostic[] {
  const message =
    "the cluster has this JobSet already, and would not create it again; to update it, name its file in --old";
  return reviews
    .filter(({ operation, object: { kind, namespace, name } }) => {
      return operation === "CREATE" && kind === "JobSet" && snapshot.jobSet(namespace, name);
    })
    .map(({ diagnose }) => diagnose("metadata.name", message, "note"));
}

/** Who misspells a name would be told of a creation only. */
function withoutEdit(
  old: readonly InputObject[],
  reviews: readonly Review[],
): readonly Diagnostic[] {
  const updated = new Set(
    reviews.filter(({ operation }) => operation === "UPDATE").map(({ object }) => nameIn(object)),
  );
  return old
    .filter((input) => !updated.has(nameIn(keyOf(input))))
    .map(({ diagnose }) => diagnose("metadata.name", "no file of -f updates this JobSet", "note"));
}

/** In one line: a dump holds thousands of them. */
function passedOver(objects: readonly InputObject[]): readonly Diagnostic[] {
  if (objects.length === 0) return [];
  const kinds = new Set(objects.map(({ value }) => String(value.kind)));
  const message = `only JobSets and Pods are reviewed, so these kinds were passed over: ${[...kinds].join(", ")}`;
  return [{ severity: "note", message }];
}

function nameIn({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function hasName({ value: { metadata } }: InputObject): boolean {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === "string" && name !== "";
}
