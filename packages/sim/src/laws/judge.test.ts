import { UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { randomScenario } from "../explore/random-scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { createJudge, NO_MEMORIES, safetyLaws } from "./judge.ts";
import type { SafetyLaw } from "./law.ts";

describe("createJudge", () => {
  it("the judge skips no change that a law reads", () => {
    const [request, askedOfAll] = [
      createJudge(safetyLaws),
      createJudge(safetyLaws.map(({ kinds: _, ...law }) => law)),
    ];
    const [found, expected, differing]: [unknown[], unknown[], Set<string>] = [[], [], new Set()];
    for (let seed = 0; seed < 20; seed++) {
      let [one, other] = [NO_MEMORIES, NO_MEMORIES];
      simulate(randomScenario(seed), {
        quirks: UPSTREAM_QUIRKS,
        safetyLaws: [],
        continueAfterViolation: true,
        maxTurns: 1_000,
        onTurn: (turn) => {
          const [here, there] = [request(one, turn), askedOfAll(other, turn)];
          found.push(...here.violations);
          expected.push(...there.violations);
          // Handlers may replace only their own memory. The test observes each replacement.
          for (const [place, { name, memory }] of safetyLaws.entries()) {
            const changed = [
              here.remembered[place] !== (one[place] ?? memory),
              there.remembered[place] !== (other[place] ?? memory),
            ];
            if (changed[0] !== changed[1]) differing.add(name);
          }
          [one, other] = [here.remembered, there.remembered];
        },
      });
    }
    expect([...differing]).toEqual([]);
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(0);
  });

  it("the judge reports violations in the order of the laws", () => {
    const base = { sentence: "", validUnder: "Always", memory: undefined } as const;
    const laws: readonly SafetyLaw[] = [
      { ...base, name: "refusals", onRejection: () => "a refusal" },
      { ...base, name: "changes", kinds: ["Pod"], onChange: () => "a change" },
      { ...base, name: "nodes", kinds: ["Node"], onChange: () => "a change" },
      { ...base, name: "events", onEvent: () => "an Event" },
      { ...base, name: "both", onChange: () => "a change", onEvent: () => "an Event" },
    ];
    const turn = {
      cluster: { now: 7 },
      changes: [{ after: { kind: "Pod" } }],
      notes: [],
      rejectedRequests: [{}],
      events: [{}],
    };
    const { violations } = createJudge(laws)(NO_MEMORIES, turn as never);
    expect(violations.map(({ law, message, at }) => [law, message, at])).toEqual([
      ["refusals", "a refusal", 7],
      ["changes", "a change", 7],
      ["events", "an Event", 7],
      ["both", "a change", 7],
      ["both", "an Event", 7],
    ]);
  });

  it("the judge keeps the memory of each law across turns and leaves earlier memories unchanged", () => {
    const createCountingLaw = (kind: string): SafetyLaw<number> => ({
      name: kind,
      sentence: "",
      validUnder: "Always",
      memory: 0,
      kinds: [kind],
      onChange: (_, context) => {
        context.memory += 1;
        return undefined;
      },
    });
    const judge = createJudge([
      createCountingLaw("Job"),
      createCountingLaw("Pod"),
    ] as readonly SafetyLaw[]);
    const turnWithChanges = (...kinds: readonly string[]) =>
      ({
        cluster: {},
        changes: kinds.map((kind) => ({ after: { kind } })),
        notes: [],
        rejectedRequests: [],
        events: [],
      }) as never;
    const first = judge(NO_MEMORIES, turnWithChanges("Job", "Pod", "Pod"));
    const second = judge(first.remembered, turnWithChanges("Pod"));
    expect(first.remembered).toEqual([1, 2]);
    expect(second.remembered).toEqual([1, 3]);
    expect(judge(second.remembered, turnWithChanges("Node")).remembered).toBe(second.remembered);
  });
});
