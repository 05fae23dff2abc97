import { createSnapshot, type ReadError, SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";
import type { diagnosedKinds } from "@jobset-ts/diagnose";

/** A kind that the plugin lists. */
export type ListedKind = (typeof diagnosedKinds)[number];

/** The part of the result of Headlamp's `useList` that is used here. */
export interface ListState {
  /** `null` while nothing is loaded. A list of several namespaces grows as their objects arrive. */
  readonly items: readonly { readonly jsonData: unknown }[] | null;
  /** The errors of all requests. */
  readonly errors: readonly ListError[] | null;
  readonly isFetching: boolean;
}

/** The reason why Headlamp could not list a kind. */
export interface ListError {
  readonly message: string;
  /** The HTTP status. */
  readonly status?: number;
}

/** The known objects of one kind. */
export interface KindList {
  readonly kind: ListedKind;
  readonly outcome: "Loading" | "Read" | "Failed";
  /** The objects as the API server sent them. If a list failed, the objects of the namespaces in which it succeeded. */
  readonly objects: readonly unknown[];
  readonly error?: ReadError;
}

/**
 * Converts a result of Headlamp. For a rejected kind, Headlamp also returns an empty list.
 *
 * @param isRead - whether the list was complete before; it then stays complete while Headlamp requests it again
 */
export function getKindList(
  kind: ListedKind,
  { items, errors, isFetching }: ListState,
  wasRead = false,
): KindList {
  const objects = (items ?? []).map(({ jsonData }) => jsonData);
  const [error] = errors ?? [];
  if (error !== undefined) return { kind, outcome: "Failed", objects, error: getReadError(error) };
  const isRead = items !== null && (wasRead || !isFetching);
  return { kind, outcome: isRead ? "Read" : "Loading", objects: isRead ? objects : [] };
}

function getReadError({ message, status }: ListError): ReadError {
  const text = message === "" ? "unknown reason" : message;
  return status === undefined ? { message: text } : { message: text, code: status };
}

/** Creates a snapshot of the listed objects. Kinds that could not be listed, or not yet, are not treated as empty. */
export function createListSnapshot(lists: readonly KindList[]): Snapshot {
  const ended = lists.filter(({ outcome }) => outcome !== "Loading");
  const readErrors = ended.flatMap(({ kind, error }) =>
    error === undefined ? [] : [[kind, error] as const],
  );
  return createSnapshot(
    ended.map(({ kind, objects }) => ({
      apiVersion: SNAPSHOT_KINDS.get(kind)?.apiVersion,
      kind: `${kind}List`,
      items: objects,
    })),
    { readErrors: Object.fromEntries(readErrors) },
  );
}

/** Returns whether two observations contain the identical objects, so that no new computation is needed. */
export function areSameLists(one: readonly KindList[], other: readonly KindList[]): boolean {
  return (
    one.length === other.length &&
    one.every((list, at) => {
      const others = other[at];
      return (
        others !== undefined &&
        list.kind === others.kind &&
        list.outcome === others.outcome &&
        list.error?.message === others.error?.message &&
        list.objects.length === others.objects.length &&
        list.objects.every((object, index) => object === others.objects[index])
      );
    })
  );
}

/** Returns the lines about kinds that could not be read. */
export function unreadLines(lists: readonly KindList[]): readonly string[] {
  const loading = lists.filter(({ outcome }) => outcome === "Loading").map(({ kind }) => kind);
  const waiting = loading.length === 0 ? [] : [`Not listed yet: ${loading.join(", ")}.`];
  return [...lists.flatMap(failureLine), ...waiting];
}

function failureLine({ kind, error }: KindList): readonly string[] {
  if (error === undefined) return [];
  if (kind === "JobSet" && error.code === 404) {
    return ["This cluster does not serve JobSets. Is JobSet installed?"];
  }
  const status = error.code === undefined ? "" : `${error.code}: `;
  return [
    `${kind}s could not be listed (${status}${error.message}), so checks that need them are skipped.`,
  ];
}
