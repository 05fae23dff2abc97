import { expect, it } from "vitest";
import { findRequiredNodeLabels } from "./required-node-labels.ts";

const affinity = (...terms: readonly (readonly object[])[]) => ({
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
  [{ affinity: affinity([requirement("spot", "In", "true", "yes")]) }, { spot: "true" }],
  [{ affinity: affinity([requirement("gpu", "Exists")]) }, { gpu: "true" }],
  [{ affinity: affinity([requirement("cores", "Gt", "7")]) }, { cores: "8" }],
  [{ affinity: affinity([requirement("cores", "Lt", "7")]) }, { cores: "6" }],
  [{ affinity: affinity([requirement("old", "DoesNotExist")]) }, {}],
  [
    {
      nodeSelector: { pool: "a" },
      affinity: affinity([requirement("pool", "In", "b")], [requirement("zone", "In", "z")]),
    },
    { pool: "a", zone: "z" },
  ],
  [{ affinity: affinity([requirement("x", "In", "1"), requirement("x", "NotIn", "1")]) }, {}],
])("a node with the labels that findRequiredNodeLabels returns fits %j", (spec, labels) => {
  expect(findRequiredNodeLabels(spec)).toEqual(labels);
});

it("findRequiredNodeLabels never throws for values that are deeply nested lists", () => {
  const nested = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
  for (const operator of ["In", "Gt", "Lt"]) {
    const term = { key: "cores", operator, values: [nested] };
    const spec = { nodeSelector: { cores: nested }, affinity: affinity([term]) };
    expect(findRequiredNodeLabels(spec)).toEqual({ cores: nested });
    expect(findRequiredNodeLabels({ affinity: affinity([term]) })).toEqual({});
  }
});
