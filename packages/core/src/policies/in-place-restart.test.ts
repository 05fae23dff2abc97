import { type RestartStrategy, resolveFeatureGates } from "@jobset-ts/api";
import type { PodStatus } from "@jobset-ts/api/kubernetes";
import { type AJobSet, type APod, aJobSet, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { NO_QUIRKS, type Quirks } from "../quirks.ts";
import { evaluateInPlaceRestart, isInPlaceRestart } from "./in-place-restart.ts";

const key = "jobset.sigs.k8s.io/in-place-restart-attempt";
const gates = {
  off: { features: resolveFeatureGates({}), quirks: NO_QUIRKS },
  on: { features: resolveFeatureGates({ InPlaceRestart: true }), quirks: NO_QUIRKS },
};

function withPolicy(maxRestarts: number, restartStrategy: RestartStrategy = "InPlaceRestart") {
  return aJobSet("train").withSpec({ failurePolicy: { maxRestarts, restartStrategy } });
}

/** Two Jobs of one Pod each. */
function train(maxRestarts: number): AJobSet {
  return withPolicy(maxRestarts).withReplicatedJob("w", { replicas: 2 });
}

/** Pods that announce these attempts. */
function podsWithAttempts(...attempts: readonly string[]): APod[] {
  return attempts.map((attempt, index) =>
    aPod(`train-w-${index}-0-abcde`).withAnnotations({ [key]: attempt }),
  );
}

function restartPod(pod: APod, restartCount: number, statuses: "init" | "main" = "main"): APod {
  const status = [{ name: "main", ready: true, restartCount, image: "", imageID: "" }];
  const name = statuses === "init" ? "initContainerStatuses" : "containerStatuses";
  return pod.withStatus({ [name]: status } as PodStatus);
}

function decide(jobSet: AJobSet, pods: readonly APod[]) {
  return evaluateInPlaceRestart(jobSet, pods, gates.on);
}

const none = { action: "None" };

describe("evaluateInPlaceRestart", () => {
  it.each<[RestartStrategy | undefined]>([["Recreate"], ["BlockingRecreate"], [undefined]])(
    "evaluateInPlaceRestart does nothing with the strategy %s",
    (strategy) => {
      const jobSet = aJobSet("train").withSpec({ failurePolicy: { restartStrategy: strategy } });
      expect(decide(jobSet, [restartPod(podsWithAttempts("x")[0] as APod, 9)])).toEqual(none);
      expect(isInPlaceRestart(jobSet, gates.on)).toBe(false);
    },
  );

  it("evaluateInPlaceRestart does nothing without a failure policy", () => {
    expect(decide(aJobSet("train"), podsWithAttempts("x"))).toEqual(none);
  });

  it("evaluateInPlaceRestart skips values that are not Pods", () => {
    expect(decide(train(1), [null as never, ...podsWithAttempts("1")])).toEqual({
      action: "SetPreviousAttempt",
      attempt: 0,
    });
  });

  it("evaluateInPlaceRestart fails for a ReplicatedJob without a template", () => {
    const bare = withPolicy(1).withReplicatedJob("w", { template: undefined as never });
    expect(decide(bare, podsWithAttempts("1"))).toMatchObject({
      action: "Refuse",
      object: { kind: "ReplicatedJob", name: "w" },
    });
  });

  it("evaluateInPlaceRestart reports that only the gate is missing", () => {
    const jobSet = train(0);
    const pods = podsWithAttempts("5", "x");
    expect(evaluateInPlaceRestart(jobSet, pods, gates.off)).toEqual({ action: "GateOff" });
    expect(isInPlaceRestart(jobSet, gates.off)).toBe(false);
    expect(isInPlaceRestart(jobSet, gates.on)).toBe(true);
  });

  describe("of restarts of containers", () => {
    const [pod] = podsWithAttempts("0") as [APod];

    it.each(["init", "main"] as const)(
      "too many container restarts fail the JobSet when %s containers had too many",
      (which) => {
        expect(decide(train(1), [restartPod(pod, 2, which)])).toEqual({
          action: "FailJobSet",
          counted: "ContainerRestarts",
          attempts: 2,
        });
      },
    );

    it("container restarts are limited by maxRestarts, and absent counts do not matter", () => {
      expect(decide(train(1), [restartPod(pod, 1)])).toEqual(none);
      expect(
        decide(withPolicy(undefined as never).withReplicatedJob("w"), [restartPod(pod, 1)]),
      ).toEqual({
        action: "FailJobSet",
        counted: "ContainerRestarts",
        attempts: 1,
      });
    });

    it("container restarts of Failed Pods count, and only the highest count matters", () => {
      const failed = restartPod(aPod("train-w-1-0-abcde"), 2).withStatus({ phase: "Failed" });
      expect(decide(train(1), [restartPod(pod, 1), failed])).toMatchObject({
        action: "FailJobSet",
      });
      const each = [restartPod(pod, 1), restartPod(aPod("train-w-1-0-abcde"), 1)];
      expect(decide(train(1), each)).toEqual(none);
    });

    it("container restarts are checked before anything that can be rejected", () => {
      const pods = [restartPod(podsWithAttempts("x")[0] as APod, 9)];
      expect(decide(train(1), pods)).toMatchObject({ action: "FailJobSet" });
    });
  });

  describe("of announced attempts", () => {
    it.each<[maxRestarts: number, restarts: number, counted: number, attempts: string[], number?]>([
      [1, 0, 0, ["2"], 2],
      [1, 0, 0, ["1", "2"], 2],
      [2, 0, 0, ["1", "2"]],
      [1, 1, 1, ["1", "2"], 2],
      [2, 1, 1, ["1", "2"]],
      [1, 2, 1, ["2", "3"], 2],
      [1, 2, 1, ["1", "2"]],
    ])(
      "announced attempts with maxRestarts %i, after %i restarts, %i of which count, %j fails when too many (%s)",
      (maxRestarts, restarts, restartsCountTowardsMax, attempts, tooMany) => {
        const jobSet = train(maxRestarts).withStatus({ restarts, restartsCountTowardsMax });
        const decision = decide(jobSet, podsWithAttempts(...attempts));
        if (tooMany === undefined) expect(decision.action).not.toBe("FailJobSet");
        else {
          expect(decision).toEqual({
            action: "FailJobSet",
            counted: "RestartAttempts",
            attempts: tooMany,
          });
        }
      },
    );

    it("single restarts are not subtracted from announced attempts", () => {
      const status = { name: "w", ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
      const jobSet = train(1).withStatus({
        replicatedJobsStatus: [{ ...status, jobRestarts: [5] }],
      });
      expect(decide(jobSet, podsWithAttempts("2"))).toMatchObject({ action: "FailJobSet" });
    });

    it.each([
      [
        "all Pods have reached one",
        ["0", "0"],
        undefined,
        undefined,
        { action: "SetCurrentAttempt", attempt: 0 },
      ],
      ["all have reached the next", ["1", "1"], 0, 0, { action: "SetCurrentAttempt", attempt: 1 }],
      ["all are seen at an earlier one", ["1", "1"], 2, 1, none],
      ["all have reached the current one", ["1", "1"], 1, 0, none],
      ["no Pod has announced any", [], undefined, undefined, none],
      ["only one Pod has started", ["0"], undefined, undefined, none],
      [
        "a Pod has gone ahead",
        ["0", "1"],
        0,
        undefined,
        { action: "SetPreviousAttempt", attempt: 0 },
      ],
      [
        "a Pod has gone ahead again",
        ["1", "2"],
        1,
        0,
        { action: "SetPreviousAttempt", attempt: 1 },
      ],
      ["a Pod is ahead, as is known", ["1", "2"], 1, 1, none],
      ["the previous one never falls", ["1"], 1, 1, none],
      ["one Pod of the two is gone", ["2"], 2, 1, none],
      [
        "there are more Pods than asked for",
        ["1", "1", "1"],
        0,
        undefined,
        { action: "SetPreviousAttempt", attempt: 0 },
      ],
      ["there are more Pods, just starting", ["0", "0", "0"], undefined, undefined, none],
    ])(
      "evaluateInPlaceRestart returns the attempts if %s",
      (_, attempts, current, previous, expected) => {
        const jobSet = train(3).withStatus({
          currentInPlaceRestartAttempt: current,
          previousInPlaceRestartAttempt: previous,
        });
        expect(decide(jobSet, podsWithAttempts(...attempts))).toEqual(expected);
      },
    );

    it("with the quirk the attempt decreases when all Pods are at an earlier one", () => {
      const jobSet = train(3).withStatus({ currentInPlaceRestartAttempt: 2 });
      const quirks: Quirks = new Set(["CurrentAttemptFalls"]);
      const decision = evaluateInPlaceRestart(jobSet, podsWithAttempts("1", "1"), {
        ...gates.on,
        quirks,
      });
      expect(decision).toEqual({ action: "SetCurrentAttempt", attempt: 1 });
    });

    it("announced attempts of Failed Pods, and Pods without one, are ignored", () => {
      const [ahead] = podsWithAttempts("x") as [APod];
      const pods = [
        ...podsWithAttempts("0", "0"),
        ahead.withStatus({ phase: "Failed" }),
        aPod("train-w-7-0-abcde"),
      ];
      expect(decide(train(3), pods)).toEqual({ action: "SetCurrentAttempt", attempt: 0 });
    });

    it("Succeeded and terminating Pods count, so their attempt stays unequal", () => {
      const [done, second] = podsWithAttempts("0", "1") as [APod, APod];
      const jobSet = train(3).withStatus({ previousInPlaceRestartAttempt: 0 });
      expect(decide(jobSet, [done.withStatus({ phase: "Succeeded" }), second])).toEqual(none);
      expect(decide(jobSet, [done.beingDeleted(), second])).toEqual(none);
    });

    it.each(["", "one", "-1", "1.0", "1e3", "2147483648", "9999999999999999999"])(
      "evaluateInPlaceRestart rejects %j, which is not an attempt",
      (attempt) => {
        expect(decide(train(3), podsWithAttempts("0", attempt))).toEqual({
          action: "Refuse",
          message: `invalid value for annotation ${key}, must be non-negative integer`,
          object: { kind: "Pod", name: "train-w-1-0-abcde" },
        });
      },
    );

    it("evaluateInPlaceRestart reads the largest possible attempt", () => {
      expect(decide(train(2_147_483_647), podsWithAttempts("2147483647", "+2147483647"))).toEqual({
        action: "SetCurrentAttempt",
        attempt: 2_147_483_647,
      });
    });
  });

  describe("of the expected Pods", () => {
    it("the expected Pods are the replicas times the parallelism of every ReplicatedJob", () => {
      const spec = { parallelism: 2, completions: 2, template: {} };
      const jobSet = withPolicy(3)
        .withReplicatedJob("w", { replicas: 2, template: { spec } })
        .withReplicatedJob("v");
      expect(decide(jobSet, podsWithAttempts("0", "0", "0", "0"))).toEqual(none);
      expect(decide(jobSet, podsWithAttempts("0", "0", "0", "0", "0"))).toEqual({
        action: "SetCurrentAttempt",
        attempt: 0,
      });
    });

    it.each([
      ["no parallelism", { completions: 1 }],
      ["no completions", { parallelism: 1 }],
      ["more completions than parallelism", { parallelism: 1, completions: 2 }],
      ["neither", {}],
    ])("evaluateInPlaceRestart fails for a ReplicatedJob with %s", (_, spec) => {
      const jobSet = train(3).withReplicatedJob("odd", {
        template: { spec: { ...spec, template: {} } },
      });
      expect(decide(jobSet, [])).toEqual({
        action: "Refuse",
        message:
          "odd: in-place restart requires jobTemplate.spec.completions == jobTemplate.spec.parallelism != nil",
        object: { kind: "ReplicatedJob", name: "odd" },
      });
    });
  });
});
