import { createSnapshot, type ReadError, SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";
import type { diagnosedKinds } from "@jobset-ts/diagnose";

/** A kind of objects that is listed. */
export type ListedKind = (typeof diagnosedKinds)[number];

/** The result of Headlamp's `useList`, as far as it is used here. */
export interface ListAnswer {
  /** `null` as long as there is nothing; a list of several namespaces grows as they come. */
  readonly items: readonly { readonly jsonData: unknown }[] | null;
  /** Those of all requests. */
  readonly errors: readonly ListError[] | null;
  readonly isFetching: boolean;
}

/** Why Headlamp could not list a kind. */
export interface ListError {
  readonly message: string;
  /** The HTTP status. */
  readonly status?: number;
}

/** What is known of the objects of one kind. */
export interface KindList {
  readonly kind: ListedKind;
  readonly outcome: "Loading" | "Read" | "Failed";
  /** As the API server sent them; of a list that failed, those of the namespaces where it did not. */
  readonly objects: readonly unknown[];
  readonly error?: ReadError;
}

/**
 * What an answer of Headlamp's says of a kind: of one that was refused it hands out an empty list, too.
 *
 * @param isRead - whether the list was complete before: then it stays so while Headlamp asks for it again
 */
export function getKindList(
  kind: ListedKind,
  { items, errors, isFetching }: ListAnswer,
  wasRead = false,
): KindList {
  const objects = (items ?? []).map(({ jsonData }) => jsonData);
  const [error] = errors ?? [];
  if (error !== undefined) return { kind, outcome: "Failed", objects, error: getReadError(error) };
  const isRead = items !== null && (wasRead || !isFetching);
  return { kind, outcome: isRead ? "Read" : "Loading", objects: isRead ? objects : [] };
}

function getReadError({ message, status }: ListError): ReadError {
  const said = message === "" ? "no reason was given" : message;
  return status === undefined ? { message: said } : { message: said, code: status };
}

/** The cluster as far as it was listed. What could not be listed, or not yet, is not taken for empty. */
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

/** Whether two observations hold the very same objects, so that nothing need be worked out again. */
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
    return ["This cluster serves no JobSets: is JobSet installed in it?"];
  }
  const status = error.code === undefined ? "" : `${error.code}: `;
  return [
    `${kind}s could not be listed (${status}${error.message}), so nothing is concluded of them.`,
  ];
}
