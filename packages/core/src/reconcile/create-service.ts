import { REASON_SERVICE_CREATION_FAILED } from "@jobset-ts/api/conditions";
import { desiredService } from "../desired/desired-service.ts";
import { createEffect } from "../plan/effects.ts";
import { whyUnread } from "../snapshot/why-unread.ts";
import type { Draft } from "./draft.ts";
import type { Facts, Next } from "./phase.ts";

/**
 * Creates the headless Service when DNS host names are on and no Service has its name. Any Service of that name
 * will do, whoever owns it and whatever it selects.
 */
export function createService({ jobSet, snapshot }: Facts, draft: Draft): Next {
  const service = desiredService(jobSet);
  if (service === undefined) return draft.goOn();
  const { namespace = "", name = "" } = service.metadata;
  const object = { kind: "Service", name };
  const unread = whyUnread(snapshot, "Service");
  if (unread !== undefined) {
    return draft.refuse({ phase: "service", object, message: unread });
  }
  if (snapshot.service(namespace, name) !== undefined) return draft.goOn();
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
