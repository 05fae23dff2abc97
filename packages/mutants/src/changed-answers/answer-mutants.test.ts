import { expect, it } from "vitest";
import { webhookBundles } from "../webhooks.ts";
import { mutantsOfAnswer } from "./answer-mutants.ts";
import {
  decodeReview,
  encodeReview,
  getMark,
  mutantsOfReview,
  webhookSubject,
} from "./webhook-answers.ts";

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
  ["turn round", "", [groupName, network]],
  ["drop", "", undefined],
  ["alter", "[add /spec/network].op", [{ ...network, op: "addx" }, groupName]],
])("mutantsOfAnswer can %s %s of a patch", (change, element, patch) => {
  const place = `Pod.validate.response.patch${element}`;
  const mutant = mutantsOfAnswer(patched, { name: "Pod", mark: getMark }).find(
    (one) => one.change === change && one.place === place,
  );
  expect(mutant?.mutate(patched)).toEqual({ validate: { response: { allowed: true, patch } } });
});

it("mutantsOfReview inverts one decision per mutant", () => {
  const [mutant] = mutantsOfReview("Pod", denied);
  expect(mutant?.place).toBe("Pod.validate denies spec.replicatedJobs[*].name");
  expect(mutant?.mutate(denied)).toEqual({ validate: { response: { allowed: true } } });
  expect(mutant?.mutate(patched)).toBe(patched);
});

it("decodeReview and encodeReview are inverse", () => {
  expect(decodeReview(encodeReview(patched.validate))).toEqual(patched.validate);
});

it.each(Object.entries(webhookBundles))(
  "the subject of %s skips one law, that of the form",
  (_, bundle) => {
    const all = [...bundle.laws.keys()];
    expect(webhookSubject(bundle).laws).toEqual(
      all.filter((law) => law !== bundle.malformedObjectsLaw),
    );
    expect(all).toContain(bundle.malformedObjectsLaw);
  },
);
