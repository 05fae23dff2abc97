import {
  type FailurePolicy,
  type JobSet,
  type RestartStrategy,
  resolveFeatureGates,
  type Unvalidated,
} from "@jobset-ts/api";
import { DISABLE_IN_PLACE_RESTART_KEY, IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { type AJobSet, aJobSet, aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { corrupted } from "../../../testing/src/arbitraries/hostile-values.ts";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { evaluateInPlaceRestart } from "../policies/in-place-restart.ts";
import { NO_QUIRKS } from "../quirks.ts";
import {
  type AgentState,
  type AgentStep,
  agentActionAfterRelease,
  agentStep,
  agentStepAfterAnnounce,
  INITIAL_AGENT_STATE,
} from "./in-place-restart-agent.ts";
import type { AgentConfiguration } from "./in-place-restart-agent-configuration.ts";

const configuration: AgentConfiguration = {
  namespace: "ml",
  jobSetName: "train",
  podName: "train-w-0-0-aaaaa",
  inPlaceRestartExitCode: 42,
  role: { kind: "Sidecar", startupProbePath: "/barrier-is-down", startupProbePort: "8081" },
};

type Attempt = number | undefined;

/** A JobSet with the strategy InPlaceRestart and these attempts in its status. */
function createObservedJobSet(
  current: Attempt,
  previous: Attempt,
  strategy = "InPlaceRestart",
): AJobSet {
  const failurePolicy: FailurePolicy = {
    maxRestarts: 3,
    restartStrategy: strategy as RestartStrategy,
  };
  return aJobSet("train").withSpec({ failurePolicy }).withStatus({
    currentInPlaceRestartAttempt: current,
    previousInPlaceRestartAttempt: previous,
  });
}

const up = (attempt: Attempt): AgentState => ({ attempt, barrier: "Up" });
const down = (attempt: Attempt): AgentState => ({ attempt, barrier: "Down" });

/** Returns a summary of an agent's actions at one observation if its announcements succeed. */
function listActions(
  state: AgentState,
  jobSet: Unvalidated<JobSet> | undefined,
): readonly string[] {
  return runStep(state, jobSet).actions;
}

function runStep(state: AgentState, jobSet: Unvalidated<JobSet> | undefined) {
  const first = agentStep(state, jobSet, configuration);
  if (first.next.action !== "Announce" || jobSet === undefined) {
    return { ...first, actions: [summarizeStep(first)] };
  }
  const { next } = first;
  const second = agentStepAfterAnnounce(state, next, { ok: true }, jobSet, configuration);
  return { ...second, actions: [summarizeStep(first), summarizeStep(second)] };
}

function summarizeStep({ next }: AgentStep): string {
  switch (next.action) {
    case "Announce":
      return `announce ${next.attempt}`;
    case "Exit":
      return `exit ${next.exitCode}`;
    case "LiftBarrier":
      return "lift";
    case "Retry":
      return "retry";
    case "Wait":
      return `wait: ${next.reason}`;
  }
}

describe("an agent behind its barrier", () => {
  it.each([
    [undefined, undefined, undefined, ["announce 0", "wait: BarrierUp"]],
    [0, undefined, undefined, ["announce 1", "wait: BarrierUp"]],
    [1, 0, undefined, ["announce 2", "wait: BarrierUp"]],
    [0, 0, undefined, ["announce 1", "wait: BarrierUp"]],
    [0, 0, 0, ["exit 42"]],
    [0, undefined, 0, ["lift"]],
    [1, 0, 1, ["lift"]],
    [undefined, undefined, 0, ["wait: BarrierUp"]],
    [1, 0, 2, ["wait: BarrierUp"]],
    [2, 0, 1, ["wait: BarrierUp"]],
    [2, 2, 1, ["exit 42"]],
    // The other Pods have reached a later attempt while this one started.
    [0, 1, undefined, ["announce 1", "exit 42"]],
  ])(
    "an agent behind its barrier with current %j, previous %j and its own attempt %j does %j",
    (current, previous, attempt, expected) => {
      expect(listActions(up(attempt), createObservedJobSet(current, previous))).toEqual(expected);
    },
  );
});

describe("an agent whose barrier is down", () => {
  it.each([
    [0, undefined, 0, ["wait: BarrierDown"]],
    [1, undefined, 0, ["wait: BarrierDown"]],
    [1, 0, 0, ["exit 42"]],
    [1, 1, 2, ["wait: BarrierDown"]],
  ])(
    "an agent after its barrier was lifted with current %j, previous %j and its own attempt %j does %j",
    (current, previous, attempt, expected) => {
      expect(listActions(down(attempt), createObservedJobSet(current, previous))).toEqual(expected);
    },
  );
});

describe("the agent of a JobSet without in-place restart", () => {
  const strategies = ["Recreate", "", "BlockingRecreate", "inplacerestart"];

  it.each(strategies)(
    "the agent of a JobSet without in-place restart starts its worker and announces nothing: strategy %j",
    (strategy) => {
      expect(listActions(INITIAL_AGENT_STATE, createObservedJobSet(0, 0, strategy))).toEqual([
        "lift",
      ]);
      expect(listActions(up(0), createObservedJobSet(0, 0, strategy))).toEqual(["lift"]);
      expect(listActions(down(0), createObservedJobSet(0, 0, strategy))).toEqual([
        "wait: BarrierDown",
      ]);
    },
  );

  it("the agent of a JobSet without in-place restart starts its worker without a failure policy", () => {
    expect(listActions(INITIAL_AGENT_STATE, aJobSet("train"))).toEqual(["lift"]);
  });

  it.each(["", "false", "true"])(
    "the agent of a JobSet without in-place restart starts its worker at the annotation %j",
    (value) => {
      const disabled = createObservedJobSet(0, 3).withAnnotations({
        [DISABLE_IN_PLACE_RESTART_KEY]: value,
      });
      expect(listActions(INITIAL_AGENT_STATE, disabled)).toEqual(["lift"]);
      expect(listActions(down(0), disabled)).toEqual(["wait: BarrierDown"]);
    },
  );

  it("an agent whose barrier is lifted announces its attempt and follows the JobSet once in-place restart is enabled", () => {
    const { state } = runStep(INITIAL_AGENT_STATE, createObservedJobSet(0, undefined, "Recreate"));
    expect(state).toEqual({ barrier: "Down" });
    const restarts = runStep(state, createObservedJobSet(0, undefined));
    expect(restarts.actions).toEqual(["announce 1", "wait: BarrierDown"]);
    expect(listActions(restarts.state, createObservedJobSet(1, undefined))).toEqual([
      "wait: BarrierDown",
    ]);
    expect(listActions(restarts.state, createObservedJobSet(2, 1))).toEqual(["exit 42"]);
  });
});

describe("an agent without its JobSet", () => {
  it.each([INITIAL_AGENT_STATE, up(0), down(1)])(
    "an agent without its JobSet waits and keeps %j",
    (state) => {
      expect(agentStep(state, undefined, configuration)).toEqual({
        state,
        next: { action: "Wait", reason: "JobSetGone" },
      });
    },
  );
});

describe("an announcement", () => {
  const { next } = agentStep(INITIAL_AGENT_STATE, createObservedJobSet(4, 3), configuration);
  if (next.action !== "Announce") throw new Error(next.action);

  it("an announcement is a forced apply of the annotation only", () => {
    expect(next).toEqual({
      action: "Announce",
      attempt: 5,
      fieldManager: "in-place-restart-agent",
      force: true,
      object: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          namespace: "ml",
          name: "train-w-0-0-aaaaa",
          annotations: { "jobset.sigs.k8s.io/in-place-restart-attempt": "5" },
        },
      },
    });
  });

  it("a failed announcement is repeated, and the agent does nothing else meanwhile", () => {
    const result = { ok: false, message: "connection refused" } as const;
    const jobSet = createObservedJobSet(4, 9);
    expect(
      agentStepAfterAnnounce(INITIAL_AGENT_STATE, next, result, jobSet, configuration),
    ).toEqual({
      state: INITIAL_AGENT_STATE,
      next: { action: "Retry", message: "connection refused" },
    });
  });

  it("a successful announcement is not repeated", () => {
    const jobSet = createObservedJobSet(4, 3);
    const { state } = agentStepAfterAnnounce(
      INITIAL_AGENT_STATE,
      next,
      { ok: true },
      jobSet,
      configuration,
    );
    expect(state).toEqual({ attempt: 5, barrier: "Up" });
    expect(listActions(state, jobSet)).toEqual(["wait: BarrierUp"]);
  });
});

describe("a barrier that is lifted", () => {
  it("a lifted barrier returns 200 to the startup probe of a sidecar", () => {
    expect(agentStep(up(0), createObservedJobSet(0, undefined), configuration)).toEqual({
      state: down(0),
      next: {
        action: "LiftBarrier",
        reason: "AllReachedAttempt",
        lift: { ...configuration.role, status: 200 },
      },
    });
  });

  it("a lifted barrier starts the worker in a main container", () => {
    const role = { kind: "Main", workerCommand: "python train.py" } as const;
    const { next } = agentStep(INITIAL_AGENT_STATE, aJobSet("train"), { ...configuration, role });
    expect(next).toEqual({ action: "LiftBarrier", reason: "InPlaceRestartOff", lift: role });
  });

  it.each([
    [{ outcome: "Serving" }, { action: "Wait", reason: "BarrierDown" }],
    [
      { outcome: "WorkerExited", exitCode: 0 },
      { exitCode: 0, reason: "WorkerEnded" },
    ],
    [
      { outcome: "WorkerExited", exitCode: 137 },
      { exitCode: 137, reason: "WorkerEnded" },
    ],
    [{ outcome: "WorkerKilled" }, { exitCode: 255, reason: "WorkerEnded" }],
    [
      { outcome: "Failed", message: "address in use" },
      { exitCode: 1, reason: "LiftFailed" },
    ],
  ] as const)("the agent continues from state %j with action %j", (result, expected) => {
    expect(agentActionAfterRelease(result)).toMatchObject(expected);
  });
});

describe("two agents and the controller", () => {
  /** A cluster of two Pods: the state of their agents and their announced attempts. */
  function cluster() {
    let jobSet = createObservedJobSet(undefined, undefined)
      .withReplicatedJob("w", { replicas: 2 })
      .withStatus({});
    const agents = [INITIAL_AGENT_STATE, INITIAL_AGENT_STATE];
    const pods = ["train-w-0-0-aaaaa", "train-w-1-0-bbbbb"].map((name) => aPod(name));
    /** Reconciles with every agent, then with the controller. Returns the actions of the agents. */
    const runTurn = () => {
      const actions = agents.map((agent, index) => {
        const step = runStep(agent, jobSet);
        // The kubelet restarts a Pod's containers after its agent has exited.
        agents[index] = step.actions.includes("exit 42") ? INITIAL_AGENT_STATE : step.state;
        const { attempt } = step.state;
        if (attempt !== undefined) {
          pods[index] = pods[index]?.withAnnotations({
            [IN_PLACE_RESTART_ATTEMPT_KEY]: String(attempt),
          }) as (typeof pods)[number];
        }
        return step.actions.join(", ");
      });
      const decision = evaluateInPlaceRestart(jobSet, pods, {
        features: resolveFeatureGates({ InPlaceRestart: true }),
        quirks: NO_QUIRKS,
      });
      if (decision.action === "SetCurrentAttempt") {
        jobSet = jobSet.withStatus({ currentInPlaceRestartAttempt: decision.attempt });
      } else if (decision.action === "SetPreviousAttempt") {
        jobSet = jobSet.withStatus({ previousInPlaceRestartAttempt: decision.attempt });
      }
      return actions;
    };
    return { turn: runTurn, agents };
  }

  it("two agents start together, and again after one of them has restarted", () => {
    const { turn, agents } = cluster();
    expect(turn()).toEqual(["announce 0, wait: BarrierUp", "announce 0, wait: BarrierUp"]);
    expect(turn()).toEqual(["lift", "lift"]);
    agents[0] = INITIAL_AGENT_STATE;
    expect(turn()).toEqual(["announce 1, wait: BarrierUp", "wait: BarrierDown"]);
    expect(turn()).toEqual(["wait: BarrierUp", "exit 42"]);
    expect(turn()).toEqual(["wait: BarrierUp", "announce 1, wait: BarrierUp"]);
    expect(turn()).toEqual(["lift", "lift"]);
    expect(turn()).toEqual(["wait: BarrierDown", "wait: BarrierDown"]);
  });
});

describe("an agent with any observations", () => {
  const attempts = fc.option(fc.nat(3), { nil: undefined });
  const states = fc.record({
    attempt: attempts,
    barrier: fc.constantFrom("Up" as const, "Down" as const),
  });
  const jobSets = fc
    .tuple(attempts, attempts, fc.constantFrom("InPlaceRestart", "InPlaceRestart", "Recreate"))
    .map((members) => createObservedJobSet(...members));

  it("an agent never closes a lifted barrier, forgets its attempt or announces a second one", () => {
    fc.assert(
      fc.property(states, jobSets, (state, jobSet) => {
        const after = runStep(deepFreeze(state), deepFreeze(jobSet)).state;
        if (state.barrier === "Down") expect(after.barrier).toBe("Down");
        if (state.attempt !== undefined) expect(after.attempt).toBe(state.attempt);
      }),
    );
  });

  it("the agents converge if nothing changes", () => {
    fc.assert(
      fc.property(states, jobSets, (state, jobSet) => {
        const first = runStep(state, jobSet);
        fc.pre(!first.actions.includes("exit 42"));
        expect(listActions(first.state, jobSet)).toEqual([expect.stringMatching(/^wait: /)]);
      }),
    );
  });

  it("an agent has an action for every input", () => {
    fc.assert(
      fc.property(states, corrupted(jobSets), (state, jobSet) => {
        const { next } = agentStep(state, jobSet as Unvalidated<JobSet>, configuration);
        expect(next.action).toMatch(/^(Wait|Announce|LiftBarrier|Exit)$/);
      }),
    );
  });
});
