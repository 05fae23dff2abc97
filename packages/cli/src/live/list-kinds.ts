import { JOBSET_GROUP } from "@jobset-ts/api/keys";
import type { ReadError } from "@jobset-ts/core";
import { objectPath } from "@jobset-ts/core/requests";
import type { Diagnostic } from "../output/diagnostics.ts";
import { getContextNamespace, readServedVersions } from "./discovery.ts";
import type { Kubectl } from "./kubectl.ts";
import type { ClusterFailure } from "./kubectl-errors.ts";
import { createArgs, type KubectlFlags } from "./kubectl-flags.ts";
import { type ListCall, listObjects } from "./list-objects.ts";
import {
  findApiVersion,
  isClusterScoped,
  isOptional,
  type LiveKind,
  type ServedVersions,
} from "./resources.ts";

/** A namespace to read. `undefined` is the namespace of the context. */
export type Scope = readonly (string | undefined)[] | "all";

/** The objects to read from a cluster. */
export interface LiveQuery {
  /** The kinds to read. The first one is read before the others, so that kubectl asks for a login only once. */
  readonly kinds: readonly LiveKind[];
  /** Whether an earlier call has logged in, so that all kinds are read in parallel. */
  readonly isLoggedIn?: boolean;
  readonly namespaces: Scope;
  /** The kind without which the command fails. */
  readonly needed?: LiveKind;
  /** The kinds that are read in all namespaces. */
  readonly everywhere?: readonly LiveKind[];
  /** The label selector of Pods. Absent means all Pods. */
  readonly podSelector?: string;
  /** Returns the part of an object to keep, if any. Called before it is redacted. Absent means the whole object. */
  readonly keep?: ListCall["keep"];
}

/** The objects of a cluster with all values. */
export interface ListedKinds {
  readonly values: readonly Readonly<Record<string, unknown>>[];
  /** The kinds that could not be read, with the server's errors. */
  readonly readErrors: Readonly<Partial<Record<LiveKind, ReadError>>>;
  readonly failure?: undefined;
}

/** The maximum number of lists that are read at a time. Each one can have two processes of kubectl, for two of its pages. */
const MAX_PARALLEL = 6;

/**
 * Lists the objects of several kinds. A missing permission for one kind does not hide the others. The calls of kubectl run
 * in parallel, so the result is not a consistent snapshot.
 */
export async function listKinds(
  query: LiveQuery,
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<ListedKinds | ClusterFailure> {
  const scope = await resolveScope(query.namespaces, flags, kubectl);
  if (scope.failure !== undefined) return scope;
  const stop = new AbortController();
  let failure: Diagnostic | undefined;
  const readErrors: Partial<Record<LiveKind, ReadError>> = {};
  const list = async (call: ListCall, canPrompt = false): Promise<ListedKinds["values"]> => {
    if (stop.signal.aborted) return [];
    const listed = await listObjects(call, kubectl, { canPrompt, signal: stop.signal });
    if (listed.failure !== undefined) {
      failure ??= listed.failure; // Aborted calls fail later.
      stop.abort();
      return [];
    }
    if (listed.error !== undefined) readErrors[call.kind] ??= listed.error;
    return listed.objects;
  };
  const limit = createLimit(MAX_PARALLEL);
  const listAll = (calls: readonly ListCall[]) =>
    Promise.all(calls.map((call) => limit(() => list(call))));
  const createCalls = (kinds: readonly LiveKind[], versions: ServedVersions) =>
    kinds.flatMap((kind) => createKindCalls(kind, query, scope.namespaces, flags, versions));
  const fixed = createCalls(
    query.kinds.filter((kind) => !isOptional(kind)),
    NO_VERSIONS,
  );
  const login = query.isLoggedIn ? undefined : fixed.shift();
  const found = login === undefined ? [] : await list(login, true);
  const listOptional = async (kinds: readonly LiveKind[]) => {
    if (kinds.length === 0 || stop.signal.aborted) return [];
    const served = await limit(() => readServedVersions(flags, kubectl));
    if (served.failure === undefined) return listAll(createCalls(kinds, served.versions));
    for (const kind of kinds) readErrors[kind] = served.failure;
    return [];
  };
  const optional = listOptional(query.kinds.filter(isOptional));
  const lists = await listAll(fixed);
  const values = [found, ...lists, ...(await optional)].flat();
  return failure === undefined ? { values, readErrors } : { failure };
}

const NO_VERSIONS: ServedVersions = new Map();

/** Returns the namespaces of a scope by name, or why they cannot be read. */
export async function resolveScope(
  scope: Scope,
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<
  { readonly namespaces: readonly string[] | "all"; readonly failure?: undefined } | ClusterFailure
> {
  if (scope === "all") return { namespaces: scope };
  const names = scope.filter((name) => name !== undefined);
  if (names.length < scope.length) {
    const context = await getContextNamespace(flags, kubectl);
    if (context.failure !== undefined) return context;
    names.push(context.namespace);
  }
  for (const name of names) {
    const path = objectPath({ apiVersion: "v1", kind: "Namespace", name });
    if (!path.ok) return { failure: { severity: "error", message: path.error.message } };
  }
  return { namespaces: names };
}

/** Creates the calls for a kind: none if the server does not serve it, and otherwise one for each namespace. */
function createKindCalls(
  kind: LiveKind,
  { needed, everywhere = [], podSelector, keep }: LiveQuery,
  namespaces: readonly string[] | "all",
  flags: KubectlFlags,
  versions: ServedVersions,
): readonly ListCall[] {
  const apiVersion = findApiVersion(kind, versions);
  if (apiVersion === undefined) return [];
  const selector =
    kind === "CustomResourceDefinition"
      ? { fieldSelector: `metadata.name=jobsets.${JOBSET_GROUP}` }
      : kind === "Pod" && podSelector !== undefined
        ? { labelSelector: podSelector }
        : undefined;
  const call = {
    kind,
    apiVersion,
    isNeeded: kind === needed,
    flags: createArgs(flags),
    ...(selector !== undefined && { selector }),
    ...(keep !== undefined && { keep }),
  };
  if (namespaces === "all" || isClusterScoped(kind) || everywhere.includes(kind)) return [call];
  return namespaces.map((namespace) => ({ ...call, namespace }));
}

/** Returns a function that runs tasks, a limited number of them at a time. */
function createLimit(max: number) {
  let free = max;
  const waiting: (() => void)[] = [];
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
