import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { FieldValidation } from "../../admission/field-validation.ts";
import { type Cluster, createCluster, type FileOptions, readInput } from "../../input/cluster.ts";
import { hasNamespace, rejectOtherNamespaces, withNamespace } from "../../input/namespace.ts";
import { getObjectKey } from "../../input/object-key.ts";
import { type InputObject, isJobSet } from "../../input/objects.ts";
import type { Files } from "../../input/sources.ts";
import type { FilesAndCluster, Kubectl } from "../../live/kubectl.ts";
import {
  getContextNamespace,
  type KubectlFlags,
  type LiveQuery,
  readLive,
} from "../../live/live-cluster.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { createPassContext, type PassOptions } from "../cluster/pass-context.ts";
import { type Review, type ReviewOptions, reviewJobSet, reviewPod } from "./review.ts";

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
export interface ReviewsResult {
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
export async function reviewObjects(
  options: AdmitOptions,
  world: FilesAndCluster,
): Promise<ReviewsResult> {
  const redactor = createRedactor();
  const sent = await readInput(options.filename, world, { ...options, redactor });
  if (options.live && sent.diagnostics.length > 0) return createFailure(sent.diagnostics);
  const asked = sent.objects.filter(isReviewed);
  const { objects, old, cluster, warnings } = options.live
    ? await readLiveInput(asked, options, world.kubectl, redactor)
    : await readFileInput(asked, options, world, redactor);
  const { snapshot } = cluster;
  const problems = [...sent.diagnostics, ...cluster.diagnostics];
  if (problems.length > 0 || snapshot === undefined) return createFailure(problems);
  const ambiguous = reportRepeated(old, "error", "Duplicate value: --old names this JobSet twice");
  if (ambiguous.length > 0) return createFailure(ambiguous);

  if (objects.length === 0) {
    return createFailure([{ severity: "error", message: "no JobSet and no Pod found" }]);
  }
  const foreign = rejectOtherNamespaces(objects, options.namespace);
  if (foreign.length > 0) return { ...createFailure(foreign), exitCode: 1 };
  const stored = new Map(old.map((input) => [formatName(getObjectKey(input)), input]));
  const reviews = listReviews(objects, stored, snapshot, {
    context: createPassContext(options, world),
    validate: options.validate,
  });
  return {
    reviews,
    diagnostics: [
      ...warnings,
      ...reviews.flatMap(({ warnings }) => warnings),
      ...reportRepeated(
        objects,
        "note",
        "the files hold this object twice; each is reviewed by itself",
      ),
      ...createFromStored(reviews, snapshot),
      ...noteUnusedOldJobSets(old, reviews),
      ...noteSkippedKinds(sent.objects.filter((input) => !isReviewed(input))),
    ],
    exitCode: reviews.some(({ denied }) => denied !== undefined) ? 1 : 0,
  };
}

/** The objects under review and the webhooks that review them. */
interface ReviewInput {
  /** The objects that are sent, in their namespaces. */
  readonly objects: readonly InputObject[];
  /** The JobSets as they are stored, of those that are updated. */
  readonly old: readonly InputObject[];
  readonly cluster: Cluster;
  readonly warnings: readonly Diagnostic[];
}

async function readFileInput(
  objects: readonly InputObject[],
  options: AdmitOptions,
  files: Files,
  redactor: Redactor,
): Promise<ReviewInput> {
  const reading = { ...options, redactor };
  const old = await readInput(options.old ?? [], files, reading);
  const shown = await readInput(options.cluster ?? [], files, {
    ...reading,
    omitManagedFields: true,
  });
  const diagnostics = [...old.diagnostics, ...shown.diagnostics];
  const cluster = diagnostics.length > 0 ? { diagnostics } : createCluster(shown.objects);
  return { objects, old: old.jobSets, cluster, warnings: [] };
}

/** Asks for no more than what is sent needs: where it goes, and what JobSet's webhooks look at there. */
async function readLiveInput(
  sent: readonly InputObject[],
  options: AdmitOptions,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<ReviewInput> {
  const asFailed = (failure: Diagnostic): ReviewInput => {
    return { objects: sent, old: [], cluster: { diagnostics: [failure] }, warnings: [] };
  };
  const context = sent.every(hasNamespace)
    ? { namespace: "" }
    : await getContextNamespace(options, kubectl);
  if (context.failure !== undefined) return asFailed(context.failure);
  const objects = sent.map((input) => withNamespace(input, context.namespace));
  const namespaces = [...new Set(objects.map((input) => getObjectKey(input).namespace))];
  const question: LiveQuery = {
    kinds: [
      ...(objects.some(isJobSet) ? (["JobSet", "PersistentVolumeClaim"] as const) : []),
      ...(objects.some(isPod) ? (["Pod", "Node", "Event"] as const) : []),
    ],
    namespaces: options.allNamespaces ? "all" : namespaces,
  };
  const read = await readLive(question, options, kubectl, redactor);
  if (read.failure !== undefined) return asFailed(read.failure);
  const names = new Set(objects.filter(isJobSet).map((input) => formatName(getObjectKey(input))));
  return {
    objects,
    old: read.objects.filter(
      (input) => isJobSet(input) && names.has(formatName(getObjectKey(input))),
    ),
    cluster: createCluster(read.objects, read),
    warnings: read.diagnostics,
  };
}

function createFailure(diagnostics: readonly Diagnostic[]): ReviewsResult {
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
  asking: ReviewOptions,
): readonly Review[] {
  return objects.map((input) => {
    if (isPod(input)) return reviewPod(input, snapshot, asking);
    const old = hasName(input) ? stored.get(formatName(getObjectKey(input))) : undefined;
    return reviewJobSet(input, old, snapshot, asking);
  });
}

/** Objects whose name and kind others before them have; one that a server names is never the same as another. */
function reportRepeated(
  objects: readonly InputObject[],
  severity: Diagnostic["severity"],
  message: string,
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return objects.filter(hasName).flatMap((input) => {
    const key = getObjectKey(input);
    const name = `${key.kind}/${formatName(key)}`;
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
function noteUnusedOldJobSets(
  old: readonly InputObject[],
  reviews: readonly Review[],
): readonly Diagnostic[] {
  const updated = new Set(
    reviews
      .filter(({ operation }) => operation === "UPDATE")
      .map(({ object }) => formatName(object)),
  );
  return old
    .filter((input) => !updated.has(formatName(getObjectKey(input))))
    .map(({ diagnose }) => diagnose("metadata.name", "no file of -f updates this JobSet", "note"));
}

/** In one line: a dump holds thousands of them. */
function noteSkippedKinds(objects: readonly InputObject[]): readonly Diagnostic[] {
  if (objects.length === 0) return [];
  const kinds = new Set(objects.map(({ value }) => String(value.kind)));
  const message = `only JobSets and Pods are reviewed, so these kinds were passed over: ${[...kinds].join(", ")}`;
  return [{ severity: "note", message }];
}

function formatName({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function hasName({ value: { metadata } }: InputObject): boolean {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === "string" && name !== "";
}
