import { describe, expect, it } from "vitest";
import { randomScenario } from "../explore/random-scenario.ts";
import { reconcileNeverThrows } from "../laws/planner-laws.ts";
import { simulate } from "../scenario/simulate.ts";
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

const invalidControllers: Readonly<Record<string, SimController>> = {
  "returns a number": (() => 5) as unknown as SimController,
  "returns null": (() => null) as unknown as SimController,
  "throws in next": createControllerWithAction(() => {
    throw new Error("no");
  }),
  "throws in settle": () => ({
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
  "returns no action": createControllerWithAction(() => undefined),
  "returns an unknown action": createControllerWithAction(() => ({ action: "Zap" })),
  "sends a null request": createControllerWithAction(() => ({
    action: "Perform",
    id: 1,
    request: null,
  })),
  "sends an unknown verb": createControllerWithAction(() => ({
    action: "Perform",
    id: 1,
    request: { ...patch, verb: "zap" },
  })),
  "emits no Event": createControllerWithAction(() => ({ action: "Emit" })),
  "finishes without a list of Events": createControllerWithAction(() => ({
    action: "Done",
    ok: true,
  })),
  "emits Events forever": createControllerWithAction(() => ({
    action: "Emit",
    event: { type: "Normal", reason: "Again", message: "and again" },
  })),
  "returns no plan": createSimController({ reconcile: () => undefined as never }),
  "returns an invalid plan": createSimController({
    reconcile: () => ({ steps: [{}], actions: [{}], status: 5, events: 5 }) as never,
  }),
};

describe("Invalid controllers", () => {
  it.each(Object.entries(invalidControllers))(
    "a controller that %s violates one law and nothing else",
    (_, controller) => {
      const safetyLaws = [reconcileNeverThrows];
      const { violations } = simulate(randomScenario(3), {
        controller,
        safetyLaws,
        livenessLaws: [],
      });
      expect(violations.map(({ law }) => law)).toEqual(["reconcileNeverThrows"]);
    },
  );

  it("simulate reports each violation of a controller that never stops sending requests", () => {
    const controller = createControllerWithAction(() => ({
      action: "Perform",
      id: 1,
      request: patch,
    }));
    const { violations } = simulate(randomScenario(3), { controller });
    expect(violations.filter(({ law }) => law === "reconcileNeverThrows")).toHaveLength(1);
    expect(violations.length).toBeGreaterThan(100_000);
  });
});
