import {
  createReadRequest,
  matchesRequiredObject,
  type RequiredObject,
} from "@jobset-ts/admission";
import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ApiClient } from "@jobset-ts/controller-runtime";

/** The maximum number of objects per page of a list. */
const PAGE_SIZE = 500;

/** The maximum number of concurrent requests of one review. */
const SIDE_BY_SIDE = 8;

/** A signal that also states when it aborts. */
export interface Deadline extends AbortSignal {
  /** The time in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Creates a signal that aborts after this time. */
export function deadlineIn(milliseconds: number): Deadline {
  const endsAt = Date.now() + milliseconds;
  return Object.assign(AbortSignal.timeout(milliseconds), { endsAt });
}

/** The API server's response to a GET. */
export type ReadResult =
  | { readonly outcome: "Found"; readonly object: KubernetesObject }
  /** The API server reports that no object has that name. */
  | { readonly outcome: "Absent" }
  /** One line with the request and its result. */
  | { readonly outcome: "Failed"; readonly cause: string };

/** Sends a request, and retries as the server requests, unless that would exceed the deadline. */
export async function get(
  client: ApiClient,
  path: string,
  deadline: Deadline,
): Promise<ReadResult> {
  const waitsAtMostSeconds = (deadline.endsAt - Date.now()) / 1000;
  const options = { signal: deadline, waitsAtMostSeconds };
  const response = await client.send({ method: "GET", path }, options);
  if (response.ok) return { outcome: "Found", object: response.object };
  const { code, reason, message, isServerResponse } = response.error;
  // A proxy in front of the API server may also return 404. Only the API server's own Status means that the object is
  // absent.
  if (code === 404 && reason === "NotFound") return { outcome: "Absent" };
  const words = isServerResponse || code === undefined ? message : `${code}: ${message}`;
  const why = deadline.aborted
    ? "no response before the deadline"
    : words.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return { outcome: "Failed", cause: `GET ${path}: ${why}` };
}

/** The reason for a failed read. */
interface ReadFailure {
  readonly ok: false;
  readonly cause: string;
}

/**
 * Reads the required objects, each by its own request, in pages if there are many.
 *
 * @returns one list per requirement, in their order; the list is empty if the object is absent. Otherwise the first failure,
 *   after which no more requests are sent
 */
export async function readAll(
  client: ApiClient,
  required: readonly RequiredObject[],
  deadline: Deadline,
): Promise<{ readonly ok: true; readonly lists: readonly object[] } | ReadFailure> {
  const lists = new Array<object>(required.length);
  const waiting = [...required.entries()];
  let cause: string | undefined;
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, requirement] = next;
      const read = await readOne(client, requirement, deadline);
      if (read.ok) lists[index] = read.list;
      else {
        cause ??= read.cause;
        waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return cause === undefined ? { ok: true, lists } : { ok: false, cause };
}

/** Reads the objects of one requirement as a Kubernetes list. */
async function readOne(
  client: ApiClient,
  requirement: RequiredObject,
  deadline: Deadline,
): Promise<{ readonly ok: true; readonly list: object } | ReadFailure> {
  const { apiVersion, kind } = requirement;
  const read = await readItems(client, requirement, deadline);
  return read.ok
    ? { ok: true, list: { apiVersion, kind: `${kind}List`, items: read.items } }
    : read;
}

function readItems(
  client: ApiClient,
  requirement: RequiredObject,
  deadline: Deadline,
): ReadItems | Promise<ReadItems> {
  const request = createReadRequest(requirement);
  switch (request.action) {
    case "Unknown":
      return { ok: false, cause: `no known path to read a ${requirement.kind}` };
    case "None":
      return { ok: true, items: [] };
    case "Get":
      return requirement.name === undefined
        ? readPages(client, requirement, request.path, deadline)
        : readNamed(client, requirement, request.path, deadline);
  }
}

type ReadItems = { readonly ok: true; readonly items: readonly KubernetesObject[] } | ReadFailure;

async function readNamed(
  client: ApiClient,
  requirement: RequiredObject,
  path: string,
  deadline: Deadline,
): Promise<ReadItems> {
  const result = await get(client, path, deadline);
  switch (result.outcome) {
    case "Absent":
      return { ok: true, items: [] };
    case "Failed":
      return { ok: false, cause: result.cause };
    case "Found": {
      return matchesRequiredObject(result.object, requirement)
        ? { ok: true, items: [result.object] }
        : { ok: false, cause: `GET ${path}: the response is a different object` };
    }
  }
}

/** Keeps only the required objects of each page, for example the possible leaders among all Pods of a namespace. */
async function readPages(
  client: ApiClient,
  requirement: RequiredObject,
  path: string,
  deadline: Deadline,
): Promise<ReadItems> {
  const items: KubernetesObject[] = [];
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_SIZE}`;
  for (let next = first; ; ) {
    const result = await get(client, next, deadline);
    if (result.outcome === "Absent") {
      return { ok: false, cause: `GET ${path}: the collection does not exist` };
    }
    if (result.outcome === "Failed") return { ok: false, cause: result.cause };
    const page = renderPage(result.object, requirement);
    if (page === undefined) {
      return { ok: false, cause: `GET ${path}: the response is not a ${requirement.kind}List` };
    }
    items.push(...page.items.filter((item) => matchesRequiredObject(item, requirement)));
    if (page.continuation === "") return { ok: true, items };
    next = `${first}&continue=${encodeURIComponent(page.continuation)}`;
  }
}

/** Adds kind and apiVersion to the items of a list, which do not have them. */
function renderPage(
  object: object,
  { apiVersion, kind }: RequiredObject,
): { readonly items: readonly KubernetesObject[]; readonly continuation: string } | undefined {
  const { kind: listKind, metadata, items: filled } = object as Readonly<Record<string, unknown>>;
  // Go encodes a nil slice as null.
  const items = filled === null ? [] : filled;
  if (listKind !== `${kind}List` || !Array.isArray(items)) return undefined;
  const { continue: continuation } = isObject(metadata as object | undefined)
    ? (metadata as { readonly continue?: unknown })
    : {};
  return {
    items: items.map((item) => ({ ...item, apiVersion, kind })),
    continuation: typeof continuation === "string" ? continuation : "",
  };
}
