import { describe, expect, it } from "vitest";
import { mutantsOfAnswer, type OpenAnswer } from "./answer-mutants.ts";

const refusal: OpenAnswer = {
  kind: "AdmissionReview",
  response: {
    allowed: false,
    status: {
      message: "no",
      code: 422,
      details: { causes: [{ field: "spec.replicatedJobs[1].name" }, { field: "spec.network" }] },
    },
  },
};

const patched: OpenAnswer = {
  response: {
    allowed: true,
    patch: [
      { op: "add", path: "/spec/network", value: {} },
      { op: "add", path: "/spec/replicatedJobs/12/groupName", value: "default" },
    ],
  },
};

function mutated(answer: OpenAnswer, key: string): OpenAnswer | undefined {
  return mutantsOfAnswer("validate", answer).get(key)?.mutate("validate", answer);
}

describe("the mutants of an answer", () => {
  it("drop and alter each scalar, wherever in a list it stands", () => {
    const field = ".response.status.details.causes[spec.replicatedJobs[*].name].field";
    expect(mutated(refusal, `drop validate ${field}`)).toMatchObject({
      response: { status: { details: { causes: [{}, { field: "spec.network" }] } } },
    });
    expect(mutated(refusal, "alter validate .response.status.code")).toMatchObject({
      response: { status: { code: 423 } },
    });
  });

  it("leave out, double and move what stands in a list, and turn the list round", () => {
    const [network, groupName] = patched.response.patch ?? [];
    const place = "validate .response.patch";
    const patches = [
      `leave out ${place}[add /spec/network]`,
      `say twice ${place}[add /spec/replicatedJobs/*/groupName]`,
      `move to the end ${place}[add /spec/network]`,
      `turn round ${place}`,
      `drop ${place}`,
    ].map((key) => mutated(patched, key)?.response.patch);
    expect(patches).toEqual([
      [groupName],
      [network, groupName, groupName],
      [groupName, network],
      [groupName, network],
      undefined,
    ]);
  });

  it("decide otherwise about one thing", () => {
    const key = "decide otherwise validate refuses spec.replicatedJobs[*].name";
    const mutant = mutantsOfAnswer("validate", refusal).get(key);
    expect(mutant?.mutate("validate", refusal).response).toEqual({ allowed: true });
    expect(mutant?.mutate("validate", patched)).toBe(patched);
  });

  it("leave the answers of the other webhook as they are", () => {
    for (const [key, { mutate }] of mutantsOfAnswer("validate", refusal)) {
      expect(mutate("mutate", refusal), key).toBe(refusal);
    }
  });
});
