import type { Unvalidated } from "@jobset-ts/api";
import { jobSetMessages, jobSetReasons } from "@jobset-ts/api/conditions";
import { getControllerOf, type Pod } from "@jobset-ts/api/kubernetes";
import { asString, getName, getNamespace, getUid } from "../jobset-members.ts";
import { evaluateInPlaceRestart, isInPlaceRestart } from "../policies/in-place-restart.ts";
import { unreadReason } from "../snapshot/unread-reason.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/** Moves the attempts for which the in-place restart agents wait. */
export function restartInPlace(facts: Facts, draft: Draft): Next {
  const { jobSet, snapshot, context } = facts;
  const phase = "in-place-restart";
  // Only in-place restart needs the Pods, of which there may be many.
  const needsPods = isInPlaceRestart(jobSet, context);
  const unread = needsPods ? unreadReason(snapshot, "Pod") : undefined;
  if (unread !== undefined) {
    const object = { kind: "Pod", name: "" };
    return draft.abort({ phase, object, message: unread });
  }
  const pods = needsPods ? listOwnPods(facts) : [];
  const decision = evaluateInPlaceRestart(jobSet, pods, context);
  const object = jobSetReference(facts);
  switch (decision.action) {
    case "None":
      return draft.continue();
    case "GateOff":
      return draft
        .warn("in-place restart strategy cannot be used when the feature gate is disabled")
        .continue();
    case "FailJobSet": {
      const message = `${decision.attempts} restarts (${decision.counted}) are more than maxRestarts`;
      return draft
        .decide({ phase, rule: decision.action, object, message })
        .fail(jobSetReasons.ReachedMaxRestarts, jobSetMessages.ReachedMaxRestarts)
        .continue();
    }
    case "SetCurrentAttempt": {
      const message = `all Pods have reached attempt ${decision.attempt}`;
      return draft
        .decide({ phase, rule: decision.action, object, message })
        .change({ currentInPlaceRestartAttempt: decision.attempt })
        .continue();
    }
    case "SetPreviousAttempt": {
      const message = `a Pod is beyond attempt ${decision.attempt}, so the other Pods restart`;
      return draft
        .decide({ phase, rule: decision.action, object, message })
        .change({ previousInPlaceRestartAttempt: decision.attempt })
        .continue();
    }
    case "Refuse":
      return draft.abort({
        phase,
        object: decision.object,
        message: decision.message,
      });
  }
}

/**
 * Returns the Pods of the JobSet's own Jobs. Their labels contain only the name of their JobSet, and Pods of a
 * deleted JobSet with the same name may still be terminating.
 */
function listOwnPods({ jobSet, snapshot, context }: Facts): readonly Unvalidated<Pod>[] {
  const named = snapshot.podsOfJobSet(getNamespace(jobSet), getName(jobSet));
  if (context.quirks.has("PodsOfDeletedJobSetCount")) return named;
  const jobs = new Set(snapshot.childJobs(jobSet).map(getUid));
  return named.filter((pod) => jobs.has(asString(getControllerOf(pod)?.uid)));
}
