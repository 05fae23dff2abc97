import type { ReadError } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Kubectl, KubectlCall, KubectlResult } from "./kubectl.ts";
import { type ClusterFailure, describeFailure, parseServerError } from "./kubectl-errors.ts";
import { ListReader } from "./list-reader.ts";
import { type LiveKind, liveResources } from "./resources.ts";

/** A list of the objects of one kind. */
export interface ListCall {
  readonly kind: LiveKind;
  readonly apiVersion: string;
  /** Absent means all namespaces, or a kind without them. */
  readonly namespace?: string;
  /** Whether the command fails without this kind. */
  readonly isNeeded: boolean;
  /** Selects objects by a query parameter of the API server. */
  readonly selector?: Readonly<Partial<Record<"labelSelector" | "fieldSelector", string>>>;
  /** The arguments that select the cluster. */
  readonly flags: readonly string[];
  /** Returns the part of an object to keep, if any. */
  readonly keep?: (object: InputObject["value"]) => InputObject["value"] | undefined;
}

/** The objects of a kind, or the error of this kind; or the reason why the cluster cannot be read. */
export type ListResult =
  | {
      readonly objects: readonly InputObject["value"][];
      readonly error?: ReadError;
      readonly failure?: undefined;
    }
  | ClusterFailure;

/**
 * The maximum number of objects per call of kubectl. A page of large Pods has about 50 MB, which is far below the limits
 * of an API server. Each further page costs the start of a process.
 */
const PAGE_SIZE = 5_000;

/**
 * Lists objects page by page, with `kubectl get --raw`. This takes a small part of the time of `kubectl get -o json`, which
 * decodes and prints every object. A kind that the server does not serve has no objects, unless it is needed.
 */
export async function listObjects(
  call: ListCall,
  kubectl: Kubectl,
  options: Omit<KubectlCall, "onStdout">,
): Promise<ListResult> {
  const start = (page: Page) => startPage(call, page, kubectl, options);
  const objects: InputObject["value"][] = [];
  let reading = start({ limit: String(PAGE_SIZE) });
  for (;;) {
    const { page } = reading;
    const token = await reading.token;
    // The server prepares the next page while this program parses this one.
    const following = token === undefined ? undefined : start({ ...page, continue: token });
    const result = await reading.result;
    if (result.outcome === "Read") {
      objects.push(...result.objects);
      if (result.next === "") return { objects };
      if (following !== undefined) {
        reading = following;
        continue;
      }
    }
    await following?.stop();
    // The server no longer has the state of the first page. A list without pages always ends.
    if (page.continue === undefined || !isExpired(result))
      return createError(call, result, options.signal);
    objects.length = 0;
    reading = start({});
  }
}

/** The query parameters of a page. Without them, the server returns the whole list. */
interface Page {
  readonly limit?: string;
  /** The token of the page. Absent for the first one. */
  readonly continue?: string;
}

/** The result of a kubectl call for a page. The token of the next page is empty after the last one. */
type PageResult =
  | {
      readonly outcome: "Read";
      readonly objects: readonly InputObject["value"][];
      readonly next: string;
    }
  | { readonly outcome: "NotAList" }
  | { readonly outcome: "Failed"; readonly end: KubectlResult };

/** A call of kubectl for a page. */
interface StartedPage {
  readonly page: Page;
  /** The token of the next page, known before the objects are read. Absent if there is no other page. */
  readonly token: Promise<string | undefined>;
  readonly result: Promise<PageResult>;
  /** Ends the call, and waits for its end. */
  readonly stop: () => Promise<unknown>;
}

function startPage(
  call: ListCall,
  page: Page,
  kubectl: Kubectl,
  options: Omit<KubectlCall, "onStdout">,
): StartedPage {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopped.signal, options.signal ?? []].flat());
  let foundToken: (next: string | undefined) => void = () => {};
  const token = new Promise<string | undefined>((resolve) => {
    // A server that repeats a token would never end.
    foundToken = (next) => resolve(next === page.continue ? undefined : next || undefined);
  });
  const result = readPage(call, page, kubectl, { ...options, signal }, foundToken);
  const stop = () => {
    stopped.abort();
    return result;
  };
  return { page, token, result, stop };
}

/** @param foundToken - called at least once, with the token of the next page */
async function readPage(
  call: ListCall,
  page: Page,
  kubectl: Kubectl,
  options: Omit<KubectlCall, "onStdout">,
  foundToken: (token: string | undefined) => void,
): Promise<PageResult> {
  const { kind, apiVersion, keep = (object) => object } = call;
  const objects: InputObject["value"][] = [];
  const reader = new ListReader((item) => {
    // In a list of a built-in kind, the items have no kind.
    const reduced = keep({ apiVersion, kind, ...item });
    if (reduced !== undefined) objects.push(reduced);
  });
  let isMaybeList = true;
  const onStdout = (bytes: Uint8Array) => {
    isMaybeList = reader.read(bytes);
    if (reader.nextPage !== undefined) foundToken(reader.nextPage);
    return isMaybeList;
  };
  const query = new URLSearchParams({ ...call.selector, ...page }).toString();
  const url = `${getPath(call)}${query && "?"}${query}`;
  const end = await kubectl(["get", "--raw", url, ...call.flags], { ...options, onStdout });
  const next = reader.finish();
  foundToken(next);
  if (isMaybeList && end.exitCode !== 0) return { outcome: "Failed", end };
  return next === undefined ? { outcome: "NotAList" } : { outcome: "Read", objects, next };
}

function getPath({ kind, apiVersion, namespace }: ListCall): string {
  const root = apiVersion.includes("/") ? "/apis" : "/api";
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${apiVersion}${scope}/${liveResources[kind].resource}`;
}

/** Returns whether the token of a page has expired. */
function isExpired(result: PageResult): boolean {
  return result.outcome === "Failed" && parseServerError(result.end.stderr)?.reason === "Expired";
}

function createError(
  call: ListCall,
  result: PageResult,
  signal: AbortSignal | undefined,
): ListResult {
  const command = `kubectl get --raw ${getPath(call)}`;
  if (result.outcome !== "Failed") {
    const message = `${command} printed output that is not a JSON list`;
    return { failure: { severity: "error", message } };
  }
  const { end } = result;
  const isStopped = signal?.aborted || end.startError !== undefined;
  const error = isStopped ? undefined : parseServerError(end.stderr);
  if (error === undefined || (call.isNeeded && error.reason !== "NotFound"))
    return { failure: describeFailure(command, end) };
  if (call.isNeeded) {
    const message = `the cluster does not serve ${liveResources[call.kind].resource} of ${call.apiVersion}`;
    return { failure: { severity: "error", message } };
  }
  return { objects: [], ...(error.reason !== "NotFound" && { error }) };
}
