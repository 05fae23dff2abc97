import { matchesRequiredObject, type RequiredObject, readRequestFor } from "@jobset-ts/admission";
import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ApiClient } from "@jobset-ts/controller-runtime";

/** How many objects a page of a list has at most. */
const PAGE_SIZE = 500;

/** How many requests one review has under way at a time. */
const SIDE_BY_SIDE = 8;

/** Until when something is of use. */
export interface Deadline extends AbortSignal {
  /** In milliseconds since 1970. */
  readonly endsAt: number;
}

/** A signal that aborts after some time, and says when. */
export function deadlineIn(milliseconds: number): Deadline {
  const endsAt = Date.now() + milliseconds;
  return Object.assign(AbortSignal.timeout(milliseconds), { endsAt });
}

/** What the API server says to a GET. */
export type Answer =
  | { readonly outcome: "Found"; readonly object: KubernetesObject }
  /** The API server reports that no object has that name. */
  | { readonly outcome: "Absent" }
  /** One line with the request and its result. */
  | { readonly outcome: "Failed"; readonly cause: string };

/** Asks, and asks again when the server says when to, unless that is too late. */
export async function get(client: ApiClient, path: string, deadline: Deadline): Promise<Answer> {
  const waitsAtMostSeconds = (deadline.endsAt - Date.now()) / 1000;
  const options = { signal: deadline, waitsAtMostSeconds };
  const response = await client.send({ method: "GET", path }, options);
  if (response.ok) return { outcome: "Found", object: response.object };
  const { code, reason, message, isServerResponse } = response.error;
  // Anything may answer 404 in front of an API server; only its own word makes an object absent.
  if (code === 404 && reason === "NotFound") return { outcome: "Absent" };
  const words = isServerResponse || code === undefined ? message : `${code}: ${message}`;
  const why = deadline.aborted ? "no answer in time" : words.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return { outcome: "Failed", cause: `GET ${path}: ${why}` };
}

/** Why something could not be read. */
interface Unread {
  readonly ok: false;
  readonly cause: string;
}

/**
 * Reads the required objects, each by its own request, in pages if there are many.
 *
 * @returns one list for each requirement, in their order, also where there is nothing: so it is known to be absent. Or
 *   the first failure; what was not asked yet is not asked any more
 */
export async function readAll(
  client: ApiClient,
  required: readonly RequiredObject[],
  deadline: Deadline,
): Promise<{ readonly ok: true; readonly lists: readonly object[] } | Unread> {
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

/** What was read for one requirement, as a Kubernetes list. */
async function readOne(
  client: ApiClient,
  requirement: RequiredObject,
  deadline: Deadline,
): Promise<{ readonly ok: true; readonly list: object } | Unread> {
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
  const request = readRequestFor(requirement);
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

type ReadItems = { readonly ok: true; readonly items: readonly KubernetesObject[] } | Unread;

async function readNamed(
  client: ApiClient,
  requirement: RequiredObject,
  path: string,
  deadline: Deadline,
): Promise<ReadItems> {
  const answer = await get(client, path, deadline);
  switch (answer.outcome) {
    case "Absent":
      return { ok: true, items: [] };
    case "Failed":
      return { ok: false, cause: answer.cause };
    case "Found": {
      return matchesRequiredObject(answer.object, requirement)
        ? { ok: true, items: [answer.object] }
        : { ok: false, cause: `GET ${path}: the answer is another object` };
    }
  }
}

/** Of each page only what is required is kept: of all Pods in a namespace, those that may be a leader. */
async function readPages(
  client: ApiClient,
  requirement: RequiredObject,
  path: string,
  deadline: Deadline,
): Promise<ReadItems> {
  const items: KubernetesObject[] = [];
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=${PAGE_SIZE}`;
  for (let next = first; ; ) {
    const answer = await get(client, next, deadline);
    if (answer.outcome === "Absent") {
      return { ok: false, cause: `GET ${path}: there is no such collection` };
    }
    if (answer.outcome === "Failed") return { ok: false, cause: answer.cause };
    const page = renderPage(answer.object, requirement);
    if (page === undefined) {
      return { ok: false, cause: `GET ${path}: the answer is no ${requirement.kind}List` };
    }
    items.push(...page.items.filter((item) => matchesRequiredObject(item, requirement)));
    if (page.continuation === "") return { ok: true, items };
    next = `${first}&continue=${encodeURIComponent(page.continuation)}`;
  }
}

/** The items of a list say neither kind nor version themselves. */
function renderPage(
  object: object,
  { apiVersion, kind }: RequiredObject,
): { readonly items: readonly KubernetesObject[]; readonly continuation: string } | undefined {
  const { kind: listKind, metadata, items: filled } = object as Readonly<Record<string, unknown>>;
  // Go writes a list that was never filled as null.
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
