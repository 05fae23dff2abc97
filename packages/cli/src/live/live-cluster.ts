import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Redactor } from "@jobset-ts/api/redaction";
import type { ReadError } from "@jobset-ts/core";
import type { FileOptions } from "../input/cluster.ts";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Kubectl } from "./kubectl.ts";
import type { ClusterFailure } from "./kubectl-errors.ts";
import type { KubectlFlags } from "./kubectl-flags.ts";
import { type ListedKinds, type LiveQuery, listKinds, type Scope } from "./list-kinds.ts";
import type { LiveKind } from "./resources.ts";

/**
 * The options of a command that reads files, or the cluster if there are none. For a cluster, `namespace` selects the
 * namespace to read. Absent means the namespace of kubectl's context.
 */
export interface LiveOptions extends Omit<FileOptions, "filename">, JobSetSelector, KubectlFlags {
  readonly filename?: readonly string[];
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
    podSelector: JOBSET_NAME_KEY,
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

/** Returns the namespaces that the options select. */
export function getScope({
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
  const listed = await listKinds(query, flags, kubectl);
  return listed.failure === undefined ? createLiveCluster(query.kinds, listed, redactor) : listed;
}

/** Creates a cluster from listed objects, without values that may be secret. */
export function createLiveCluster(
  kinds: readonly LiveKind[],
  { values, readErrors }: ListedKinds,
  redactor: Redactor,
): LiveCluster {
  return {
    objects: createInputs(values, redactor),
    kinds: kinds.filter((kind) => readErrors[kind] === undefined),
    readErrors,
    diagnostics: Object.entries(readErrors).map(([kind, { message }]): Diagnostic => {
      return { severity: "warning", message: `${kind}: cannot be read: ${message}` };
    }),
  };
}

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
