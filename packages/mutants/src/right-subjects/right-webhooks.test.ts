import type { Webhooks } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jobSets, pods } from "../law-sets.ts";
import { rightWebhooks } from "./right-webhooks.ts";

/** The laws that once reported one of these webhooks. */
const laws = {
  pods: [
    "nothingElseIsChanged",
    "othersAreLeftAlone",
    "mutationIsIdempotent",
    "followersWaitForALeader",
  ],
  jobSets: [
    "givenValuesAreKept",
    "updatesGetNoDefaults",
    "defaultingIsIdempotent",
    "invalidObjectsGetAnError",
  ],
} as const;
const habits =
  /\bof (controller|client-go|fabric8|kube-rs|kopf|Pepr|Kyverno|Gatekeeper|Python|shell)|with field paths|with the causes/;

describe.each(["pods", "jobSets"] as const)("correct webhooks of %s", (name) => {
  const lawSet = { pods, jobSets }[name];
  const all: readonly (readonly [string, Webhooks])[] = rightWebhooks(lawSet);
  it.each(all.filter(([habit]) => habits.test(habit)))(
    "correct webhooks pass the laws: %s",
    async (_, webhooks) => {
      for (const law of laws[name]) {
        const property = lawSet.laws.get(law)?.(webhooks);
        if (property === undefined) throw new Error(`there is no law ${law}`);
        const { failed, errorInstance } = await fc.check(property, { seed: 1, numRuns: 8 });
        expect([law, failed, errorInstance]).toEqual([law, false, null]);
      }
    },
  );
});
