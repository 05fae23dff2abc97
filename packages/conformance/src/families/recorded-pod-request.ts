import type { Denial, WebhookRequest } from "@jobset-ts/admission";
import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import {
  type Context,
  createContext,
  createSnapshot,
  type Quirks,
  type ReadError,
  type Snapshot,
} from "@jobset-ts/core";
import { readRecordedInput } from "./recorded-input.ts";

/** A Pod that is sent to one of the two webhooks, and the objects that they can read. */
export interface RecordedPodRequest {
  readonly request: WebhookRequest;
  readonly snapshot: Snapshot;
  contextUnder(quirks: Quirks): Context;
}

interface Input {
  readonly pod: Unvalidated<Pod>;
  readonly pods: readonly Unvalidated<Pod>[];
  readonly nodes: readonly Unvalidated<KubernetesObject>[];
  readonly readErrors?: Readonly<Partial<Record<"pods" | "nodes", string | ReadError>>>;
  readonly operation?: WebhookRequest["operation"];
  readonly features?: Readonly<Record<string, boolean>>;
}

/** Reads the input of the families `pod.mutate` and `pod.validate`. */
export function readRecordedPodRequest(recorded: unknown): RecordedPodRequest {
  const input = readRecordedInput<Input>(recorded, ["pod", "pods", "nodes"]);
  const { pod, pods, nodes, readErrors, operation = "CREATE", features } = input;
  return {
    request: { operation, object: pod, oldObject: operation === "CREATE" ? undefined : pod },
    snapshot: createSnapshot([...pods, ...nodes], {
      kinds: ["Pod", "Node"],
      readErrors: {
        ...(readErrors?.pods !== undefined && { Pod: readErrors.pods }),
        ...(readErrors?.nodes !== undefined && { Node: readErrors.nodes }),
      },
    }),
    // The Pod webhooks do not use the clock.
    contextUnder: (quirks) => createContext({ now: 0, quirks, features }),
  };
}

/** Returns a denial in its recorded form. */
export function toRecordedDenial({ status: { code, reason, message } }: Denial) {
  return { allowed: false, code, ...(reason !== undefined && { reason }), message };
}
