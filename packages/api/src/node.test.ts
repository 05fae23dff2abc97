import { expect, it } from "vitest";
import { toleratesTaint } from "./node.ts";

const taint = { key: "gpu", value: "4", effect: "NoSchedule" } as const;

it.each([
  [{ key: "gpu", operator: "Exists" }, true],
  [{ operator: "Exists" }, true],
  [{ operator: "Exists", effect: "NoExecute" }, false],
  [{ key: "gpu", value: "4" }, true],
  [{ key: "gpu", operator: "", value: "4", effect: "NoSchedule" }, true],
  [{ key: "gpu", operator: "Equal", value: "8" }, false],
  [{ key: "gpu", operator: "Gt", value: "3" }, true],
  [{ key: "gpu", operator: "Lt", value: "3" }, false],
  [{ key: "gpu", operator: "Other", value: "4" }, false],
  [{ value: "4" }, false],
  [{ key: 1, operator: { toString: 1 } }, false],
])("toleratesTaint with %j returns %s", (toleration, expected) => {
  expect(toleratesTaint(toleration as never, taint)).toBe(expected);
});

it("toleratesTaint compares integers only", () => {
  for (const value of ["", "a", "1.5", "0x1", "03", "+3"]) {
    const taintOf = { key: "gpu", value, effect: "NoSchedule" } as const;
    for (const operator of ["Gt", "Lt"]) {
      expect(toleratesTaint({ key: "gpu", operator, value: "-1" } as never, taintOf)).toBe(false);
      expect(toleratesTaint({ key: "gpu", operator, value } as never, taint)).toBe(false);
    }
  }
});
