import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { evaluateChecks, firstFailure } from "@jobset-ts/checks";
import { createContext, createSnapshot, type Quirk } from "@jobset-ts/core";
import { podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createDenial } from "../denial/denial.ts";
import { explainDenial } from "../denial/explain-denial.ts";
import { mutatePod } from "./mutate-pod.ts";
import type { ReportedPodCheckId } from "./pod-check-ids.ts";
import { podCheckSet } from "./pod-checks.ts";
import { UPSTREAM_POD_ORDER } from "./pod-orders.ts";
import { podRole } from "./pod-role.ts";
import { podView } from "./pod-view.ts";
import {
  admitsSamePods,
  anyPodGetsResponse,
  bothWebhooksAgreeWithTruthTable,
  changesAreReported,
  leaderPendingIsNotMasked,
  mutationIsIdempotent,
  podAdmissionDoesNotChangeInput,
  podAdmissionIgnoresListOrder,
  podValidationAgreesWithTheTable,
  rootsHaveNoFailingCause,
  type ValidatePod,
} from "./testing/pod-properties.ts";
import { PR_1188_POD_ORDER } from "./testing/pr-1188-pod-order.ts";
import { validatePod } from "./validate-pod.ts";

const some = { numRuns: runs(150) };
const webhooks = { mutate: mutatePod, validate: validatePod };

function createQuirkedWebhooks(...quirks: readonly Quirk[]) {
  return createContext({ now: 0, quirks });
}

const upstream = createQuirkedWebhooks(
  "FollowerSelectorCheckedFirst",
  "FollowerSelectorValueUnchecked",
);

/** A validating webhook that runs these checks in this order. */
function createOrderedWebhook(order: readonly ReportedPodCheckId[]): ValidatePod {
  return ({ object }, snapshot) => {
    const pod = object as Unvalidated<Pod>;
    const role = podRole(pod);
    if (role.kind !== "Follower") return { allowed: true };
    const view = podView({ pod, topologyKey: role.topologyKey }, snapshot, createQuirkedWebhooks());
    const evaluation = evaluateChecks(podCheckSet, view);
    const reported = firstFailure(evaluation, order);
    const denial = reported && createDenial(evaluation, { reported });
    return denial === undefined ? { allowed: true } : { allowed: false, denial };
  };
}

describe("a leader that waits for a node", () => {
  it("a denied follower gets the first root cause", () => {
    fc.assert(leaderPendingIsNotMasked(validatePod), some);
  });

  it("upstream's order reports the missing node selector in place of the pending leader", () => {
    const { failed, errorInstance } = fc.check(
      leaderPendingIsNotMasked(validatePod, createQuirkedWebhooks("FollowerSelectorCheckedFirst")),
      some,
    );
    expect(failed).toBe(true);
    expect(String(errorInstance)).toContain("the leader that waits is masked");
  });

  it("a denied follower gets the first failed check in the order of pull request #1188", () => {
    fc.assert(leaderPendingIsNotMasked(createOrderedWebhook(PR_1188_POD_ORDER)), some);
  });
});

describe("a denial", () => {
  it.each([
    ["by default", createQuirkedWebhooks()],
    ["in upstream's order", upstream],
  ])("a denial separates causes from symptoms %s", (_, context) => {
    fc.assert(rootsHaveNoFailingCause(validatePod, context), some);
  });
});

describe("the validating webhook alone", () => {
  it("the validating webhook alone matches the truth table", () => {
    fc.assert(podValidationAgreesWithTheTable(validatePod, "rootCause"), some);
  });

  it("the validating webhook alone matches upstream's truth table", () => {
    fc.assert(podValidationAgreesWithTheTable(validatePod, "upstream", upstream), some);
  });

  it("the validating webhook alone matches the truth table of pull request #1188", () => {
    fc.assert(
      podValidationAgreesWithTheTable(createOrderedWebhook(PR_1188_POD_ORDER), "pr1188"),
      some,
    );
  });

  it("with both orders of leader and selector, the validating webhook alone admits the same Pods as upstream", () => {
    fc.assert(
      admitsSamePods(
        createOrderedWebhook(UPSTREAM_POD_ORDER),
        createOrderedWebhook(PR_1188_POD_ORDER),
      ),
      some,
    );
    fc.assert(
      admitsSamePods(
        (request, snapshot) => validatePod(request, snapshot, upstream),
        createOrderedWebhook(PR_1188_POD_ORDER),
      ),
      some,
    );
  });

  it("the validating webhook alone admits fewer Pods than upstream by default", () => {
    const { failed } = fc.check(
      admitsSamePods(validatePod, createOrderedWebhook(UPSTREAM_POD_ORDER)),
      some,
    );
    expect(failed).toBe(true);
  });
});

describe("both webhooks of an idle cluster", () => {
  it("both webhooks in an idle cluster match the truth table", () => {
    fc.assert(bothWebhooksAgreeWithTruthTable(webhooks, "rootCause"), some);
  });

  it("both webhooks in an idle cluster match upstream's truth table", () => {
    fc.assert(bothWebhooksAgreeWithTruthTable(webhooks, "upstream", upstream), some);
  });

  it("both webhooks in an idle cluster do not depend on the order of listed objects", () => {
    fc.assert(podAdmissionIgnoresListOrder(webhooks), some);
  });

  it("both webhooks in an idle cluster do not change their input, and accept frozen input", () => {
    fc.assert(podAdmissionDoesNotChangeInput(webhooks), some);
  });

  it("both webhooks return a decision for every request", () => {
    fc.assert(anyPodGetsResponse(webhooks), { numRuns: runs(500, 100_000) });
  });
});

describe("the explanation of a denial", () => {
  it.each([
    ["by default", createQuirkedWebhooks()],
    ["in upstream's order", upstream],
  ])("the explanation leads from a root to the reported finding %s", (_, context) => {
    fc.assert(
      fc.property(podAdmissionRequests(), ({ pod, objects }) => {
        const snapshot = createSnapshot(objects, { kinds: ["Pod", "Node"] });
        const result = validatePod({ operation: "CREATE", object: pod }, snapshot, context);
        if (result.allowed) return;
        const { chain, root, symptom, masked, transient } = explainDenial(result.denial);
        expect(result.denial.roots.map(({ evidence }) => evidence)).toContainEqual(
          chain[0]?.evidence,
        );
        expect(chain[0]).toMatchObject({ ...root, causedBy: [] });
        expect(chain.at(-1)).toMatchObject(symptom);
        for (const [index, { causedBy }] of chain.entries()) {
          expect(causedBy).toEqual(
            chain
              .slice(0, index)
              .slice(-1)
              .map(({ id }) => id),
          );
        }
        expect(transient).toBe(result.denial.roots.every(({ transient }) => transient));
        if (context !== upstream) expect(masked).toBeUndefined();
      }),
      some,
    );
  });
});

describe("the mutating webhook", () => {
  it("the mutating webhook changes nothing the second time", () => {
    fc.assert(mutationIsIdempotent(mutatePod), some);
  });

  it("the mutating webhook adds a leader's terms a second time under LeaderTermsAppendedAgain", () => {
    const appending = createQuirkedWebhooks("LeaderTermsAppendedAgain");
    expect(fc.check(mutationIsIdempotent(mutatePod, appending), some).failed).toBe(true);
  });

  it("the decisions of the mutating webhook list exactly its changes", () => {
    fc.assert(changesAreReported(mutatePod), some);
  });
});
