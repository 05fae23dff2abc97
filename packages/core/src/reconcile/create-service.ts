import { REASON_SERVICE_CREATION_FAILED } from "@jobset-ts/api/conditions";
import { desiredService } from "../desired/desired-service.ts";
import { createEffect } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { whyUnread } from "../snapshot/why-unread.ts";
import type { Pass } from "./pass.ts";

/**
 * Creates the headless Service when DNS host names are on and no Service has its name. Any Service of that name
 * will do, whoever owns it and whatever it selects.
 *
 * @returns the plan of the pass when it ends here, because nobody knows whether the Service exists
 */
export function createService(pass: Pass, snapshot: Snapshot): Plan | undefined {
  const service = desiredService(pass.jobSet);
  if (service === undefined) return undefined;
  const { namespace = "", name = "" } = service.metadata;
  const unread = whyUnread(snapshot, "Service");
  if (unread !== undefined) return pass.refuse("service", unread, { kind: "Service", name });
  if (snapshot.service(namespace, name) !== undefined) return undefined;
  pass.step({
    phase: "service",
    decision: {
      phase: "service",
      rule: "ServiceMissing",
      object: { kind: "Service", name },
      message: "DNS host names are enabled and no Service has this name",
    },
    effects: [createEffect(service)],
    concurrency: 1,
    afterFailure: "SkipOthers",
    finishPhase: false,
    failureEventReason: REASON_SERVICE_CREATION_FAILED,
  });
  return undefined;
}
