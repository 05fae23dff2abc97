import assert from "node:assert/strict";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { failed } from "./job-statuses.ts";
import { applying } from "./messages.ts";
import { createPod } from "./pods-by-hand.ts";

const gates = ["InPlaceRestart"];
const job = { backoffLimit: 2147483647, podReplacementPolicy: "Failed" };

/** Creates a JobSet with in-place restart and its two Pods. */
async function createPods(stage: Stage, maxRestarts = 2): Promise<readonly Stored[]> {
  await stage.create({
    failurePolicy: { maxRestarts, restartStrategy: "InPlaceRestart" },
    replicatedJobs: [part("workers", { pods: 2, job })],
  });
  return Promise.all([createPod(stage, "workers-0", 0), createPod(stage, "workers-0", 1)]);
}

/** Announces the attempt of a Pod, as its agent does. */
function announce(stage: Stage, pod: Stored, attempt: number | string): Promise<Stored> {
  const annotations = { [IN_PLACE_RESTART_ATTEMPT_KEY]: String(attempt) };
  return stage.cluster.patch(pod, { metadata: { annotations } });
}

/** Waits until the status has these previous and current attempts. */
function attempts(stage: Stage, expected: Stored): Promise<void> {
  return stage.waitForValue(() => readAttempts(stage), expected);
}

async function readAttempts(stage: Stage): Promise<Stored> {
  const { status = {} } = await stage.jobSet();
  const { previousInPlaceRestartAttempt: previous, currentInPlaceRestartAttempt: current } = status;
  return { previous, current };
}

const reached =
  "Failed=True ReachedMaxRestarts: jobset failed due to reaching max number of restarts";

export const inPlaceRestarts: readonly Scenario[] = [
  {
    name: "in-place restart: an attempt starts when all Pods have announced it, and ends when one announces the next",
    gates,
    async play(stage) {
      const [first, second] = await createPods(stage);
      await announce(stage, first, 0);
      await stage.expectUnchanged(() => readAttempts(stage), {
        previous: undefined,
        current: undefined,
      });
      await announce(stage, second, 0);
      await attempts(stage, { previous: undefined, current: 0 });
      await announce(stage, second, 1);
      await attempts(stage, { previous: 0, current: 0 });
      await announce(stage, first, 1);
      await attempts(stage, { previous: 0, current: 1 });
      await stage.conditions();
      await stage.events();
      assert.equal((await stage.jobSet()).status.restarts, 0);
    },
  },
  {
    name: "in-place restart: an attempt beyond maxRestarts fails the JobSet",
    gates,
    async play(stage) {
      const [first, second] = await createPods(stage, 1);
      await announce(stage, first, 2);
      await announce(stage, second, 1);
      await stage.conditions(reached);
      await stage.events(reached.replace("Failed=True", "Warning"));
      await stage.waitForValue(() => stage.jobNames(), []);
    },
  },
  {
    name: "in-place restart: more container restarts than maxRestarts fail the JobSet",
    gates,
    async play(stage) {
      const [first] = await createPods(stage, 1);
      const running = { state: { running: {} }, ready: true, image: "i", imageID: "i" };
      const status = { containerStatuses: [{ name: "main", restartCount: 2, ...running }] };
      await stage.cluster.patch(first, { status }, "status");
      await stage.conditions(reached);
      assert.equal((await stage.jobSet()).status.terminalState, "Failed");
    },
  },
  {
    name: "in-place restart: a failed Pod does not count",
    gates,
    async play(stage) {
      const [first, second] = await createPods(stage);
      await announce(stage, first, 0);
      await stage.cluster.patch(second, { status: { phase: "Failed" } }, "status");
      const third = await createPod(stage, "workers-0", 1, { suffix: "fghij" });
      await announce(stage, third, 0);
      await attempts(stage, { previous: undefined, current: 0 });
    },
  },
  {
    name: "in-place restart: an attempt that is not a number blocks reconciliation until it is fixed",
    gates,
    async play(stage) {
      const [first, second] = await createPods(stage);
      await announce(stage, first, "soon");
      await announce(stage, second, 0);
      await stage.expectUnchanged(() => readAttempts(stage), {
        previous: undefined,
        current: undefined,
      });
      await announce(stage, first, 0);
      await attempts(stage, { previous: undefined, current: 0 });
    },
  },
  {
    name: "in-place restart: a failed Job is recreated",
    gates,
    async play(stage) {
      await createPods(stage, 1);
      await stage.jobStatus("workers-0", failed());
      await stage.atAttempt(1, "workers-0");
      const message = applying("RestartJobSet", "workers-0");
      await stage.conditions(`RestartingJobSet=True DefaultFailurePolicy: ${message}`);
    },
  },
];
