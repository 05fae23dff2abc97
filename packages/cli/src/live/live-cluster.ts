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

/** The flags of kubectl that choose a cluster and who asks it; what they mean is kubectl's to say. */
export interface KubectlFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly user?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly requestTimeout?: string;
}

/**
 * The same where a cluster is read when no file is named: then the namespace is the one that is read, and absent means
 * that of kubectl's context.
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

/** What to read from a cluster. */
export interface LiveQuery {
  /** The first kind is read before the others, so that kubectl asks for a login only once. */
  readonly kinds: readonly LiveKind[];
  /** The namespaces that are read; `undefined` among them is that of the context. */
  readonly namespaces: readonly (string | undefined)[] | "all";
  /** The kind without which there is nothing to tell. */
  readonly needed?: LiveKind;
  /** Whether Pods that belong to no JobSet are left out. */
  readonly podsOfJobSetsOnly?: boolean;
}

/** The question of a command that tells of the JobSets that there are. */
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

/** What a cluster shows. */
export interface LiveCluster {
  readonly objects: readonly InputObject[];
  /** The kinds that were read, be there any of them or none. */
  readonly kinds: readonly LiveKind[];
  /** Those that the cluster does not show us, and its words. */
  readonly readErrors: Readonly<Partial<Record<LiveKind, ReadError>>>;
  /** A warning for each of these. */
  readonly diagnostics: readonly Diagnostic[];
  readonly failure?: undefined;
}

/** What kubectl could not do at all. */
export interface ClusterFailure {
  readonly failure: Diagnostic;
}

/**
 * Reads a cluster by calling kubectl, once for each kind, so that who may not read one of them sees the others. They are
 * read side by side, and so not at one instant.
 *
 * @param redactor - applied to every object as it comes
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
    failure ??= listed.failure; // those that are ended for its sake come later
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
    // Only now all objects are known that a message may quote.
    objects: objects.map((one) => ({ ...one, value: redactor.redactMessages(one.value) })),
    kinds: question.kinds.filter((kind) => readErrors[kind] === undefined),
    readErrors,
    diagnostics: Object.entries(readErrors).map(([kind, { message }]): Diagnostic => {
      return { severity: "warning", message: `${kind}: cannot be read: ${message}` };
    }),
  };
}

/** How many kubectls run side by side. */
const MAX_PARALLEL = 6;

/**
 * Asks kubectl for the namespace of its context.
 *
 * @returns `default` where the context names none, as kubectl takes it
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
  return { failure: { severity: "error", message: `which namespace is meant? Say -n: ${why}` } };
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

/** The objects of a kind, or why the kind or the whole cluster cannot be read. */
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
    return { failure: { severity: "error", message: `${command} printed no list in JSON` } };
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

/** The HTTP status that comes with the reasons that a read may have. */
const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  NotFound: 404,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/** What the API server said of one kind. Who it does not know at all need not ask for another one. */
function parseServerError(stderr: string): ReadError | undefined {
  const [, reason = "", message = ""] = /^Error from server \((\w+)\): (.+)$/m.exec(stderr) ?? [];
  if (reason === "" || reason === "Unauthorized") return undefined;
  const code = Object.hasOwn(codes, reason) ? codes[reason] : undefined;
  return { message, reason, ...(code !== undefined && { code }) };
}

/** The maximum number of lines of kubectl in an error. */
const MAX_LINES = 3;

function describeFailure(
  command: string,
  { exitCode, startError, stderr }: KubectlResult,
): Diagnostic {
  if (startError === "ENOENT") {
    return { severity: "error", message: "kubectl is not on the PATH; it is what reads a cluster" };
  }
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  // Ahead of what it has to say it logs each of its attempts.
  const words = lines.filter((line) => !/^[IWE]\d{4} /.test(line));
  const told = (words.length > 0 ? words : lines)
    .slice(0, MAX_LINES)
    .map((line) => `: ${line.trim()}`);
  const how =
    startError !== undefined
      ? `cannot be started: ${startError}`
      : exitCode === undefined
        ? "was ended by a signal"
        : `failed with exit code ${exitCode}`;
  return { severity: "error", message: `${command} ${how}${told.join("")}` };
}
