import {
  type AdmissionContext,
  type Denial,
  mutateJobSet,
  mutatePod,
  validateJobSet,
  validatePod,
  type WebhookRequest,
} from "@jobset-ts/admission";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { getLabel } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionResult, AdmissionStep, Review } from "../api-server/admission-step.ts";
import type { ServerRejection } from "../api-server/api-request.ts";
import { createRejection } from "../api-server/rejections.ts";
import type { ManagerMemory } from "./manager-memory.ts";
import { type NetworkFaults, NO_FAULTS } from "./network-faults.ts";

/** JobSet's webhooks, in calling order. */
export const webhookNames = ["mjobset.kb.io", "mpod.kb.io", "vjobset.kb.io", "vpod.kb.io"] as const;

export type WebhookName = (typeof webhookNames)[number];

/**
 * Creates JobSet's four webhooks, which a manager serves from its lagging caches. While the manager is down, the
 * webhook calls fail. The Pod webhooks are called only for Pods with the JobSet label.
 *
 * @param managers - the components whose caches the webhooks read: the first running one
 * @param context - feature gates and quirks
 * @param isDown - returns whether a webhook does not respond
 */
export function createManagerWebhooks(
  managers: readonly string[],
  context: AdmissionContext,
  isDown: NetworkFaults["isWebhookDown"] = NO_FAULTS.isWebhookDown,
): readonly AdmissionStep[] {
  const step = (
    name: WebhookName,
    kind: "JobSet" | "Pod",
    { mutates, onUpdate }: { readonly mutates: boolean; readonly onUpdate: boolean },
    call: (request: WebhookRequest, snapshot: Snapshot) => WebhookResponse,
  ): AdmissionStep => ({
    name,
    mutates,
    onUpdate,
    kinds: [kind],
    review: (review) => {
      const { object, before } = review;
      if (kind === "Pod" && getLabel(object, JOBSET_NAME_KEY) === undefined) {
        return { ok: true, object };
      }
      const snapshot = findSnapshot(name, managers, review);
      if (snapshot === undefined || isDown(name, review.now)) return createUnreachableError(name);
      const request: WebhookRequest = {
        operation: before === undefined ? "CREATE" : "UPDATE",
        object,
        ...(before !== undefined && { oldObject: before }),
      };
      return toAdmissionResult(name, object, call(request, snapshot));
    },
  });

  return [
    step("mjobset.kb.io", "JobSet", { mutates: true, onUpdate: false }, (request, snapshot) =>
      mutateJobSet(request, snapshot, context),
    ),
    step("mpod.kb.io", "Pod", { mutates: true, onUpdate: false }, (request, snapshot) =>
      mutatePod(request, snapshot, context),
    ),
    step("vjobset.kb.io", "JobSet", { mutates: false, onUpdate: true }, (request, snapshot) =>
      validateJobSet(request, snapshot, context),
    ),
    step("vpod.kb.io", "Pod", { mutates: false, onUpdate: false }, (request, snapshot) =>
      validatePod(request, snapshot, context),
    ),
  ];
}

/** Returns the snapshot of a webhook: the caches of the first manager that is up and not frozen. */
function findSnapshot(
  webhook: WebhookName,
  managers: readonly string[],
  { getMemory: memoryOf, now }: Review,
): Snapshot | undefined {
  for (const name of managers) {
    const { caches, frozenUntil = 0, staleWebhooks } = memoryOf(name) as ManagerMemory;
    if (caches === undefined || now < frozenUntil) continue;
    const stale = staleWebhooks?.[webhook];
    return stale !== undefined && now < stale.until ? stale.snapshot : caches.snapshot;
  }
  return undefined;
}

type WebhookResponse =
  | { readonly allowed: true; readonly object?: unknown }
  | { readonly allowed: false; readonly denial: Denial };

function toAdmissionResult(
  name: string,
  object: Review["object"],
  response: WebhookResponse,
): AdmissionResult {
  if (response.allowed)
    return { ok: true, object: (response.object ?? object) as Review["object"] };
  const { code, reason, message } = response.denial.status;
  return createRejection(
    code,
    reason ?? "",
    `admission webhook "${name}" denied the request: ${message}`,
  );
}

function createUnreachableError(name: string): ServerRejection {
  const cause = `Post "https://jobset-webhook-service.jobset-system.svc:443/?timeout=10s": dial tcp: connect: connection refused`;
  return createRejection(
    500,
    "InternalError",
    `Internal error occurred: failed calling webhook "${name}": failed to call webhook: ${cause}`,
  );
}
