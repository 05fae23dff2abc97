import { describe, expect, it } from "vitest";
import type { CheckResult } from "./check.ts";
import { defineChecks } from "./define-checks.ts";
import { evaluateChecks } from "./evaluate-checks.ts";
import { firstFailure } from "./first-failure.ts";
import { findMasking } from "./masking/find-masking.ts";
import { type CheckLetter, followerChecks, followerOrders } from "./testing/follower-checks.ts";

/** The report of each webhook by the facts that decide it: 1 is true, 0 is false, * does not matter or has no meaning. */
const table = `
      L S O N T P K V |   #  upstream   pr1188     rootCause
  a1  0 * * * * 0 * * |  64  P-masked   L          L
  a2  0 * * * * 1 0 * |  32  K-masked   L          L
  a3  0 * * * * 1 1 * |  32  L          L          L
  b1  1 * 0 * * 0 * * |  32  P-masked   O          O
  b2  1 * 0 * * 1 0 * |  16  K-masked   O          O
  b3  1 * 0 * * 1 1 * |  16  O          O          O
  c1  1 0 1 * * 0 * * |  16  P-masked   S          S
  c2  1 0 1 * * 1 0 * |   8  K-masked   S          S
  c3  1 0 1 * * 1 1 * |   8  S          S          S
  d1  1 1 1 0 * 0 * * |   8  P-masked   P-masked   N
  d2  1 1 1 0 * 1 0 * |   4  K-masked   K-masked   N
  d3  1 1 1 0 * 1 1 * |   4  admit      admit      N
  e1  1 1 1 1 0 0 * * |   4  P-masked   P-masked   T
  e2  1 1 1 1 0 1 0 * |   2  K-masked   K-masked   T
  e3  1 1 1 1 0 1 1 * |   2  admit      admit      T
  f1  1 1 1 1 1 0 * * |   4  P          P          P
  f2  1 1 1 1 1 1 0 * |   2  K          K          K
  f3  1 1 1 1 1 1 1 0 |   1  admit      admit      V
  f4  1 1 1 1 1 1 1 1 |   1  admit      admit      admit
`;

const letters = ["L", "S", "O", "N", "T", "P", "K", "V"] as const;
const orders = ["upstream", "pr1188", "rootCause"] as const;
const rows = table
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [name = "", ...cells] = line.replace("|", "").trim().split(/\s+/);
    return { name, facts: cells.slice(0, 8), count: Number(cells[8]), reported: cells.slice(9) };
  });

type Facts = Readonly<Record<(typeof letters)[number], boolean>>;

const assignments = Array.from(
  { length: 256 },
  (_, bits) =>
    Object.fromEntries(letters.map((id, index) => [id, (bits & (1 << index)) !== 0])) as Facts,
);

const set = defineChecks(
  followerChecks.labelsInLeader.map((check) => ({
    ...check,
    run: (facts: Facts): CheckResult =>
      check.id === "G" || facts[check.id]
        ? { outcome: "Pass" }
        : { outcome: "Fail", message: `m${check.id}`, transient: true },
  })),
);

function createRows(facts: Facts) {
  return rows.filter((row) =>
    row.facts.every((cell, index) => {
      const id = letters[index];
      return cell === "*" || id === undefined || facts[id] === (cell === "1");
    }),
  );
}

function reportedIn(facts: Facts, order: readonly CheckLetter[]): string {
  const reported = firstFailure(evaluateChecks(set, facts), order);
  if (reported === undefined) return "admit";
  return `${reported.id}${reported.causedBy.length > 0 ? "-masked" : ""}`;
}

describe("the checks of a follower Pod", () => {
  it("each state of a follower Pod matches exactly one row of the table", () => {
    const found = assignments.map((facts) => createRows(facts).map(({ name }) => name));
    expect(found.every((names) => names.length === 1)).toBe(true);
    for (const { name, count } of rows) {
      expect(
        found.filter(([one]) => one === name),
        name,
      ).toHaveLength(count);
    }
    expect(rows).toHaveLength(19);
  });

  it.each(orders.map((name, column) => [name, column] as const))(
    "the order %s reports the checks of a follower Pod as in the table",
    (name, column) => {
      for (const facts of assignments) {
        const [row] = createRows(facts);
        const reported = reportedIn(facts, followerOrders[name]);
        expect(reported, `row ${row?.name}`).toBe(row?.reported[column]);
      }
    },
  );

  it.each([
    ["upstream", { masked: 186, maskedWithinOrder: 168, failingButAdmitted: 7 }],
    ["pr1188", { masked: 18, maskedWithinOrder: 0, failingButAdmitted: 7 }],
    ["rootCause", { masked: 0, maskedWithinOrder: 0, failingButAdmitted: 0 }],
  ] as const)(
    "the number of states per reported check is correct for the order %s",
    (name, counts) => {
      const report = findMasking(followerChecks.labelsInLeader, followerOrders[name]);
      expect(report).toMatchObject({ proof: { by: "Exhaustion", states: 256, ...counts } });
    },
  );

  it("without the check of the selector's value, exactly one more state is admitted", () => {
    const order = followerOrders.rootCause.filter((id) => id !== "V");
    expect(findMasking(followerChecks.labelsInLeader, order)).toMatchObject({
      masks: false,
      proof: { masked: 0, failingButAdmitted: 1 },
    });
  });

  it("another order reports other checks and admits the same states", () => {
    for (const facts of assignments) {
      const [upstream, pr1188, rootCause] = orders.map((name) =>
        reportedIn(facts, followerOrders[name]),
      );
      expect(upstream === "admit").toBe(pr1188 === "admit");
      if (rootCause === "admit") expect(upstream).toBe("admit");
    }
  });
});
