import type { Unvalidated } from "@jobset-ts/api";
import { isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { Check, CheckResult, FindingText } from "@jobset-ts/checks";
import { podKey } from "./object-keys.ts";
import { AWAIT_RETRY } from "./pod-advice.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";

/** The advice for a follower without a node selector. */
const selectorMissing: FindingText = {
  problem: "selector-missing",
  advice: [`the leader got its node between the two webhooks: ${AWAIT_RETRY}`],
  // The mutating webhook sets the selector if the domain is known, and otherwise leaves the follower to the validating
  // webhook.
  between: {
    causes: ["follower-labelled", "one-active-leader", "same-owner", "leader-scheduled"],
    problem: "patch-skipped",
    statement: "the mutating webhook did not know the domain and left the follower unchanged",
  },
};

/**
 * Checks whether a follower selects its leader's domain, which the mutating webhook sets if it can. If only these
 * checks fail, the leader got its node between the two webhooks, and the Job controller's next attempt succeeds.
 */
export const selectorChecks: readonly Check<PodView, PodCheckId>[] = [
  {
    id: "node-selector-set",
    causes: ["node-in-domain"],
    texts: selectorMissing,
    run: ({ pod, topologyKey }) =>
      isObject(pod.spec?.nodeSelector)
        ? pass
        : createMissingSelectorResult(pod, topologyKey, "follower pod node selector not set"),
  },
  {
    id: "topology-key-selected",
    causes: ["node-selector-set"],
    needs: ["node-selector-set"],
    texts: selectorMissing,
    run: ({ pod, topologyKey }) =>
      selectedDomain(pod, topologyKey) !== undefined
        ? pass
        : createMissingSelectorResult(
            pod,
            topologyKey,
            `follower pod node selector for topology domain not found. missing selector: ${topologyKey}`,
          ),
  },
  {
    id: "leader-domain-selected",
    causes: ["topology-key-selected", "node-in-domain"],
    needs: ["topology-key-selected", "node-in-domain"],
    texts: {
      problem: "selector-differs",
      advice: [`the leader's domain changed between the two webhooks: ${AWAIT_RETRY}`],
    },
    run: ({ pod, topologyKey, domain }) => {
      const actual = selectedDomain(pod, topologyKey) ?? "";
      if (domain?.outcome !== "Found" || domain.domain === actual) return pass;
      const object = podKey(pod);
      return {
        outcome: "Fail",
        message: `follower pod node selector ${topologyKey}=${actual} does not match leader topology domain ${domain.domain}`,
        transient: true,
        objects: [object],
        evidence: [{ kind: "Field", object, at: selectorPath(topologyKey), text: actual }],
      };
    },
  },
];

const pass: CheckResult = { outcome: "Pass" };

/** Returns the domain that a Pod selects; `undefined` if it may run in any. */
export function selectedDomain(pod: Unvalidated<Pod>, topologyKey: string): string | undefined {
  const selector: unknown = pod?.spec?.nodeSelector;
  if (!isObject(selector) || !Object.hasOwn(selector as object, topologyKey)) return undefined;
  const domain = (selector as Readonly<Record<string, unknown>>)[topologyKey];
  return typeof domain === "string" ? domain : undefined;
}

function selectorPath(topologyKey: string): string {
  return `spec.nodeSelector[${topologyKey}]`;
}

function createMissingSelectorResult(
  pod: Unvalidated<Pod>,
  topologyKey: string,
  message: string,
): CheckResult {
  const object = podKey(pod);
  const at = selectorPath(topologyKey);
  return {
    outcome: "Fail",
    message,
    statement: `the follower has no selector for ${topologyKey}`,
    transient: true,
    objects: [object],
    evidence: [{ kind: "Absence", object, at, text: "the Pod does not have it" }],
  };
}
