import { expect, it } from "vitest";
import { findRequiredNodeLabels } from "./required-node-labels.ts";

const createAffinity = (...terms: readonly (readonly object[])[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
    },
  },
});
const requirement = (key: string, operator: string, ...values: readonly string[]) => ({
  key,
  operator,
  values,
});

it.each([
  [{}, {}],
  [{ nodeSelector: { pool: "a" } }, { pool: "a" }],
  [{ affinity: createAffinity([requirement("spot", "In", "true", "yes")]) }, { spot: "true" }],
  [{ affinity: createAffinity([requirement("gpu", "Exists")]) }, { gpu: "true" }],
  [{ affinity: createAffinity([requirement("cores", "Gt", "7")]) }, { cores: "8" }],
  [{ affinity: createAffinity([requirement("cores", "Lt", "7")]) }, { cores: "6" }],
  [{ affinity: createAffinity([requirement("old", "DoesNotExist")]) }, {}],
  [
    {
      nodeSelector: { pool: "a" },
      affinity: createAffinity([requirement("pool", "In", "b")], [requirement("zone", "In", "z")]),
    },
    { pool: "a", zone: "z" },
  ],
  [
    {
      affinity: createAffinity([requirement("x", "In", "1"), requirement("x", "NotIn", "1")]),
    },
    {},
  ],
])("a node with the labels that findRequiredNodeLabels returns fits %j", (spec, labels) => {
  expect(findRequiredNodeLabels(spec)).toEqual(labels);
});

it("findRequiredNodeLabels never throws for values that are deeply nested lists", () => {
  const nested = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  for (const operator of ["In", "Gt", "Lt"]) {
    const term = { key: "cores", operator, values: [nested] };
    const spec = { nodeSelector: { cores: nested }, affinity: createAffinity([term]) };
    expect(findRequiredNodeLabels(spec)).toEqual({ cores: nested });
    expect(findRequiredNodeLabels({ affinity: createAffinity([term]) })).toEqual({});
  }
});
