import type { Unvalidated } from "@jobset-ts/api";
import { JOB_INDEX_KEY, JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asString,
  getControllerOf,
  getLabel,
  getNamespace,
  isBeingDeleted,
  type OwnerReference,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Quirks, Snapshot } from "@jobset-ts/core";
import type { UnreadKind } from "./unread-status.ts";

/** The leader of a follower, or why it is unknown. */
export type LeaderLookup =
  | { readonly outcome: "Found"; readonly leaderName: string; readonly leader: Unvalidated<Pod> }
  /** A label of the follower is missing, so its leader's name is unknown. */
  | { readonly outcome: "LabelMissing"; readonly labelKey: string }
  | { readonly outcome: "Unread"; readonly leaderName: string; readonly unread: UnreadKind }
  | {
      readonly outcome: "NotOne";
      readonly leaderName: string;
      /** All Pods with the leader's name. */
      readonly candidates: readonly Unvalidated<Pod>[];
      /** The active Pods among them; not exactly one. */
      readonly active: readonly Unvalidated<Pod>[];
    }
  | {
      readonly outcome: "OwnerMismatch";
      readonly leaderName: string;
      readonly leader: Unvalidated<Pod>;
      readonly owners: OwnerMismatch;
    };

/** Why two Pods do not belong to the same Job: one of them has no Job, or their Jobs differ. */
export type OwnerMismatch =
  | { readonly kind: "FollowerHasNone" }
  | { readonly kind: "LeaderHasNone" }
  | {
      readonly kind: "Different";
      readonly follower: Unvalidated<OwnerReference>;
      readonly leader: Unvalidated<OwnerReference>;
    };

/**
 * Finds the leader of a follower, for both webhooks.
 *
 * The leader is identified by its name alone, `<leader name>-<anything without a dash>`, which follows from the
 * follower's labels. Its completion index and its labels are ignored. Finished and deleted Pods do not count, unless a
 * quirk of a release says so.
 */
export function lookUpLeader(
  follower: Unvalidated<Pod>,
  snapshot: Snapshot,
  quirks: Quirks,
): LeaderLookup {
  const labelKey = nameLabels.find((key) => getLabel(follower, key) === undefined);
  if (labelKey !== undefined) return { outcome: "LabelMissing", labelKey };
  const leaderName = `${nameLabels.map((key) => getLabel(follower, key)).join("-")}-0`;

  const unread = snapshot.kindStatus("Pod");
  if (unread.outcome !== "Read") return { outcome: "Unread", leaderName, unread };
  const candidates = snapshot.podsByIndexName(getNamespace(follower), leaderName);
  const findsTerminating = quirks.has("TerminatingLeadersFound");
  const findsFinished = quirks.has("FinishedLeadersFound");
  const active = candidates.filter(
    (pod) => (findsTerminating || !isBeingDeleted(pod)) && (findsFinished || !isFinished(pod)),
  );
  const [leader] = active;
  if (leader === undefined || active.length !== 1) {
    return { outcome: "NotOne", leaderName, candidates, active };
  }
  const owners = ownerMismatch(follower, leader);
  return owners === undefined
    ? { outcome: "Found", leaderName, leader }
    : { outcome: "OwnerMismatch", leaderName, leader, owners };
}

/**
 * Reports whether the leader is left over from an earlier Job with the same name: two Jobs with one name cannot exist
 * at the same time, and the follower's Job exists. The old leader disappears by itself.
 */
export function isFromEarlierJob(owners: Extract<OwnerMismatch, { kind: "Different" }>): boolean {
  const { follower, leader } = owners;
  return (
    asString(follower.kind) === asString(leader.kind) &&
    asString(follower.name) === asString(leader.name)
  );
}

/** The labels from which a leader's name is built, in order. The first missing one is reported. */
const nameLabels = [JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY] as const;

function isFinished({ status }: Unvalidated<Pod>): boolean {
  return status?.phase === "Failed" || status?.phase === "Succeeded";
}

function ownerMismatch(
  followerPod: Unvalidated<Pod>,
  leaderPod: Unvalidated<Pod>,
): OwnerMismatch | undefined {
  const follower = getControllerOf(followerPod);
  if (follower === undefined) return { kind: "FollowerHasNone" };
  const leader = getControllerOf(leaderPod);
  if (leader === undefined) return { kind: "LeaderHasNone" };
  return asString(follower.uid) === asString(leader.uid)
    ? undefined
    : { kind: "Different", follower, leader };
}
