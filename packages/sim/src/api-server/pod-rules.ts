import { integerOf } from "@jobset-ts/api/kubernetes";
import { edited } from "./become.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

const DEFAULT_GRACE_SECONDS = 30;

/** What the API server does with a Pod. */
export const podRules: Partial<KindRules> = {
  prepared: (pod) =>
    edited(pod, (draft) => {
      (draft as { status?: unknown }).status = { phase: "Pending" };
    }),
  // Nobody runs a Pod that has ended or is on no node.
  graceSeconds: ({ spec, status }: Stored, asked) => {
    const { nodeName, terminationGracePeriodSeconds } = (spec ?? {}) as Record<string, unknown>;
    const { phase } = (status ?? {}) as { phase?: string };
    if (!nodeName || phase === "Succeeded" || phase === "Failed") return 0;
    return asked ?? integerOf(terminationGracePeriodSeconds, DEFAULT_GRACE_SECONDS);
  },
};
