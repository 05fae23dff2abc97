import { formatValue } from "@jobset-ts/api/errors";
import { MAX_VALUE_BYTES, truncateText } from "@jobset-ts/api/text";
import type { EffectError, ObjectKey } from "../plan/effects.ts";

/**
 * An encoded path below the server's URL, or why there is none because no object can have such a name. Names
 * come from clusters and requests, and must not lead to another path: `..` or an empty name would be the
 * collection, and anything after `/` a subresource.
 */
export type RequestPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: EffectError };

/** A kind that the API server serves at its own path. */
type ServedKind = Pick<ObjectKey, "apiVersion" | "kind">;

/**
 * Returns the path of one object.
 *
 * @param key - without a namespace for cluster-scoped objects, such as a Node
 * @returns no path if name or namespace are empty, `.`, `..`, contain `/` or `%`, or are not Unicode
 * @see Kubernetes `path.IsValidPathSegmentName`
 * @example objectPath({ apiVersion: "v1", kind: "Pod", namespace: "ml", name: ".." }) // => { ok: false, error: { reason: "Invalid", message: 'invalid name of a Pod: ".."' } }
 */
export function objectPath({
  name,
  ...key
}: ServedKind & { readonly namespace?: string; readonly name: string }): RequestPath {
  const { namespace } = key;
  const collection =
    namespace === undefined
      ? ({ ok: true, path: clusterPath(key) } as const)
      : collectionPath({ ...key, namespace });
  if (!collection.ok) return collection;
  return isSegment(name)
    ? { ok: true, path: `${collection.path}/${encodeURIComponent(name)}` }
    : createPathError(`invalid name of a ${key.kind}: ${formatShown(name)}`);
}

/**
 * Returns the path of all objects of a kind in one namespace.
 *
 * @returns no path if {@link objectPath} returns none
 * @example collectionPath({ apiVersion: "batch/v1", kind: "Job", namespace: "ml" }) // => { ok: true, path: "/apis/batch/v1/namespaces/ml/jobs" }
 */
export function collectionPath({
  namespace,
  ...served
}: ServedKind & { readonly namespace: string }): RequestPath {
  return isSegment(namespace)
    ? {
        ok: true,
        path: `${getRoot(served)}/namespaces/${encodeURIComponent(namespace)}/${resourceForKind(served.kind)}`,
      }
    : createPathError(`invalid name of a namespace: ${formatShown(namespace)}`);
}

/**
 * Returns the path of all objects of a kind in the cluster: in all namespaces, or cluster-scoped.
 *
 * @example clusterPath({ apiVersion: "v1", kind: "Node" }) // => "/api/v1/nodes"
 */
export function clusterPath(served: ServedKind): string {
  return `${getRoot(served)}/${resourceForKind(served.kind)}`;
}

/**
 * Returns the name of a kind in paths and roles: its plural in lower case. The plural of every kind in a plan ends
 * in a plain `s`.
 */
export function resourceForKind(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

function getRoot({ apiVersion }: ServedKind): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/**
 * Reports whether every reader of a path treats a text as a single segment. A server decodes the path before it
 * splits it, and a proxy may decode it once more.
 */
function isSegment(text: string): boolean {
  return typeof text === "string" && !/^\.{0,2}$|[/%]/.test(text) && text.isWellFormed();
}

/** Returns a name for a message. It may be any value. */
function formatShown(name: unknown): string {
  const text = typeof name === "string" ? JSON.stringify(name) : formatValue(name);
  return truncateText(text, MAX_VALUE_BYTES);
}

function createPathError(message: string): RequestPath {
  return { ok: false, error: { reason: "Invalid", message } };
}
