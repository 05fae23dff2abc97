import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { FieldValidation } from "../../admission/field-validation.ts";
import {
  type Cluster,
  createCluster,
  describeOtherKinds,
  type FileOptions,
  readInput,
} from "../../input/cluster.ts";
import { hasNamespace, rejectOtherNamespaces, withNamespace } from "../../input/namespace.ts";
import { getObjectKey } from "../../input/object-key.ts";
import { type InputObject, isJobSet } from "../../input/objects.ts";
import type { Files } from "../../input/sources.ts";
import { detectVersion } from "../../jobset-version/detect-version.ts";
import { chooseVersion, readVersion } from "../../jobset-version/read-version.ts";
import { getContextNamespace } from "../../live/discovery.ts";
import type { FilesAndCluster, Kubectl } from "../../live/kubectl.ts";
import type { KubectlFlags } from "../../live/kubectl-flags.ts";
import type { LiveQuery } from "../../live/list-kinds.ts";
import { readLive } from "../../live/live-cluster.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { createPassContext, type PassOptions } from "../cluster/pass-context.ts";
import { type Review, type ReviewOptions, reviewJobSet, reviewPod } from "./review.ts";

/** The options of `admit`. */
export interface AdmitOptions extends PassOptions, FileOptions, KubectlFlags {
  /** Whether to read the cluster through kubectl. */
  readonly live?: boolean;
  /** The files with the stored JobSets, for updates. */
  readonly old?: readonly string[];
  /** The files with the objects of the cluster. */
  readonly cluster?: readonly string[];
  readonly validate: FieldValidation;
}

/** All reviews, in the order of the files. */
export interface ReviewsResult {
  readonly reviews: readonly Review[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0 on success, 1 if an object is denied, 2 if the files cannot be read or contain nothing to review. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads objects from files, and the cluster from other files or through kubectl. Then evaluates JobSet's CRD schema and
 * webhooks for each JobSet and each Pod, independently of the others. A JobSet that is also among the old objects is an
 * update.
 */
export async function reviewObjects(
  options: AdmitOptions,
  world: FilesAndCluster,
): Promise<ReviewsResult> {
  const redactor = createRedactor();
  const sent = await readInput(options.filename, world, { ...options, redactor });
  if (options.live && sent.diagnostics.length > 0) return createFailure(sent.diagnostics);
  const reviewed = sent.objects.filter(isReviewed);
  const { objects, old, cluster, clusterObjects, warnings } = options.live
    ? await readLiveInput(reviewed, options, world.kubectl, redactor)
    : await readFileInput(reviewed, options, world, redactor);
  const { snapshot } = cluster;
  const problems = [...sent.diagnostics, ...cluster.diagnostics];
  if (problems.length > 0 || snapshot === undefined) return createFailure(problems);
  const ambiguous = reportRepeated(
    old,
    "error",
    "Duplicate value: the --old files contain this JobSet twice",
  );
  if (ambiguous.length > 0) return createFailure(ambiguous);

  if (objects.length === 0) {
    const message = `no JobSet or Pod found${describeOtherKinds(sent.objects)}`;
    return createFailure([{ severity: "error", message }]);
  }
  const foreign = rejectOtherNamespaces(objects, options.namespace);
  if (foreign.length > 0) return { ...createFailure(foreign), exitCode: 1 };
  const stored = new Map(old.map((input) => [formatName(getObjectKey(input)), input]));
  const { notes, ...version } = await chooseVersion(options, () =>
    options.live ? readVersion(options, world.kubectl) : detectVersion(clusterObjects),
  );
  const reviews = listReviews(objects, stored, snapshot, {
    context: createPassContext({ ...options, ...version }, world),
    validate: options.validate,
  });
  return {
    reviews,
    diagnostics: [
      ...notes,
      ...warnings,
      ...reviews.flatMap(({ warnings }) => warnings),
      ...reportRepeated(
        objects,
        "note",
        "the files contain this object twice; each is reviewed separately",
      ),
      ...noteExistingJobSets(reviews, snapshot),
      ...noteUnusedOldJobSets(old, reviews),
      ...noteSkippedKinds(sent.objects.filter((input) => !isReviewed(input))),
    ],
    exitCode: reviews.some(({ denied }) => denied !== undefined) ? 1 : 0,
  };
}

/** The objects under review and the cluster that receives them. */
interface ReviewInput {
  /** The objects of the requests, in their namespaces. */
  readonly objects: readonly InputObject[];
  /** The stored JobSets, for updates. */
  readonly old: readonly InputObject[];
  readonly cluster: Cluster;
  /** The objects of the cluster. */
  readonly clusterObjects: readonly InputObject[];
  readonly warnings: readonly Diagnostic[];
}

async function readFileInput(
  objects: readonly InputObject[],
  options: AdmitOptions,
  files: Files,
  redactor: Redactor,
): Promise<ReviewInput> {
  const inputOptions = { ...options, redactor };
  const old = await readInput(options.old ?? [], files, inputOptions);
  const clusterInput = await readInput(options.cluster ?? [], files, {
    ...inputOptions,
    omitManagedFields: true,
  });
  const diagnostics = [...old.diagnostics, ...clusterInput.diagnostics];
  const cluster = diagnostics.length > 0 ? { diagnostics } : createCluster(clusterInput.objects);
  const { objects: clusterObjects } = clusterInput;
  return { objects, old: old.jobSets, cluster, clusterObjects, warnings: [] };
}

/**
 * Reads only the objects that the requests need: those in their namespaces that JobSet's webhooks
 * use.
 */
async function readLiveInput(
  sent: readonly InputObject[],
  options: AdmitOptions,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<ReviewInput> {
  const asFailed = (failure: Diagnostic): ReviewInput => {
    return {
      objects: sent,
      old: [],
      cluster: { diagnostics: [failure] },
      clusterObjects: [],
      warnings: [],
    };
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
    clusterObjects: read.objects,
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
  reviewOptions: ReviewOptions,
): readonly Review[] {
  return objects.map((input) => {
    if (isPod(input)) return reviewPod(input, snapshot, reviewOptions);
    const old = hasName(input) ? stored.get(formatName(getObjectKey(input))) : undefined;
    return reviewJobSet(input, old, snapshot, reviewOptions);
  });
}

/** Reports objects that have the name and kind of an earlier one. Objects with generated names never collide. */
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

function noteExistingJobSets(
  reviews: readonly Review[],
  snapshot: Snapshot,
): readonly Diagnostic[] {
  const message =
    "the cluster has this JobSet already, so a create request would fail; to review an update, add its file with --old";
  return reviews
    .filter(({ operation, object: { kind, namespace, name } }) => {
      return operation === "CREATE" && kind === "JobSet" && snapshot.jobSet(namespace, name);
    })
    .map(({ diagnose }) => diagnose("metadata.name", message, "note"));
}

/** Without this note, a misspelled name would silently be reviewed as a creation. */
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

/** Prints one line, because a dump contains thousands of these objects. */
function noteSkippedKinds(objects: readonly InputObject[]): readonly Diagnostic[] {
  if (objects.length === 0) return [];
  const kinds = new Set(objects.map(({ value }) => String(value.kind)));
  const message = `ignored kinds, because admit reviews only JobSets and Pods: ${[...kinds].join(", ")}`;
  return [{ severity: "note", message }];
}

function formatName({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}

function hasName({ value: { metadata } }: InputObject): boolean {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === "string" && name !== "";
}
