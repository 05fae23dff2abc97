import { required } from "@jobset-ts/api/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze, findFrozenPath } from "../../testing/src/testing/freezing.ts";
import type { Check, CheckFailure } from "./check.ts";
import { defineChecks } from "./define-checks.ts";
import { evaluateChecks } from "./evaluate-checks.ts";
import { causalChecks, createChecks, type FailedResults } from "./testing/arbitrary-checks.ts";

const quota = { id: "quota", causes: [] };
const leader = { id: "leader", causes: ["quota"] };
const node = { id: "node", causes: ["leader"], needs: ["leader"] };
const selector = { id: "selector", causes: ["node"] };
const abacus = { id: "abacus", causes: [] };

function evaluateResults(results: Readonly<Record<string, "Fail" | "Unknown">>) {
  const set = defineChecks(createChecks([selector, node, leader, abacus, quota]));
  return evaluateChecks(set, new Map(Object.entries(results)));
}

/** A set with one check that runs this function. */
function createCheckSet(run: Check<unknown>["run"]) {
  return defineChecks([{ id: "odd", causes: [], run }]);
}

describe("evaluateChecks", () => {
  it("evaluateChecks reports nothing if all checks pass", () => {
    expect(evaluateResults({})).toEqual({
      findings: [],
      roots: [],
      symptoms: [],
      unknown: [],
      blocked: [],
      passed: ["abacus", "quota", "leader", "node", "selector"],
    });
  });

  it("evaluateChecks separates a root from its symptoms, nearest causes first", () => {
    const { roots, symptoms, blocked, reported } = evaluateResults({
      selector: "Fail",
      quota: "Fail",
      leader: "Fail",
    });
    expect(roots.map(({ id, causedBy }) => [id, causedBy])).toEqual([["quota", []]]);
    expect(symptoms.map(({ id, causedBy }) => [id, causedBy])).toEqual([
      ["leader", ["quota"]],
      ["selector", ["leader", "quota"]],
    ]);
    expect(blocked).toEqual([{ id: "node", by: ["leader"] }]);
    expect(reported?.message).toBe("quota: Fail");
  });

  it("evaluateChecks finds a failing cause behind causes that pass", () => {
    const { roots, symptoms } = evaluateResults({ selector: "Fail", quota: "Fail" });
    expect(roots.map(({ id }) => id)).toEqual(["quota"]);
    expect(symptoms.map(({ id, causedBy }) => [id, causedBy])).toEqual([["selector", ["quota"]]]);
  });

  it("evaluateChecks lists several roots in causal order and reports the first", () => {
    const { roots, reported } = evaluateResults({ leader: "Fail", abacus: "Fail" });
    expect(roots.map(({ id }) => id)).toEqual(["abacus", "leader"]);
    expect(reported?.id).toBe("abacus");
  });

  it("evaluateChecks does not run a check if a check that it needs does not pass", () => {
    for (const outcome of ["Fail", "Unknown"] as const) {
      const { blocked, roots, symptoms } = evaluateResults({ leader: outcome, node: "Fail" });
      expect(blocked).toEqual([{ id: "node", by: ["leader"] }]);
      expect([...roots, ...symptoms].map(({ id }) => id)).not.toContain("node");
    }
  });

  it("evaluateChecks blocks checks that need a blocked check", () => {
    const set = defineChecks(
      createChecks([
        { id: "a", causes: [] },
        { id: "b", causes: ["a"], needs: ["a"] },
        { id: "c", causes: ["b"], needs: ["b"] },
      ]),
    );
    expect(evaluateChecks(set, new Map([["a", "Unknown"]])).blocked).toEqual([
      { id: "b", by: ["a"] },
      { id: "c", by: ["b"] },
    ]);
  });

  it("evaluateChecks reports the missing fact before a failure that it may have caused", () => {
    const { roots, unknown, reported } = evaluateResults({ leader: "Unknown", selector: "Fail" });
    expect(roots).toMatchObject([{ id: "selector", causedBy: [], mayBeCausedBy: ["leader"] }]);
    expect(unknown).toMatchObject([{ id: "leader", transient: true, causedBy: [] }]);
    expect(reported).toBe(unknown[0]);
  });

  it("evaluateChecks reports a certain root before a missing fact", () => {
    const { roots, reported } = evaluateResults({ abacus: "Unknown", quota: "Fail" });
    expect(roots[0]).not.toHaveProperty("mayBeCausedBy");
    expect(reported?.id).toBe("quota");
  });

  it("evaluateChecks gives a missing fact no causes", () => {
    const { unknown } = evaluateResults({ leader: "Fail", selector: "Unknown" });
    expect(unknown).toMatchObject([{ id: "selector", causedBy: [] }]);
  });

  it("evaluateChecks is certain of a symptom if one of its causes fails", () => {
    const { symptoms } = evaluateResults({ quota: "Unknown", leader: "Fail", selector: "Fail" });
    expect(symptoms).toMatchObject([{ id: "selector", causedBy: ["leader"] }]);
    expect(symptoms[0]).not.toHaveProperty("mayBeCausedBy");
  });

  it("evaluateChecks can fail for a missing fact alone", () => {
    const { roots, reported } = evaluateResults({ leader: "Unknown" });
    expect(roots).toEqual([]);
    expect(reported?.message).toBe("leader: Unknown");
  });

  it("evaluateChecks returns the result of each check", () => {
    const pod = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0" };
    const found: CheckFailure = {
      message: "no",
      transient: false,
      objects: [pod],
      evidence: [{ kind: "Field", object: pod, at: "spec.nodeName", text: "" }],
      fieldError: required("spec"),
    };
    const set = createCheckSet(() => ({ outcome: "Fail", ...found }));
    expect(evaluateChecks(set, {}).roots).toEqual([
      { id: "odd", outcome: "Fail", causedBy: [], ...found },
    ]);
  });

  it("evaluateChecks lists at most a hundred objects, and as much evidence, for each check", () => {
    const objects = Array.from({ length: 101 }, (_, index) => {
      return { apiVersion: "v1", kind: "Pod", namespace: "ml", name: `train-${index}` };
    });
    const evidence = objects.map((object) => ({ kind: "Absence", object, text: "gone" }) as const);
    const found: CheckFailure = { message: "no", transient: false, objects, evidence };
    const [root] = evaluateChecks(
      createCheckSet(() => ({ outcome: "Fail", ...found })),
      {},
    ).roots;
    expect(root?.objects).toEqual(objects.slice(0, 100));
    expect(root?.evidence).toEqual(evidence.slice(0, 100));
    expect(Object.values(root ?? {})).not.toContain(undefined);
  });

  it("evaluateChecks shortens the path of evidence and the name of its object", () => {
    const object = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0" };
    const long = { ...object, name: "a".repeat(2_000) };
    const evidence = [
      { kind: "Field", object, at: "a".repeat(5_000), text: "no" },
      { kind: "Absence", object: long, text: "gone" },
    ] as const;
    const [root] = evaluateChecks(
      createCheckSet(() => ({ outcome: "Fail", message: "no", transient: false, evidence })),
      {},
    ).roots;
    expect(root?.evidence[0]?.at?.length).toBeLessThan(4_200);
    expect(root?.evidence[1]?.object.name.length).toBeLessThan(1_100);
    expect(root?.evidence[1]).not.toHaveProperty("at");
  });

  it("evaluateChecks truncates evidence", () => {
    const object = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "train-0" };
    const evidence = [{ kind: "Condition", object, text: "a".repeat(5_000) } as const];
    const [root] = evaluateChecks(
      createCheckSet(() => ({ outcome: "Fail", message: "no", transient: false, evidence })),
      {},
    ).roots;
    expect(root?.evidence[0]?.text).toMatch(/^a{3000}/);
    expect(root?.evidence[0]?.text.length).toBeLessThan(4_200);
  });

  it.each<[string, unknown, string]>([
    ["an error", new Error("no such Pod"), 'check "odd" threw: no such Pod'],
    ["text", "no such Pod", 'check "odd" threw: no such Pod'],
    ["nothing", undefined, 'check "odd" threw: undefined'],
    ["a symbol", Symbol("s"), 'check "odd" threw: Symbol(s)'],
    ["not text", Object.create(null), 'check "odd" threw: a value without a message'],
  ])("evaluateChecks treats a check that throws %s as unknown", (_, thrown, message) => {
    const set = createCheckSet(() => {
      throw thrown;
    });
    const { roots, unknown } = evaluateChecks(set, {});
    expect(roots).toEqual([]);
    expect(unknown).toMatchObject([{ id: "odd", message, transient: false }]);
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a promise", Promise.resolve({ outcome: "Pass" })],
    ["another word", { outcome: "Perhaps" }],
    ["true", true],
  ])("evaluateChecks treats a check that returns %s as unknown", (_, result) => {
    const set = createCheckSet(() => result as ReturnType<Check<unknown>["run"]>);
    expect(evaluateChecks(set, {}).unknown).toMatchObject([
      { id: "odd", message: 'check "odd" returned neither Pass, Fail nor Unknown' },
    ]);
  });
});

/** Checks with a result for each. */
const checksAnswering = causalChecks().chain((checks) =>
  fc.record({
    checks: fc.constant(checks),
    answers: fc
      .array(fc.constantFrom("Pass", "Fail", "Fail", "Unknown"), {
        minLength: checks.length,
        maxLength: checks.length,
      })
      .map(
        (words): FailedResults =>
          new Map(
            checks.flatMap(({ id }, index) => {
              const word = words[index];
              return word === "Fail" || word === "Unknown" ? [[id, word] as const] : [];
            }),
          ),
      ),
  }),
);

describe("evaluateChecks for any checks and results", () => {
  it("evaluateChecks puts every check into exactly one list", () => {
    fc.assert(
      fc.property(checksAnswering, ({ checks, answers }) => {
        const { roots, symptoms, unknown, blocked, passed } = evaluateChecks(
          defineChecks(createChecks(checks)),
          answers,
        );
        const ids = [...roots, ...symptoms, ...unknown, ...blocked].map(({ id }) => id);
        expect([...ids, ...passed].sort()).toEqual(checks.map(({ id }) => id).sort());
      }),
    );
  });

  it("evaluateChecks returns no root with a failing cause, and a root for every symptom", () => {
    fc.assert(
      fc.property(checksAnswering, ({ checks, answers }) => {
        const set = defineChecks(createChecks(checks));
        const { roots, symptoms } = evaluateChecks(set, answers);
        const failed = [...roots, ...symptoms].map(({ id }) => id);
        const rootIds = roots.map(({ id }) => id);
        for (const { id, mayBeCausedBy = [] } of roots) {
          const causes = set.graph.causes.get(id) ?? [];
          expect(causes.filter((cause) => failed.includes(cause))).toEqual([]);
          const unknown = causes.filter((cause) => answers.get(cause) === "Unknown");
          expect(unknown).toEqual(expect.arrayContaining([...mayBeCausedBy]));
        }
        for (const { causedBy } of symptoms) {
          expect(causedBy.some((cause) => rootIds.includes(cause))).toBe(true);
        }
      }),
    );
  });

  it("evaluateChecks reports a certain root or a missing fact, and reports something unless all checks pass", () => {
    fc.assert(
      fc.property(checksAnswering, ({ checks, answers }) => {
        const { roots, unknown, passed, reported } = evaluateChecks(
          defineChecks(createChecks(checks)),
          answers,
        );
        expect(reported === undefined).toBe(passed.length === checks.length);
        if (reported === undefined) return;
        const certain = roots.filter(({ mayBeCausedBy }) => mayBeCausedBy === undefined);
        expect([...certain, ...unknown]).toContain(reported);
      }),
    );
  });

  it("evaluateChecks returns the same result for frozen input, and does not change its input", () => {
    fc.assert(
      fc.property(checksAnswering, ({ checks, answers }) => {
        const view = [...answers];
        const given = createChecks(checks).map((check) => ({
          ...check,
          run: (pairs: readonly (readonly [string, "Fail" | "Unknown"])[]) =>
            check.run(new Map(pairs)),
        }));
        const before = JSON.stringify([given, view]);
        const evaluation = evaluateChecks(defineChecks(given), view);
        expect(JSON.stringify([given, view])).toBe(before);
        expect(findFrozenPath([given, view])).toBeUndefined();
        deepFreeze([given, view]);
        expect(evaluateChecks(defineChecks(given), view)).toEqual(evaluation);
      }),
    );
  });
});
