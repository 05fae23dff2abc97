import { expect, it } from "vitest";
import { decodeReview, encodeReview, webhookBundles } from "../webhooks.ts";
import { listMutants } from "./output-mutants.ts";
import { createWebhookSubject, getLabel, listReviewMutants } from "./webhook-outputs.ts";

const [network, groupName] = [
  { op: "add", path: "/spec/network", value: {} },
  { op: "add", path: "/spec/replicatedJobs/12/groupName", value: "default" },
];
const patched = { validate: { response: { allowed: true, patch: [network, groupName] } } };
const causes = [{ field: "spec.replicatedJobs[1].name" }, { field: "spec.network" }];
const denied = {
  validate: { response: { allowed: false, status: { code: 422, details: { causes } } } },
};

it.each([
  ["leave out", "[add /spec/network]", [groupName]],
  ["repeat", "[add /spec/replicatedJobs/*/groupName]", [network, groupName, groupName]],
  ["move to the end", "[add /spec/network]", [groupName, network]],
  ["reverse", "", [groupName, network]],
  ["drop", "", undefined],
  ["alter", "[add /spec/network].op", [{ ...network, op: "addx" }, groupName]],
])("listMutants can %s %s of a patch", (operator, element, patch) => {
  const path = `Pod.validate.response.patch${element}`;
  const mutant = listMutants(patched, { name: "Pod", getLabel }).find(
    (one) => one.operator === operator && one.path === path,
  );
  expect(mutant?.mutate(patched)).toEqual({ validate: { response: { allowed: true, patch } } });
});

it("listReviewMutants inverts one decision per mutant", () => {
  const [mutant] = listReviewMutants("Pod", denied);
  expect(mutant?.path).toBe("Pod.validate denies spec.replicatedJobs[*].name");
  expect(mutant?.mutate(denied)).toEqual({ validate: { response: { allowed: true } } });
  expect(mutant?.mutate(patched)).toBe(patched);
});

it("decodeReview and encodeReview are inverse", () => {
  expect(decodeReview(encodeReview(patched.validate))).toEqual(patched.validate);
});

it.each(Object.entries(webhookBundles))(
  "the subject of %s skips only the law about malformed objects",
  (_, bundle) => {
    const all = [...bundle.laws.keys()];
    expect(createWebhookSubject(bundle).laws).toEqual(
      all.filter((law) => law !== bundle.malformedObjectsLaw),
    );
    expect(all).toContain(bundle.malformedObjectsLaw);
  },
);
