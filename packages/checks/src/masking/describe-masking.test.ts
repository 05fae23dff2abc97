import { describe, expect, it } from "vitest";
import { followerChecks, followerOrders } from "../testing/follower-checks.ts";
import { describeMasking } from "./describe-masking.ts";
import { findMasking } from "./find-masking.ts";

const checks = followerChecks.labelsInLeader;

function describeMaskings(...requests: Parameters<typeof findMasking>): readonly string[] {
  return describeMasking(findMasking(...requests));
}

describe("describeMasking", () => {
  it("describeMasking shows the smallest state, the other masked causes, the unchecked causes and the correct order", () => {
    expect(describeMaskings(checks, followerOrders.upstream)).toEqual([
      "order: P, K, L, O, S",
      "This order can report a symptom although its cause also fails:",
      "  failing   S, P",
      "  blocked   N, T, K, V",
      "  passing   L, O",
      "  reported  P",
      "  cause     S",
      "It can also report P while L fails; P while O fails; K while L fails; K while O fails; K while S fails.",
      "In 256 assignments of pass and fail: a cause is masked in 186, and one that the order also checks in 168; a failing object is admitted in 7.",
      "Causes of P that the order does not check: N, T",
      "Causes of K that the order does not check: N, T",
      "An order that masks none of its checks: L, O, S, P, K",
    ]);
  });

  it("describeMasking omits empty sections", () => {
    const two = [
      { id: "leader", causes: [] },
      { id: "selector", causes: ["leader"] },
    ];
    expect(describeMaskings(two, ["selector", "leader"])).toEqual([
      "order: selector, leader",
      "This order can report a symptom although its cause also fails:",
      "  failing   leader, selector",
      "  reported  selector",
      "  cause     leader",
      "In 4 assignments of pass and fail: a cause is masked in 1, and one that the order also checks in 1; a failing object is admitted in 0.",
      "An order that masks none of its checks: leader, selector",
    ]);
  });

  it("describeMasking reports that an order masks nothing, and then suggests no other order", () => {
    expect(describeMaskings(checks, followerOrders.rootCause)).toEqual([
      "order: L, O, S, N, T, P, K, V",
      "This order never reports a symptom while a cause that it also checks fails.",
      "In 256 assignments of pass and fail: a cause is masked in 0, and one that the order also checks in 0; a failing object is admitted in 0.",
    ]);
  });

  it("describeMasking states how the result is known", () => {
    expect(describeMaskings(checks, ["S"], { reachable: [["S"]] })[2]).toBe(
      "In 1 reachable states: a cause is masked in 0, and one that the order also checks in 0; a failing object is admitted in 0.",
    );
    const many = Array.from({ length: 17 }, (_, index) => ({ id: `c${index}`, causes: [] }));
    expect(describeMaskings(many, ["c1", "c0"])[2]).toMatch(/^Proved for all states: /);
  });

  it("describeMasking states why there is no result", () => {
    expect(describeMaskings([{ id: "a", causes: ["a"] }], ["a"])).toEqual([
      'unknown: the checks cause each other in a cycle: "a" -> "a"',
    ]);
  });
});
