import { isObject, type Observed, type Pod } from "@jobset-ts/api";
import type { Check, CheckResult } from "../checks/check.ts";
import { podKey } from "./object-keys.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";

/**
 * Whether a follower is sent where its leader is: what the mutating webhook has brought about, when it could. When
 * that is all that is wrong, the leader got its node between the two webhooks, and the Job controller's next attempt
 * finds it there.
 */
export const selectorChecks: readonly Check<PodView, PodCheckId>[] = [
  {
    id: "node-selector-set",
    causes: ["node-in-domain"],
    run: ({ pod }) =>
      isObject(pod.spec?.nodeSelector)
        ? pass
        : missing(pod, "follower pod node selector not set", "spec.nodeSelector"),
  },
  {
    id: "topology-key-selected",
    causes: ["node-selector-set"],
    needs: ["node-selector-set"],
    run: ({ pod, topologyKey }) =>
      selectedDomain(pod, topologyKey) !== undefined
        ? pass
        : missing(
            pod,
            `follower pod node selector for topology domain not found. missing selector: ${topologyKey}`,
            `spec.nodeSelector[${topologyKey}]`,
          ),
  },
  {
    id: "leader-domain-selected",
    causes: ["topology-key-selected", "node-in-domain"],
    needs: ["topology-key-selected", "node-in-domain"],
    run: ({ pod, topologyKey, domain }) => {
      const got = selectedDomain(pod, topologyKey) ?? "";
      if (domain?.outcome !== "Found" || domain.domain === got) return pass;
      const object = podKey(pod);
      return {
        outcome: "Fail",
        message: `follower pod node selector ${topologyKey}=${got} does not match leader topology domain ${domain.domain}`,
        transient: true,
        objects: [object],
        evidence: [{ kind: "field", object, at: `spec.nodeSelector[${topologyKey}]`, text: got }],
      };
    },
  },
];

const pass: CheckResult = { outcome: "Pass" };

/** The domain that a Pod is sent to; `undefined` when it may run in any. */
export function selectedDomain(pod: Observed<Pod>, topologyKey: string): string | undefined {
  const selector: unknown = pod?.spec?.nodeSelector;
  if (!isObject(selector) || !Object.hasOwn(selector as object, topologyKey)) return undefined;
  const domain = (selector as Readonly<Record<string, unknown>>)[topologyKey];
  return typeof domain === "string" ? domain : undefined;
}

function missing(pod: Observed<Pod>, message: string, at: string): CheckResult {
  const object = podKey(pod);
  return {
    outcome: "Fail",
    message,
    transient: true,
    objects: [object],
    evidence: [{ kind: "absence", object, at, text: "the Pod does not carry it" }],
  };
}
