import { JOBSET_GROUP, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Redactor } from "@jobset-ts/api/redaction";
import type { ReadError } from "@jobset-ts/core";
import type { FileOptions } from "../input/cluster.ts";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Kubectl } from "./kubectl.ts";
import { describeFailure } from "./kubectl-errors.ts";
import { createArgs, type KubectlFlags } from "./kubectl-flags.ts";
import { type ListCall, listObjects } from "./list-objects.ts";
import { getServedName, isClusterScoped, type LiveKind } from "./resources.ts";

/**
 * The options of a command that reads files, or the cluster if there are none. For a cluster, `namespace` selects the
 * namespace to read. Absent means the namespace of kubectl's context.
 */
export interface LiveOptions extends Omit<FileOptions, "filename">, JobSetSelector, KubectlFlags {
  readonly filename?: readonly string[];
}

/** A namespace to read. `undefined` is the namespace of the context. */
export type Scope = readonly (string | undefined)[] | "all";

/** The objects to read from a cluster. */
export interface LiveQuery {
  /**
   * The kinds to read. One kubectl call reads a list of kinds. The first element is read before the others, so that
   * kubectl asks for a login only once.
   */
  readonly kinds: readonly (LiveKind | readonly LiveKind[])[];
  readonly namespaces: Scope;
  /** The kind without which the command fails. */
  readonly needed?: LiveKind;
  /** The kinds that are read in all namespaces. */
  readonly everywhere?: readonly LiveKind[];
  /** Whether to omit Pods that belong to no JobSet. */
  readonly podsOfJobSetsOnly?: boolean;
  /** Whether some kinds may not be served, such as those of Kueue. They count as empty. */
  readonly hasOptionalKinds?: boolean;
  /**
   * Returns the part of an object to keep, if any. Called before it is redacted. Absent means the whole
   * object.
   */
  readonly keep?: (object: InputObject["value"]) => InputObject["value"] | undefined;
}

/**
 * Creates the query of a command about existing JobSets. If the names of all JobSets contain a namespace, only these
 * namespaces are read.
 */
export function createJobSetQuery(
  kinds: LiveQuery["kinds"],
  options: Pick<LiveOptions, "namespace" | "allNamespaces" | "names">,
): LiveQuery {
  return {
    kinds: ["JobSet", ...kinds],
    namespaces: getScope(options),
    needed: "JobSet",
    podsOfJobSetsOnly: true,
  };
}

/** Creates the query of a command about all Pods. */
export function createPodQuery(
  options: Pick<LiveOptions, "namespace" | "allNamespaces">,
): LiveQuery {
  return { kinds: ["Pod", "Event"], namespaces: getScope(options), needed: "Pod" };
}

/** Returns a function that reads the JobSets of a cluster and objects of other kinds. */
export function createJobSetReader(kinds: LiveQuery["kinds"]) {
  return (options: LiveOptions, kubectl: Kubectl, redactor: Redactor) =>
    readLive(createJobSetQuery(kinds, options), options, kubectl, redactor);
}

function getScope({
  namespace,
  allNamespaces = false,
  names = [],
}: Pick<LiveOptions, "namespace" | "allNamespaces" | "names">): Scope {
  if (allNamespaces) return "all";
  const isQualified = names.length > 0 && names.every((name) => name.includes("/"));
  if (namespace !== undefined || !isQualified) return [namespace];
  return [...new Set(names.map((name) => name.slice(0, name.indexOf("/"))))];
}

/** The objects of a cluster. */
export interface LiveCluster {
  readonly objects: readonly InputObject[];
  /** The kinds that were read, even if they have no objects. */
  readonly kinds: readonly LiveKind[];
  /** The kinds that could not be read, with the server's errors. */
  readonly readErrors: Readonly<Partial<Record<LiveKind, ReadError>>>;
  /** A warning for each of these errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** Other reasons why parts could not be read. */
  readonly notes?: readonly Diagnostic[];
  readonly failure?: undefined;
}

/** The reason why kubectl could not read the cluster. */
export interface ClusterFailure {
  readonly failure: Diagnostic;
}

/**
 * Reads a cluster through kubectl. A missing permission for one kind does not hide the others. The calls run in
 * parallel, so the result is not a consistent snapshot.
 *
 * @param redactor - applied to every object
 */
export async function readLive(
  query: LiveQuery,
  flags: KubectlFlags,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<LiveCluster | ClusterFailure> {
  const [first, ...others] = query.kinds;
  const stop = new AbortController();
  let failure: Diagnostic | undefined;
  const readErrors: Partial<Record<LiveKind, ReadError>> = {};
  const read = async (call: ListCall, canPrompt = false) => {
    if (stop.signal.aborted) return [];
    const listed = await listObjects(call, kubectl, { canPrompt, signal: stop.signal });
    if (listed.failure !== undefined) {
      failure ??= listed.failure; // Aborted calls fail later.
      stop.abort();
      return [];
    }
    for (const [kind, error] of listed.errors) readErrors[kind] ??= error;
    return listed.objects;
  };
  const [firstCall, ...more] = first === undefined ? [] : createCalls([first], query, flags);
  const found = firstCall === undefined ? [] : [await read(firstCall, true)];
  const served =
    failure === undefined && query.hasOptionalKinds ? await readServed(flags, kubectl) : undefined;
  const calls = [...more, ...createCalls(others, query, flags, served)];
  const waiting = calls.entries();
  const worker = async () => {
    for (const [index, call] of waiting) found[index + 1] = await read(call);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
  if (failure !== undefined) return { failure };
  const kinds = query.kinds.flat();
  return {
    objects: createInputs(found.flat(), redactor),
    kinds: kinds.filter((kind) => readErrors[kind] === undefined),
    readErrors,
    diagnostics: Object.entries(readErrors).map(([kind, { message }]): Diagnostic => {
      return { severity: "warning", message: `${kind}: cannot be read: ${message}` };
    }),
  };
}

/** The maximum number of kubectl processes at a time. */
const MAX_PARALLEL = 6;

/** Redacts objects. Several calls can return the same object, which is kept once. */
function createInputs(
  values: readonly InputObject["value"][],
  redactor: Redactor,
): readonly InputObject[] {
  const byKey = new Map<string, InputObject>();
  for (const value of values) {
    const input = toInputObject(redactor.redactObject(value));
    const { apiVersion, kind, namespace, name } = getObjectKey(input);
    byKey.set(JSON.stringify([apiVersion, kind, namespace, name]), input);
  }
  // Messages can quote any object, so they are redacted after all objects are known.
  return Array.from(byKey.values(), (one) => ({
    ...one,
    value: redactor.redactMessages(one.value),
  }));
}

/**
 * Returns the resources that the server can list, as in `jobs.batch`. Undefined if kubectl does not
 * print them.
 */
async function readServed(
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<ReadonlySet<string> | undefined> {
  const { text } = await readText(
    ["api-resources", "--verbs=list", "-o", "name", ...createArgs(flags)],
    kubectl,
  );
  const served = new Set(text.split("\n").map((line) => line.trim()));
  // An extension API server that is down makes kubectl exit with 1, although it prints the other resources.
  return served.has("pods") ? served : undefined;
}

async function readText(args: readonly string[], kubectl: Kubectl) {
  const decoder = new TextDecoder();
  let text = "";
  const end = await kubectl(args, {
    canPrompt: false,
    onStdout: (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      return true;
    },
  });
  return { text, end };
}

/**
 * Returns the namespace of kubectl's context.
 *
 * @returns `default` if the context has none, as in kubectl
 */
export async function getContextNamespace(
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<{ readonly namespace: string; readonly failure?: undefined } | ClusterFailure> {
  const view = ["config", "view", "--minify", "-o", "jsonpath={.contexts[0].context.namespace}"];
  const { text: namespace, end } = await readText([...view, ...createArgs(flags)], kubectl);
  if (end.exitCode === 0) return { namespace: namespace.trim() || "default" };
  const why = describeFailure("kubectl config view", end).message;
  return { failure: { severity: "error", message: `the namespace is unknown; set -n: ${why}` } };
}

/** Creates the kubectl calls of a query. A call is for one kind, or for several kinds of one scope. */
function createCalls(
  kinds: LiveQuery["kinds"],
  { namespaces, needed, everywhere = [], podsOfJobSetsOnly = false, keep }: LiveQuery,
  flags: KubectlFlags,
  served?: ReadonlySet<string>,
): readonly ListCall[] {
  const all = ["--all-namespaces"];
  const scopes =
    namespaces === "all"
      ? [all]
      : namespaces.map((name) => (name === undefined ? [] : [`--namespace=${name}`]));
  const isServed = (kind: LiveKind) => served === undefined || served.has(getServedName(kind));
  return kinds.flatMap((group) => {
    const given = typeof group === "string" ? [group] : group;
    const listed = typeof group === "string" ? given : given.filter(isServed);
    if (listed.length === 0) return [];
    const call = {
      kinds: listed,
      isNeeded: given.some((kind) => kind === needed),
      selector: typeof group === "string" ? selectObjects(group, podsOfJobSetsOnly) : [],
      flags: createArgs(flags),
      scope: [],
      ...(keep !== undefined && { keep }),
    };
    if (listed.every(isClusterScoped)) return [call];
    const isEverywhere = listed.every((kind) => everywhere.includes(kind));
    return (isEverywhere ? [all] : scopes).map((scope) => ({ ...call, scope }));
  });
}

function selectObjects(kind: LiveKind, podsOfJobSetsOnly: boolean): readonly string[] {
  if (kind === "Pod" && podsOfJobSetsOnly) return [`--selector=${JOBSET_NAME_KEY}`];
  if (kind !== "CustomResourceDefinition") return [];
  return [`--field-selector=metadata.name=jobsets.${JOBSET_GROUP}`];
}

function toInputObject(value: InputObject["value"]): InputObject {
  const { kind, namespace, name } = getObjectKey({ value });
  return {
    value,
    file: "kubectl",
    duplicates: [],
    diagnose: (field, message, severity = "error") => {
      return { severity, field, message: `${kind} ${namespace}/${name}: ${message}` };
    },
  };
}
