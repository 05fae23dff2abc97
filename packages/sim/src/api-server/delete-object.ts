import { formatTime } from "@jobset-ts/api";
import { isEqualJson, type ObjectMeta } from "@jobset-ts/api/kubernetes";
import { withMembers } from "../with-members.ts";
import type { ServerReply, ServerRequest } from "./api-request.ts";
import { getDeletionFinalizers, getGraceSeconds } from "./deletion.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";
import { type RequestExecution, storeVersion } from "./request-execution.ts";
import { shareUnchanged } from "./stored-values.ts";

/** Deletes an object: at once, or after its finalizers and its grace period. */
export function deleteObject(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  { propagationPolicy, gracePeriodSeconds }: ServerRequest,
): ServerReply {
  const finalizers = getDeletionFinalizers(rules, stored, propagationPolicy);
  const grace = getGraceSeconds(rules, stored, gracePeriodSeconds);
  // An object with a grace period gets a deletionTimestamp first, even if the period is zero.
  const isMarked = rules.graceSeconds !== undefined && !stored.metadata.deletionTimestamp;
  const isOver = finalizers.length === 0 && grace === 0;
  if (isOver && !isMarked) {
    serving.commit(stored, undefined);
    return { ok: true, object: stored };
  }
  const metadata = createDeletionMetadata(serving, rules, stored, finalizers, grace);
  const after = shareUnchanged(stored, withMembers(stored, { metadata }));
  if (isOver) {
    const marked = serving.commit(stored, after);
    serving.commit(marked, undefined);
    return { ok: true, object: marked };
  }
  return { ok: true, object: storeVersion(serving, stored, after) };
}

/** Returns the metadata of an object in deletion. A later request can only shorten the grace period. */
function createDeletionMetadata(
  serving: RequestExecution,
  rules: KindRules,
  { metadata }: Stored,
  finalizers: readonly string[],
  grace: number,
): ObjectMeta {
  const { finalizers: current, ...others } = metadata;
  const next: MutableMetadata = others;
  const retained = isEqualJson(current ?? [], finalizers) ? current : [...finalizers];
  const isFirst = metadata.deletionTimestamp === undefined;
  const isShorter = grace < (metadata.deletionGracePeriodSeconds ?? 0);
  // Not a literal with spreads, which would give each object its own hidden class.
  if (retained !== undefined && retained.length > 0) next.finalizers = retained;
  if (isFirst || isShorter) {
    next.deletionTimestamp = formatTime(serving.server.now + grace * 1000);
    next.deletionGracePeriodSeconds = grace;
  }
  if (isFirst && rules.countsGenerations) next.generation = (metadata.generation ?? 0) + 1;
  return next;
}

type MutableMetadata = { -readonly [Name in keyof ObjectMeta]: ObjectMeta[Name] };
