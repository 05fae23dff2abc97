import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Redactor } from "@jobset-ts/api/redaction";
import type { ReadError } from "@jobset-ts/core";
import type { FileOptions } from "../input/cluster.ts";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Kubectl, KubectlCall, KubectlResult } from "./kubectl.ts";
import { ListReader } from "./list-reader.ts";

/** The flags that select a cluster and a user, and are passed to kubectl unchanged. */
export interface KubectlFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly user?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly requestTimeout?: string;
}

/**
 * The options of a command that reads files, or the cluster if there are none. For a cluster, `namespace` selects the
 * namespace to read. Absent means the namespace of kubectl's context.
 */
export interface LiveOptions extends Omit<FileOptions, "filename">, JobSetSelector, KubectlFlags {
  readonly filename?: readonly string[];
}

/** The kinds to read, with their kubectl names. */
const resources = {
  JobSet: "jobsets.v1alpha2.jobset.x-k8s.io",
  Job: "jobs.v1.batch",
  Service: "services",
  PersistentVolumeClaim: "persistentvolumeclaims",
  Pod: "pods",
  Node: "nodes",
  Event: "events.v1.",
} as const;

export type LiveKind = keyof typeof resources;

/** The objects to read from a cluster. */
export interface LiveQuery {
  /** The first kind is read before the others, so that kubectl asks for a login only once. */
  readonly kinds: readonly LiveKind[];
  /** The namespaces to read. `undefined` is the namespace of the context. */
  readonly namespaces: readonly (string | undefined)[] | "all";
  /** The kind without which the command fails. */
  readonly needed?: LiveKind;
  /** Whether to omit Pods that belong to no JobSet. */
  readonly podsOfJobSetsOnly?: boolean;
}

/** Creates the query of a command about existing JobSets. */
export function createJobSetQuery(
  kinds: readonly LiveKind[],
  { namespace, allNamespaces = false }: Pick<FileOptions, "namespace" | "allNamespaces">,
): LiveQuery {
  return {
    kinds: ["JobSet", ...kinds],
    namespaces: allNamespaces ? "all" : [namespace],
    needed: "JobSet",
    podsOfJobSetsOnly: true,
  };
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
  readonly failure?: undefined;
}

/** The reason why kubectl could not read the cluster. */
export interface ClusterFailure {
  readonly failure: Diagnostic;
}

/**
 * Reads a cluster by calling kubectl once for each kind, so that a missing permission for one kind does not hide the
 * others. The calls run in parallel, so the result is not a consistent snapshot.
 *
 * @param redactor - applied to every object as it arrives
 */
export async function readLive(
  question: LiveQuery,
  flags: KubectlFlags,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<LiveCluster | ClusterFailure> {
  const [first, ...others] = listCalls(question, flags);
  const objects: InputObject[] = [];
  const readErrors: Partial<Record<LiveKind, ReadError>> = {};
  const giveUp = new AbortController();
  let failure: Diagnostic | undefined;
  const ask = async (call: Call | undefined, mayAsk: boolean) => {
    if (call === undefined || giveUp.signal.aborted) return;
    const listed = await listKind(call, kubectl, redactor, {
      canPrompt: mayAsk,
      signal: giveUp.signal,
    });
    if ("error" in listed) readErrors[call.kind] ??= listed.error;
    if ("objects" in listed) for (const object of listed.objects) objects.push(object);
    if (!("failure" in listed)) return;
    failure ??= listed.failure; // aborted calls fail later
    giveUp.abort();
  };
  await ask(first, true);
  const waiting = others.values();
  const worker = async () => {
    for (const call of waiting) await ask(call, false);
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker));
  if (failure !== undefined) return { failure };
  return {
    // Messages can quote any object, so they are redacted after all objects are known.
    objects: objects.map((one) => ({ ...one, value: redactor.redactMessages(one.value) })),
    kinds: question.kinds.filter((kind) => readErrors[kind] === undefined),
    readErrors,
    diagnostics: Object.entries(readErrors).map(([kind, { message }]): Diagnostic => {
      return { severity: "warning", message: `${kind}: cannot be read: ${message}` };
    }),
  };
}

/** The maximum number of kubectl processes at a time. */
const MAX_PARALLEL = 6;

/**
 * Returns the namespace of kubectl's context.
 *
 * @returns `default` if the context has none, as in kubectl
 */
export async function getContextNamespace(
  flags: KubectlFlags,
  kubectl: Kubectl,
): Promise<{ readonly namespace: string; readonly failure?: undefined } | ClusterFailure> {
  let namespace = "";
  const end = await kubectl(
    [
      "config",
      "view",
      "--minify",
      "-o",
      "jsonpath={.contexts[0].context.namespace}",
      ...createArgs(flags),
    ],
    {
      canPrompt: false,
      onStdout: (bytes) => {
        namespace += new TextDecoder().decode(bytes);
        return true;
      },
    },
  );
  if (end.exitCode === 0) return { namespace: namespace.trim() || "default" };
  const why = describeFailure("kubectl config view", end).message;
  return { failure: { severity: "error", message: `the namespace is unknown; set -n: ${why}` } };
}

interface Call {
  readonly kind: LiveKind;
  readonly isNeeded: boolean;
  readonly args: readonly string[];
}

function listCalls(
  { kinds, namespaces, needed, podsOfJobSetsOnly }: LiveQuery,
  flags: KubectlFlags,
): readonly Call[] {
  const scopes =
    namespaces === "all"
      ? [["--all-namespaces"]]
      : namespaces.map((name) => (name === undefined ? [] : [`--namespace=${name}`]));
  return kinds.flatMap((kind) => {
    const selector = kind === "Pod" && podsOfJobSetsOnly ? [`--selector=${JOBSET_NAME_KEY}`] : [];
    const args = ["get", resources[kind], "-o", "json", ...selector, ...createArgs(flags)];
    const call = { kind, isNeeded: kind === needed, args };
    if (kind === "Node") return [call];
    return scopes.map((scope) => ({ ...call, args: [...args, ...scope] }));
  });
}

function createArgs({
  kubeconfig,
  context,
  user,
  as,
  asGroup = [],
  requestTimeout,
}: KubectlFlags): readonly string[] {
  const flags = { kubeconfig, context, user, as, "request-timeout": requestTimeout };
  return [
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
    ...asGroup.map((group) => `--as-group=${group}`),
  ];
}

/** The objects of a kind, or the reason why the kind or the whole cluster cannot be read. */
type ListResult =
  | { readonly objects: readonly InputObject[] }
  | { readonly error: ReadError }
  | ClusterFailure;

async function listKind(
  { kind, isNeeded, args }: Call,
  kubectl: Kubectl,
  redactor: Redactor,
  call: Omit<KubectlCall, "onStdout">,
): Promise<ListResult> {
  const objects: InputObject[] = [];
  const reader = new ListReader((object) =>
    objects.push(toInputObject(redactor.redactObject(object))),
  );
  let mayBeList = true;
  const take = (bytes: Uint8Array) => {
    mayBeList = reader.read(bytes);
    return mayBeList;
  };
  const end = await kubectl(args, { ...call, onStdout: take });
  const command = `kubectl get ${resources[kind]}`;
  if (!mayBeList || (end.exitCode === 0 && !reader.isList())) {
    return {
      failure: { severity: "error", message: `${command} printed output that is not a JSON list` },
    };
  }
  if (end.exitCode === 0) return { objects };
  const error = isNeeded ? undefined : parseServerError(end.stderr);
  return error === undefined ? { failure: describeFailure(command, end) } : { error };
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

/** The HTTP status codes of the reasons with which a read can fail. */
const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  NotFound: 404,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/**
 * Parses the API server's error for one kind. Returns `undefined` for errors such as Unauthorized that affect all
 * kinds.
 */
function parseServerError(stderr: string): ReadError | undefined {
  const [, reason = "", message = ""] = /^Error from server \((\w+)\): (.+)$/m.exec(stderr) ?? [];
  if (reason === "" || reason === "Unauthorized") return undefined;
  const code = Object.hasOwn(codes, reason) ? codes[reason] : undefined;
  return { message, reason, ...(code !== undefined && { code }) };
}

/** The maximum number of lines of kubectl's output in an error. */
const MAX_LINES = 3;

function describeFailure(
  command: string,
  { exitCode, startError, stderr }: KubectlResult,
): Diagnostic {
  if (startError === "ENOENT") {
    return {
      severity: "error",
      message: "kubectl is not on the PATH; it is required to read a cluster",
    };
  }
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  // kubectl logs its attempts before the error.
  const errors = lines.filter((line) => !/^[IWE]\d{4} /.test(line));
  const shownLines = (errors.length > 0 ? errors : lines)
    .slice(0, MAX_LINES)
    .map((line) => `: ${line.trim()}`);
  const how =
    startError !== undefined
      ? `cannot be started: ${startError}`
      : exitCode === undefined
        ? "was ended by a signal"
        : `failed with exit code ${exitCode}`;
  return { severity: "error", message: `${command} ${how}${shownLines.join("")}` };
}
