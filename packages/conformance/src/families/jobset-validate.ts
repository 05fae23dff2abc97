import { type AdmissionContext, validateJobSet, type WebhookRequest } from "@jobset-ts/admission";
import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Quirks, type ReadError } from "@jobset-ts/core";
import type { Family, ReplayContext, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { toRecordedResponse } from "./recorded-response.ts";
import { replayWithQuirks } from "./replay-with-quirks.ts";

type Features = Readonly<Record<string, boolean>>;

interface CreateInput {
  readonly jobset: unknown;
  readonly persistentVolumeClaims?: readonly Unvalidated<KubernetesObject>[];
  readonly readErrors?: { readonly persistentVolumeClaims?: string | ReadError };
  readonly features?: Features;
}

/** Replays the response of the validating JobSet webhook to a creation. */
export const jobsetValidateCreate: Family = {
  family: "jobset.validateCreate",
  replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
    const input = readRecordedInput<CreateInput>(recorded, ["jobset"]);
    const { jobset, persistentVolumeClaims = [], readErrors, features } = input;
    const unread = readErrors?.persistentVolumeClaims;
    const snapshot = createSnapshot(persistentVolumeClaims, {
      kinds: ["PersistentVolumeClaim"],
      ...(unread !== undefined && { readErrors: { PersistentVolumeClaim: unread } }),
    });
    const request: WebhookRequest = { operation: "CREATE", object: jobset };
    return replayWithQuirks(quirks, (under) =>
      toRecordedResponse(validateJobSet(request, snapshot, contextUnder(features, under))),
    );
  },
};

interface UpdateInput {
  readonly old: unknown;
  readonly new: unknown;
  readonly features?: Features;
}

/**
 * Replays the response of the validating JobSet webhook to an update. Upstream does not read PersistentVolumeClaims for
 * it.
 */
export const jobsetValidateUpdate: Family = {
  family: "jobset.validateUpdate",
  replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
    const { old, new: next, features } = readRecordedInput<UpdateInput>(recorded, ["old", "new"]);
    const request: WebhookRequest = { operation: "UPDATE", object: next, oldObject: old };
    const snapshot = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
    return replayWithQuirks(quirks, (under) =>
      toRecordedResponse(validateJobSet(request, snapshot, contextUnder(features, under))),
    );
  },
};

interface DeleteInput {
  readonly old: unknown;
}

/** Replays the response of the validating JobSet webhook to a deletion. */
export const jobsetValidateDelete: Family = {
  family: "jobset.validateDelete",
  replay(recorded: unknown, { quirks }: ReplayContext): ReplayResult {
    const { old } = readRecordedInput<DeleteInput>(recorded, ["old"]);
    const request: WebhookRequest = { operation: "DELETE", oldObject: old };
    return replayWithQuirks(quirks, (under) =>
      toRecordedResponse(
        validateJobSet(request, createSnapshot([]), contextUnder(undefined, under)),
      ),
    );
  },
};

function contextUnder(features: Features | undefined, quirks: Quirks): AdmissionContext {
  // The JobSet webhooks do not use the clock.
  return createContext({ now: 0, features, quirks });
}
