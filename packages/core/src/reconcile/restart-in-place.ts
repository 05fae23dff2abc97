import {
  MESSAGE_REACHED_MAX_RESTARTS,
  REASON_REACHED_MAX_RESTARTS,
} from "@jobset-ts/api/conditions";
import { nameOf, namespaceOf } from "../jobset-members.ts";
import type { Plan } from "../plan/plan.ts";
import { inPlaceRestartDecision, restartsInPlace } from "../policies/in-place-restart.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { whyUnread } from "../snapshot/why-unread.ts";
import type { Pass } from "./pass.ts";

/**
 * Moves the attempts that the in-place restart agents wait for.
 *
 * @returns the plan of the pass when it fails here
 */
export function restartInPlace(pass: Pass, snapshot: Snapshot): Plan | undefined {
  const { jobSet, context } = pass;
  // Nobody else needs the Pods, and there may be very many.
  const needsPods = restartsInPlace(jobSet, context);
  const unread = needsPods ? whyUnread(snapshot, "Pod") : undefined;
  if (unread !== undefined) {
    return pass.refuse("in-place-restart", unread, { kind: "Pod", name: "" });
  }
  const pods = needsPods ? snapshot.podsOfJobSet(namespaceOf(jobSet), nameOf(jobSet)) : [];
  const decision = inPlaceRestartDecision(jobSet, pods, context);
  const decide = (message: string) =>
    pass.decide({ phase: "in-place-restart", rule: decision.action, object: pass.self, message });
  switch (decision.action) {
    case "None":
      return undefined;
    case "GateOff":
      pass.warn("in-place restart strategy cannot be used when the feature gate is disabled");
      return undefined;
    case "FailJobSet":
      decide(`${decision.attempts} restarts (${decision.counted}) are more than maxRestarts`);
      pass.fail(REASON_REACHED_MAX_RESTARTS, MESSAGE_REACHED_MAX_RESTARTS);
      return undefined;
    case "SetCurrentAttempt":
      decide(`all Pods have reached attempt ${decision.attempt}`);
      pass.change({ currentInPlaceRestartAttempt: decision.attempt });
      return undefined;
    case "SetPreviousAttempt":
      decide(`some Pod is beyond attempt ${decision.attempt}: the others restart`);
      pass.change({ previousInPlaceRestartAttempt: decision.attempt });
      return undefined;
    case "Refuse":
      return pass.refuse("in-place-restart", decision.message, decision.object);
  }
}
