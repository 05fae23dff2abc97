import { parseTime } from "@jobset-ts/api";
import { conditionOf } from "@jobset-ts/api/kubernetes";
import type { Found } from "./found.ts";
import { showsConsequence } from "./job-checks.ts";
import type { JobSetView, JobView } from "./jobset-view.ts";

/** What a reader should know besides, each sentence once. */
export function notesOn(
  view: JobSetView,
  held: readonly Found[],
  roots: readonly Found[],
): readonly string[] {
  const notes = new Set<string>();
  const isMisleading = held.some(
    ({ finding, at }) =>
      finding.id === "followers-refused" && at.job !== undefined && showsConsequence(at.job),
  );
  if (isMisleading && roots.length > 0) notes.add("the shown message is a consequence; see root");
  const isAwaited = roots.some(
    ({ finding, at }) =>
      finding.id === "pods-not-created" && at.job !== undefined && isRetriedSoon(view, at.job),
  );
  if (isAwaited) notes.add("job controller retries creation with up to 60 s backoff");
  return [...notes];
}

const BACKOFF_MILLISECONDS = 60_000;

/** Whether the last denial came before the leader had a node, or so lately that the next try is still to come. */
function isRetriedSoon({ now }: JobSetView, { failedCreation, leaders }: JobView): boolean {
  if (failedCreation?.failure.cause !== "FollowerDenied") return false;
  const { seenAt } = failedCreation.event;
  if (now - seenAt < BACKOFF_MILLISECONDS) return true;
  const leader = leaders.find(({ isActive, nodeName }) => isActive && nodeName !== "");
  const scheduled = conditionOf(leader?.pod.status?.conditions, "PodScheduled");
  const scheduledAt = parseTime(scheduled?.lastTransitionTime);
  return scheduledAt !== undefined && seenAt < scheduledAt;
}
