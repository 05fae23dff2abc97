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
import { PR_1188_POD_ORDER, UPSTREAM_POD_ORDER } from "./pod-orders.ts";
import { podRole } from "./pod-role.ts";
import { podView } from "./pod-view.ts";
import {
  anyPodIsAnswered,
  bothStagesAgreeWithTheTable,
  changesAreAnnounced,
  leaderPendingIsNotMasked,
  mutatingTwiceIsMutatingOnce,
  podAdmissionHidesTheListingOrder,
  podAdmissionLeavesInputAlone,
  podValidationAgreesWithTheTable,
  rootsHaveNoFailingCause,
  sameAreLetIn,
  type ValidatePod,
} from "./testing/pod-properties.ts";
import { validatePod } from "./validate-pod.ts";

const some = { numRuns: runs(150) };
const webhooks = { mutate: mutatePod, validate: validatePod };

function under(...quirks: readonly Quirk[]) {
  return createContext({ now: 0, quirks });
}

const upstream = under("FollowerSelectorCheckedFirst", "FollowerSelectorValueUnchecked");

/** A validating webhook that makes some checks in some order. */
function inOrder(order: readonly ReportedPodCheckId[]): ValidatePod {
  return ({ object }, snapshot) => {
    const pod = object as Unvalidated<Pod>;
    const role = podRole(pod);
    if (role.kind !== "Follower") return { allowed: true };
    const view = podView({ pod, topologyKey: role.topologyKey }, snapshot);
    const evaluation = evaluateChecks(podCheckSet, view);
    const reported = firstFailure(evaluation, order);
    const denial = reported && createDenial(evaluation, { reported });
    return denial === undefined ? { allowed: true } : { allowed: false, denial };
  };
}

describe("the leader that waits for a node", () => {
  it("a denied follower gets the first root cause", () => {
    fc.assert(leaderPendingIsNotMasked(validatePod), some);
  });

  it("the leader that waits for a node hides behind the missing node selector in upstream's order", () => {
    const { failed, errorInstance } = fc.check(
      leaderPendingIsNotMasked(validatePod, under("FollowerSelectorCheckedFirst")),
      some,
    );
    expect(failed).toBe(true);
    expect(String(errorInstance)).toContain("the leader that waits is masked");
  });

  it("a denied follower gets the first failed check in the order of pull request #1188", () => {
    fc.assert(leaderPendingIsNotMasked(inOrder(PR_1188_POD_ORDER)), some);
  });
});

describe("a denial", () => {
  it.each([
    ["by default", under()],
    ["in upstream's order", upstream],
  ])("a denial tells causes from symptoms %s", (_, context) => {
    fc.assert(rootsHaveNoFailingCause(validatePod, context), some);
  });
});

describe("the validating webhook alone", () => {
  it("the validating webhook alone says what the truth table says", () => {
    fc.assert(podValidationAgreesWithTheTable(validatePod, "rootCause"), some);
  });

  it("the validating webhook alone says what the truth table says of upstream", () => {
    fc.assert(podValidationAgreesWithTheTable(validatePod, "upstream", upstream), some);
  });

  it("the validating webhook alone says what the truth table says of pull request #1188", () => {
    fc.assert(podValidationAgreesWithTheTable(inOrder(PR_1188_POD_ORDER), "pr1188"), some);
  });

  it("the validating webhook alone lets in what upstream lets in, whichever comes first, leader or selector", () => {
    fc.assert(sameAreLetIn(inOrder(UPSTREAM_POD_ORDER), inOrder(PR_1188_POD_ORDER)), some);
    fc.assert(
      sameAreLetIn(
        (request, snapshot) => validatePod(request, snapshot, upstream),
        inOrder(PR_1188_POD_ORDER),
      ),
      some,
    );
  });

  it("the validating webhook alone lets in less than upstream by default", () => {
    const { failed } = fc.check(sameAreLetIn(validatePod, inOrder(UPSTREAM_POD_ORDER)), some);
    expect(failed).toBe(true);
  });
});

describe("both webhooks of an idle cluster", () => {
  it("both webhooks of an idle cluster say what the truth table says", () => {
    fc.assert(bothStagesAgreeWithTheTable(webhooks, "rootCause"), some);
  });

  it("both webhooks of an idle cluster agree with upstream's truth table", () => {
    fc.assert(bothStagesAgreeWithTheTable(webhooks, "upstream", upstream), some);
  });

  it("both webhooks of an idle cluster do not show in which order objects were listed", () => {
    fc.assert(podAdmissionHidesTheListingOrder(webhooks), some);
  });

  it("both webhooks of an idle cluster leave their input alone, and take it frozen", () => {
    fc.assert(podAdmissionLeavesInputAlone(webhooks), some);
  });

  it("both webhooks return a decision for every request", () => {
    fc.assert(anyPodIsAnswered(webhooks), { numRuns: runs(500, 100_000) });
  });
});

describe("the explanation of a denial", () => {
  it.each([
    ["by default", under()],
    ["in upstream's order", upstream],
  ])("the explanation leads from a root to the reported finding %s", (_, context) => {
    fc.assert(
      fc.property(podAdmissionRequests(), ({ pod, objects }) => {
        const snapshot = createSnapshot(objects, { kinds: ["Pod", "Node"] });
        const answer = validatePod({ operation: "CREATE", object: pod }, snapshot, context);
        if (answer.allowed) return;
        const { chain, root, symptom, masked, waitingHelps } = explainDenial(answer.denial);
        expect(answer.denial.roots.map(({ evidence }) => evidence)).toContainEqual(
          chain[0]?.evidence,
        );
        expect(chain[0]).toMatchObject({ ...root, because: [] });
        expect(chain.at(-1)).toMatchObject(symptom);
        for (const [index, { because }] of chain.entries()) {
          expect(because).toEqual(
            chain
              .slice(0, index)
              .slice(-1)
              .map(({ id }) => id),
          );
        }
        expect(waitingHelps).toBe(answer.denial.roots.every(({ transient }) => transient));
        if (context !== upstream) expect(masked).toBeUndefined();
      }),
      some,
    );
  });
});

describe("the mutating webhook", () => {
  it("changes nothing the second time", () => {
    fc.assert(mutatingTwiceIsMutatingOnce(mutatePod), some);
  });

  it("the mutating webhook adds a leader's terms a second time under LeaderTermsAppendedAgain", () => {
    const again = under("LeaderTermsAppendedAgain");
    expect(fc.check(mutatingTwiceIsMutatingOnce(mutatePod, again), some).failed).toBe(true);
  });

  it("the mutating webhook announces just the changes that it makes", () => {
    fc.assert(changesAreAnnounced(mutatePod), some);
  });
});
