import { jobSetReasons } from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { desiredService } from "../desired/desired-service.ts";
import { asArray, asRecord, asString, getName } from "../jobset-members.ts";
import { createEffect } from "../plan/effects.ts";
import { unreadReason } from "../snapshot/unread-reason.ts";
import type { Draft } from "./draft.ts";
import type { Facts, Next } from "./phase.ts";

/**
 * Warns about a Service with the name of this JobSet's Service that selects the Pods of another JobSet, so that the
 * Pods of this JobSet have no DNS hostnames. Only the first status write emits an Event, because no condition
 * records that the Event was already emitted.
 */
export function warnServiceConflict({ jobSet, snapshot, context }: Facts, draft: Draft): Next {
  const service = desiredService(jobSet);
  if (service === undefined || context.quirks.has("ServiceConflictUnsaid")) return draft.continue();
  const { namespace = "", name = "" } = service.metadata;
  const inTheWay = snapshot.service(namespace, name);
  const selected = asRecord(inTheWay?.spec?.selector)[JOBSET_NAME_KEY] ?? getName(jobSet);
  if (selected === getName(jobSet)) return draft.continue();
  const message = `Service ${name} selects the Pods of JobSet ${asString(selected)}, so the Pods of this JobSet have no DNS hostnames`;
  const object = { kind: "Service", name };
  const warned = draft
    .warn(message)
    .decide({ phase: "service", rule: "ServiceConflict", object, message });
  const isFirstStatus = asArray(jobSet.status?.replicatedJobsStatus).length === 0;
  if (!isFirstStatus || draft.counters.length === 0) return warned.continue();
  return warned
    .event({ type: "Warning", reason: jobSetReasons.ServiceConflict, message })
    .continue();
}

/**
 * Creates the headless Service if DNS hostnames are enabled and no Service has its name. It accepts any Service with
 * that name, with any owner.
 */
export function createService({ jobSet, snapshot }: Facts, draft: Draft): Next {
  const service = desiredService(jobSet);
  if (service === undefined) return draft.continue();
  const { namespace = "", name = "" } = service.metadata;
  const object = { kind: "Service", name };
  const unread = unreadReason(snapshot, "Service");
  if (unread !== undefined) {
    return draft.abort({ phase: "service", object, message: unread });
  }
  const existing = snapshot.service(namespace, name);
  if (existing !== undefined) return draft.continue();
  return draft
    .step({
      phase: "service",
      rule: "ServiceMissing",
      object,
      message: "DNS hostnames are enabled and no Service has this name",
      effects: [createEffect(service)],
      concurrency: 1,
      onError: "Stop",
      dependsOn: [],
      failureEventReason: jobSetReasons.ServiceCreationFailed,
    })
    .continue();
}
