import { describe, expect, it } from "vitest";
import { randomScenario } from "../explore/random-scenario.ts";
import { passesComeToAnAnswer } from "../laws/planner-laws.ts";
import { simulate } from "../scenario/play.ts";
import { createSimController, type PassRun, type SimController } from "./pass-run.ts";

/** Creates a controller whose reconciles always return this action. */
function createControllerWithAction(next: () => unknown): SimController {
  const run = {
    next: () => ({ action: next(), after: run }),
    settle: () => run,
  } as unknown as PassRun;
  return () => run;
}

const patch = {
  verb: "patch",
  object: { kind: "JobSet", metadata: { name: "train", namespace: "ml" } },
};

const nonsense: Readonly<Record<string, SimController>> = {
  "is no pass": (() => 5) as unknown as SimController,
  "is null": (() => null) as unknown as SimController,
  "throws when it is asked": createControllerWithAction(() => {
    throw new Error("no");
  }),
  "throws when it is answered": () => ({
    next: () => ({
      action: { action: "Perform", id: 1, request: patch as never },
      after: {
        next: () => ({ action: { action: "Wait" }, after: undefined as never }),
        settle: () => {
          throw new Error("no");
        },
      },
    }),
    settle: () => {
      throw new Error("no");
    },
  }),
  "does nothing at all": createControllerWithAction(() => undefined),
  "does what there is not": createControllerWithAction(() => ({ action: "Zap" })),
  "asks for nothing": createControllerWithAction(() => ({
    action: "Perform",
    id: 1,
    request: null,
  })),
  "asks by a verb that there is not": createControllerWithAction(() => ({
    action: "Perform",
    id: 1,
    request: { ...patch, verb: "zap" },
  })),
  "tells of nothing": createControllerWithAction(() => ({ action: "Emit" })),
  "is done without Events": createControllerWithAction(() => ({ action: "Done", ok: true })),
  "tells for ever": createControllerWithAction(() => ({
    action: "Emit",
    event: { type: "Normal", reason: "Again", message: "and again" },
  })),
  "asks for ever": createControllerWithAction(() => ({ action: "Perform", id: 1, request: patch })),
  "plans nothing": createSimController({ reconcile: () => undefined as never }),
  "plans what nobody can read": createSimController({
    reconcile: () => ({ steps: [{}], actions: [{}], status: 5, events: 5 }) as never,
  }),
};

describe("a controller whose pass", () => {
  it.each(Object.entries(nonsense))("%s breaks a sentence, and nothing else", (_, controller) => {
    const safetyLaws = [passesComeToAnAnswer];
    const { violations } = simulate(randomScenario(3), {
      controller,
      safetyLaws,
      livenessLaws: [],
    });
    expect(violations.map(({ law }) => law)).toEqual(["passesComeToAnAnswer"]);
  });

  it("an action with an invalid value is reported as it is", () => {
    const controller = createControllerWithAction(() => ({
      action: "Perform",
      id: 1,
      request: patch,
    }));
    expect(simulate(randomScenario(3), { controller }).violations.length).toBeGreaterThan(100_000);
  });
});
