import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import type { Context } from "../context.ts";
import { getName } from "../jobset-members.ts";
import type { DecisionRule } from "../plan/decision-rules.ts";
import {
  deleteEffect,
  type Effect,
  MAX_CONCURRENT_EFFECTS,
  podTarget,
  updatePodStatusEffect,
} from "../plan/effects.ts";
import { applyChanges } from "../plan/field-changes.ts";
import type { Decision, PlacementPlan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { disruptionTargetChanges } from "./disruption-target.ts";
import { evaluatePlacement, type PlacementDecision } from "./evaluate-placement.ts";

/**
 * Plans how the followers of a leader get into its domain: no action, or the deletion of all followers. Their
 * replacements get the leader's node selector. A single misplaced follower leads to the deletion of all, because a
 * Job in two domains is useless. Each follower gets the condition `DisruptionTarget` first, and is not deleted if
 * that write fails.
 *
 * @param leader - the Pod that gave the reason to look, as observed then; what the snapshot holds under its name
 * counts. Which leader that is, says `leaderForPod`, and it is not asked again here
 * @returns never throws: what stands in the way is the plan's `error`, and nothing is deleted then
 * @see JobSet `pod_controller`
 */
export function reconcilePlacement(
  snapshot: Snapshot,
  leader: Unvalidated<Pod>,
  context: Context,
): PlacementPlan {
  const target = podTarget(leader);
  const { decision, foreign } = evaluatePlacement(
    snapshot,
    // If Pods were not read, the leader is unchanged, and the evaluation returns the reason.
    snapshot.kindStatus("Pod").outcome === "Read"
      ? snapshot.pod(target.namespace, target.name)
      : leader,
    context,
  );
  const warnings = foreign.map(
    (pod) =>
      `Pod ${getName(pod)} has the job key of ${target.name} but another owner; it is not changed`,
  );
  return { leader: target, warnings, ...planDecision(decision, target, context) };
}

function planDecision(
  decision: PlacementDecision,
  { kind, name }: PlacementPlan["leader"],
  { now }: Context,
): Pick<PlacementPlan, "steps" | "decisions" | "error"> {
  const createDecision = (
    rule: DecisionRule,
    message: string,
    object: Decision["object"] = { kind, name },
  ) => ({ phase: "placement", rule, object, message }) as const;
  switch (decision.action) {
    case "None":
      return { steps: [], decisions: [createDecision(decision.reason, reasons[decision.reason])] };
    case "Refuse": {
      const { message, object } = decision;
      return {
        steps: [],
        decisions: [createDecision("Refused", message, object)],
        error: { phase: "placement", message, object },
      };
    }
    case "DeleteFollowers": {
      const { violator, declared, domain, followers } = decision;
      const sentTo = declared === undefined ? "any domain" : `domain "${declared}"`;
      const why = createDecision(
        "ExclusivePlacementViolation",
        `its node selector selects ${sentTo}, but its leader ${name} is in "${domain}", so all followers are deleted`,
        { kind, name: violator },
      );
      const step = {
        ...why,
        effects: followers.flatMap((pod) => createDeletion(pod, now)),
        concurrency: MAX_CONCURRENT_EFFECTS,
        onError: "Continue",
        dependsOn: [],
      } as const;
      return { steps: [step], decisions: [why] };
    }
  }
}

const reasons = {
  LeaderGone: "the leader no longer exists, and its replacement is reconciled later",
  LeaderEnded: "the leader has finished, so its domain no longer binds its followers",
  NodeSelectorStrategy: "the Job is placed by node labels, and its Pods declare no domain",
  NoFollowers: "the leader has no followers",
  FollowersAgree: "all followers select the leader's domain",
} as const;

/** Returns the writes that delete one Pod: first the condition with the reason, unless the Pod has one already. */
function createDeletion(pod: Unvalidated<Pod>, now: Context["now"]): readonly Effect[] {
  const deletion = deleteEffect(podTarget(pod), pod, "Succeed", "Background");
  const changes = disruptionTargetChanges(pod, now);
  if (changes.length === 0) return [deletion];
  return [updatePodStatusEffect(applyChanges(pod, changes), changes), deletion];
}
