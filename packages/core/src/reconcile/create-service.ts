import type { Observed } from "@jobset-ts/api";
import { REASON_SERVICE_CONFLICT, REASON_SERVICE_CREATION_FAILED } from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Service } from "@jobset-ts/api/kubernetes";
import { desiredService } from "../desired/desired-service.ts";
import { listOf, membersOf, nameOf, textOf } from "../jobset-members.ts";
import { createEffect } from "../plan/effects.ts";
import { whyUnread } from "../snapshot/why-unread.ts";
import type { Draft } from "./draft.ts";
import type { Facts, Next } from "./phase.ts";

/**
 * Creates the headless Service when DNS host names are on and no Service has its name. Any Service of that name will do,
 * whoever owns it; of one that selects the Pods of another JobSet the plan warns, and the first status tells by an Event.
 */
export function createService(facts: Facts, draft: Draft): Next {
  const { jobSet, snapshot } = facts;
  const service = desiredService(jobSet);
  if (service === undefined) return draft.goOn();
  const { namespace = "", name = "" } = service.metadata;
  const object = { kind: "Service", name };
  const unread = whyUnread(snapshot, "Service");
  if (unread !== undefined) {
    return draft.refuse({ phase: "service", object, message: unread });
  }
  const existing = snapshot.service(namespace, name);
  if (existing !== undefined) return tellConflict(facts, draft, existing).goOn();
  return draft
    .step({
      phase: "service",
      rule: "ServiceMissing",
      object,
      message: "DNS host names are enabled and no Service has this name",
      effects: [createEffect(service)],
      concurrency: 1,
      afterFailure: "SkipOthers",
      finishPhase: false,
      failureEventReason: REASON_SERVICE_CREATION_FAILED,
    })
    .goOn();
}

/** The Pods of a JobSet have no DNS host names in a Service that selects those of another. */
function tellConflict({ jobSet, context }: Facts, draft: Draft, service: Observed<Service>): Draft {
  const selected = membersOf(service.spec?.selector)[JOBSET_NAME_KEY] ?? nameOf(jobSet);
  if (selected === nameOf(jobSet) || context.quirks.has("ServiceConflictUnsaid")) return draft;
  const name = nameOf(service);
  const message = `Service ${name} selects the Pods of JobSet ${textOf(selected)}, so those of this JobSet have no DNS host names`;
  const told = draft.warn(message).decide({
    phase: "service",
    rule: "ServiceConflict",
    object: { kind: "Service", name },
    message,
  });
  // No condition says it, by which a later pass could tell that it was said. The first status is written once.
  const isFirstStatus = listOf(jobSet.status?.replicatedJobsStatus).length === 0;
  return isFirstStatus && draft.counters.length > 0
    ? told.event({ type: "Warning", reason: REASON_SERVICE_CONFLICT, message })
    : told;
}
