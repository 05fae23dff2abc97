import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { FieldValidation } from "../../admission/field-validation.ts";
import { type Cluster, createCluster, type FileOptions, readInput } from "../../input/cluster.ts";
import { hasNamespace, inNamespace, strangers } from "../../input/namespace.ts";
import { getObjectKey } from "../../input/object-key.ts";
import { type InputObject, isJobSet } from "../../input/objects.ts";
import type { Files } from "../../input/sources.ts";
import type { FilesAndCluster, Kubectl } from "../../live/kubectl.ts";
import {
  getContextNamespace,
  type KubectlFlags,
  type LiveQuestion,
  readLive,
} from "../../live/live-cluster.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { type PassOptions, passContext } from "../cluster/pass-context.ts";
import { type Asking, type Review, reviewJobSet, reviewPod } from "./review.ts";

/** The options of `admit`. */
export interface AdmitOptions extends PassOptions, FileOptions, KubectlFlags {
  /** Whether the cluster is read from kubectl. */
  readonly live?: boolean;
  /** Files with the JobSets as they are stored, for those that are updated. */
  readonly old?: readonly string[];
  /** Files with the objects of the cluster. */
  readonly cluster?: readonly string[];
  readonly validate: FieldValidation;
}

/** All reviews, in the order of the files. */
export interface ReviewedObjects {
  readonly reviews: readonly Review[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when an object was denied, 2 when the files could not be read or hold nothing to review. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads objects from files, and the cluster that they are sent to from others or from kubectl, and asks JobSet's webhooks
 * and CRD about each JobSet and each Pod, as if it were sent alone. A JobSet that is among the old objects, too, is an
 * update.
 */
export async function reviewedObjects(
  options: AdmitOptions,
  world: FilesAndCluster,
): Promise<ReviewedObjects> {
  const redactor = createRedactor();
  const sent = await readInput(options.filename, world, { ...options, redactor });
  if (options.live && sent.diagnostics.length > 0) return refused(sent.diagnostics);
  const asked = sent.objects.filter(isReviewed);
  const { objects, old, cluster, warnings } = options.live
    ? await liveReviewed(asked, options, world.kubectl, redactor)
    : await fileReviewed(asked, options, world, redactor);
  const { snapshot } = cluster;
  const problems = [...sent.diagnostics, ...cluster.diagnostics];
  if (problems.length > 0 || snapshot === undefined) return refused(problems);
  const ambiguous = repeated(old, "error", "Duplicate value: --old names this JobSet twice");
  if (ambiguous.length > 0) return refused(ambiguous);

  if (objects.length === 0) {
    return refused([{ severity: "error", message: "no JobSet and no Pod found" }]);
  }
  const foreign = strangers(objects, options.namespace);
  if (foreign.length > 0) return { ...refused(foreign), exitCode: 1 };
  const stored = new Map(old.map((input) => [nameIn(getObjectKey(input)), input]));
  const reviews = listReviews(objects, stored, snapshot, {
    context: passContext(options, world),
    validate: options.validate,
  });
  return {
    reviews,
    diagnostics: [
      ...warnings,
      ...reviews.flatMap(({ warnings }) => warnings),
      ...repeated(objects, "note", "the files hold this object twice; each is reviewed by itself"),
      ...createFromStored(reviews, snapshot),
      ...withoutEdit(old, reviews),
      ...passedOver(sent.objects.filter((input) => !isReviewed(input))),
    ],
    exitCode: reviews.some(({ denied }) => denied !== undefined) ? 1 : 0,
  };
}

/** The objects under review and the webhooks that review them. */
interface Reviewed {
  /** The objects that are sent, in their namespaces. */
  readonly objects: readonly InputObject[];
  /** The JobSets as they are stored, of those that are updated. */
  readonly old: readonly InputObject[];
  readonly cluster: Cluster;
  readonly warnings: readonly Diagnostic[];
}

async function fileReviewed(
  objects: readonly InputObject[],
  options: AdmitOptions,
  files: Files,
  redactor: Redactor,
): Promise<Reviewed> {
  const reading = { ...options, redactor };
  const old = await readInput(options.old ?? [], files, reading);
  const shown = await readInput(options.cluster ?? [], files, { ...reading, isLookedAt: true });
  const diagnostics = [...old.diagnostics, ...shown.diagnostics];
  const cluster = diagnostics.length > 0 ? { diagnostics } : createCluster(shown.objects);
  return { objects, old: old.jobSets, cluster, warnings: [] };
}

/** Asks for no more than what is sent needs: where it goes, and what JobSet's webhooks look at there. */
async function liveReviewed(
  sent: readonly InputObject[],
  options: AdmitOptions,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<Reviewed> {
  const failed = (refusal: Diagnostic): Reviewed => {
    return { objects: sent, old: [], cluster: { diagnostics: [refusal] }, warnings: [] };
  };
  const context = sent.every(hasNamespace)
    ? { namespace: "" }
    : await getContextNamespace(options, kubectl);
  if (context.refusal !== undefined) return failed(context.refusal);
  const objects = sent.map((input) => inNamespace(input, context.namespace));
  const namespaces = [...new Set(objects.map((input) => getObjectKey(input).namespace))];
  const question: LiveQuestion = {
    kinds: [
      ...(objects.some(isJobSet) ? (["JobSet", "PersistentVolumeClaim"] as const) : []),
      ...(objects.some(isPod) ? (["Pod", "Node", "Event"] as const) : []),
    ],
    namespaces: options.allNamespaces ? "all" : namespaces,
  };
  const read = await readLive(question, options, kubectl, redactor);
  if (read.refusal !== undefined) return failed(read.refusal);
  const names = new Set(objects.filter(isJobSet).map((input) => nameIn(getObjectKey(input))));
  return {
    objects,
    old: read.objects.filter((input) => isJobSet(input) && names.has(nameIn(getObjectKey(input)))),
    cluster: createCluster(read.objects, read),
    warnings: read.diagnostics,
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

function listReviews(
  objects: readonly InputObject[],
  stored: ReadonlyMap<string, InputObject>,
  snapshot: Snapshot,
  asking: Asking,
): readonly Review[] {
  return objects.map((input) => {
    if (isPod(input)) return reviewPod(input, snapshot, asking);
    const old = hasName(input) ? stored.get(nameIn(getObjectKey(input))) : undefined;
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
    const key = getObjectKey(input);
    const name = `${key.kind}/${nameIn(key)}`;
    if (seen.has(name)) return [input.diagnose("metadata.name", message, severity)];
    seen.add(name);
    return [];
  });
}

function createFromStored(reviews: readonly Review[], snapshot: Snapshot): readonly Diagnostic[] {
  const message =
    "the cluster has this JobSet already, and would not create it again; to update it, name its file in --old";
  return reviews
    .filter(({ operation, object: { kind, namespace, name } }) => {
      return operation === "CREATE" && kind === "JobSet" && snapshot.jobSet(namespace, name);
    })
    .map(({ diagnose }) => diagnose("metadata.name", message, "note"));
}

/** Without this error, a misspelled name would be reviewed as a creation. */
function withoutEdit(
  old: readonly InputObject[],
  reviews: readonly Review[],
): readonly Diagnostic[] {
  const updated = new Set(
    reviews.filter(({ operation }) => operation === "UPDATE").map(({ object }) => nameIn(object)),
  );
  return old
    .filter((input) => !updated.has(nameIn(getObjectKey(input))))
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
