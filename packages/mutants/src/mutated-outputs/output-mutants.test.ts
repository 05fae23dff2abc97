import { expect, it } from "vitest";
import { webhookLawSets } from "../law-sets.ts";
import { decodeReview, encodeReview } from "../webhooks.ts";
import { listMutants } from "./output-mutants.ts";
import { createWebhookSubjects, getLabel, listReviewMutants } from "./webhook-outputs.ts";

const [network, groupName] = [
  { op: "add", path: "/spec/network", value: {} },
  { op: "add", path: "/spec/replicatedJobs/12/groupName", value: "default" },
];
const patched = { response: { allowed: true, patch: [network, groupName] } };
const causes = [{ field: "spec.replicatedJobs[1].name" }, { field: "spec.network" }];
const denied = { response: { allowed: false, status: { code: 422, details: { causes } } } };

it.each([
  ["leave out", "[add /spec/network]", [groupName]],
  ["repeat", "[add /spec/replicatedJobs/*/groupName]", [network, groupName, groupName]],
  ["move to the end", "[add /spec/network]", [groupName, network]],
  ["reverse", "", [groupName, network]],
  ["drop", "", undefined],
  ["alter", "[add /spec/network].op", [{ ...network, op: "addx" }, groupName]],
])("listMutants can %s %s of a patch", (operator, element, patch) => {
  const mutants = listMutants(patched, { name: "Pod.mutate", getLabel });
  const mutate = mutants.get(`${operator} Pod.mutate.response.patch${element}`);
  expect(mutate?.(patched)).toEqual({ response: { allowed: true, patch } });
});

it("listReviewMutants inverts one decision per mutant", () => {
  const [[key, mutate] = []] = listReviewMutants("Pod.validate", denied);
  expect(key).toBe("decide otherwise Pod.validate denies spec.replicatedJobs[*].name");
  expect(mutate?.(denied)).toEqual({ response: { allowed: true } });
  expect(mutate?.(patched)).toBe(patched);
});

it("decodeReview and encodeReview are inverse", () => {
  expect(decodeReview(encodeReview(patched))).toEqual(patched);
});

it.each(
  webhookLawSets.flatMap((lawSet) =>
    createWebhookSubjects(lawSet).map(({ laws }) => ({ lawSet, laws })),
  ),
)(
  "the subjects of the webhooks of $lawSet.kind skip only the law about malformed objects",
  ({ lawSet, laws }) => {
    const skipped = [...lawSet.laws.keys()].filter((law) => !laws.includes(law));
    expect(skipped).toEqual([`${lawSet.kind === "Pod" ? "pod" : "jobSet"}ReviewsGetAResponse`]);
  },
);
