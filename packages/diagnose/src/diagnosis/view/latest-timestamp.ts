import { type EpochMillis, parseTime } from "@jobset-ts/api";
import type { Snapshot } from "@jobset-ts/core";

/**
 * Returns the latest timestamp in the objects of a snapshot: the earliest time at which the snapshot can have been
 * taken, for callers that do not know it. For a deletion it is the time of the request, which precedes
 * `deletionTimestamp` by the grace period.
 *
 * @param options.kinds - the kinds to read; default: those that a diagnosis reads
 * @param options.notAfter - later times, as from a node with a wrong clock, count only if no other times exist
 * @returns `undefined` if no object has a timestamp
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * const metadata = { name: "n1", creationTimestamp: "1970-01-01T00:00:01Z" };
 * latestTimestamp(createSnapshot([{ apiVersion: "v1", kind: "Node", metadata }])) // => 1000
 */
export function latestTimestamp(
  snapshot: Snapshot,
  options: { readonly kinds?: Iterable<string>; readonly notAfter?: EpochMillis } = {},
): EpochMillis | undefined {
  const { kinds = diagnosedKinds, notAfter = Number.POSITIVE_INFINITY } = options;
  let newest: EpochMillis | undefined;
  let newestAhead: EpochMillis | undefined;
  const take = (instant: EpochMillis | undefined) => {
    if (instant === undefined) return;
    if (instant > notAfter) newestAhead = Math.max(instant, newestAhead ?? instant);
    else newest = Math.max(instant, newest ?? instant);
  };
  for (const kind of kinds) for (const object of snapshot.objects(kind)) visitTimes(object, take);
  return newest ?? newestAhead;
}

/**
 * The kinds that a diagnosis reads. Read these from a cluster.
 *
 * @example diagnosedKinds.includes("Event") // => true
 */
export const diagnosedKinds = [
  "JobSet",
  "Job",
  "Pod",
  "Node",
  "Service",
  "Event",
  "PersistentVolumeClaim",
] as const;

const timeMembers: ReadonlySet<string> = new Set([
  "completionTime",
  "creationTimestamp",
  "eventTime",
  "finishedAt",
  "firstTimestamp",
  "lastHeartbeatTime",
  "lastObservedTime",
  "lastProbeTime",
  "lastTimestamp",
  "lastTransitionTime",
  "startedAt",
  "startTime",
  "timeAdded",
]);

/** Only metadata, status and Events contain times. Specs and templates are skipped because they are long. */
function visitTimes(object: object, take: (instant: EpochMillis | undefined) => void): void {
  const left: unknown[] = [object];
  const seen = new Set<unknown>();
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null || value instanceof Date || seen.has(value))
      continue;
    seen.add(value);
    for (const [member, inner] of Object.entries(value)) {
      if (timeMembers.has(member)) take(parseTime(inner as string));
      else if (member === "deletionTimestamp") take(deletionRequestedAt(value));
      else if (typeof inner === "object" && inner !== null && member !== "spec") left.push(inner);
    }
  }
}

function deletionRequestedAt(metadata: object): EpochMillis | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata as {
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  const deletedAt = parseTime(deletionTimestamp);
  const grace = Number.isFinite(deletionGracePeriodSeconds) ? deletionGracePeriodSeconds : 0;
  return deletedAt === undefined ? undefined : deletedAt - grace * 1000;
}
