import assert from "node:assert/strict";
import { part, type Scenario } from "../../scenario.ts";
import { complete, failed, ready, suspended } from "./job-statuses.ts";

const inOrder = { startupPolicyOrder: "InOrder" };
const inProgress =
  "StartupPolicyInProgress=True InOrderStartupPolicyInProgress: in order startup policy is in progress";
const noLonger = inProgress.replace("=True", "=False");
const completed =
  "StartupPolicyCompleted=True InOrderStartupPolicyCompleted: in order startup policy has completed";
const inProgressEvent =
  "Normal InOrderStartupPolicyInProgress: in order startup policy is in progress";
const completedEvent =
  "Normal InOrderStartupPolicyCompleted: in order startup policy has completed";

export const startup: readonly Scenario[] = [
  {
    name: "InOrder: a ReplicatedJob starts when all Jobs of the previous one are ready",
    async play(stage) {
      await stage.create({
        startupPolicy: inOrder,
        replicatedJobs: [part("a"), part("b", { replicas: 2 }), part("c")],
      });
      await stage.jobs("a-0");
      await stage.conditions(inProgress);
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0"]);
      await stage.jobStatus("a-0", ready());
      await stage.jobs("a-0", "b-0", "b-1");
      await stage.jobStatus("b-1", ready());
      await stage.waitForCounts("b", { ready: 1 });
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0", "b-0", "b-1"]);
      await stage.jobStatus("b-0", ready());
      await stage.jobs("a-0", "b-0", "b-1", "c-0");
      await stage.conditions(inProgress);
      await stage.jobStatus("c-0", ready());
      await stage.conditions(noLonger, completed);
      await stage.events(inProgressEvent, completedEvent);
    },
  },
  {
    name: "InOrder: a succeeded Job counts as started",
    async play(stage) {
      await stage.create({ startupPolicy: inOrder, replicatedJobs: [part("a"), part("b")] });
      await stage.jobStatus("a-0", complete());
      await stage.jobs("a-0", "b-0");
      await stage.jobStatus("b-0", ready());
      await stage.conditions(noLonger, completed);
    },
  },
  {
    name: "InOrder: a suspended JobSet has all its Jobs, and resumes one ReplicatedJob after the other",
    async play(stage) {
      await stage.create({
        suspend: true,
        startupPolicy: inOrder,
        replicatedJobs: [part("a"), part("b")],
      });
      await stage.jobs("a-0", "b-0");
      await stage.conditions("Suspended=True SuspendedJobs: jobset is suspended");
      await stage.jobStatuses(["a-0", "b-0"], suspended());
      await stage.edit({ suspend: false });
      const isSuspended = async () =>
        Promise.all(["a-0", "b-0"].map(async (name) => (await stage.job(name)).spec.suspend));
      await stage.waitForValue(isSuspended, [false, true]);
      await stage.conditions("Suspended=True SuspendedJobs: jobset is suspended", inProgress);
      await stage.expectUnchanged(isSuspended, [false, true]);
      await stage.jobStatus("a-0", ready());
      await stage.waitForValue(isSuspended, [false, false]);
      await stage.jobStatus("b-0", ready());
      await stage.conditions("Suspended=False ResumeJobs: jobset is resumed", noLonger, completed);
      await stage.events(
        "Normal SuspendedJobs: jobset is suspended",
        inProgressEvent,
        "Normal ResumeJobs: jobset is resumed",
        completedEvent,
      );
    },
  },
  {
    name: "InOrder: the order also applies after a restart",
    async play(stage) {
      await stage.create({
        failurePolicy: { maxRestarts: 1 },
        startupPolicy: inOrder,
        replicatedJobs: [part("a"), part("b")],
      });
      await stage.jobStatus("a-0", ready());
      await stage.jobStatus("b-0", failed());
      await stage.waitForValue(() => stage.jobNames(), ["a-0"]);
      await stage.atAttempt(1, "a-0");
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0"]);
      await stage.jobStatus("a-0", ready());
      await stage.atAttempt(1, "a-0", "b-0");
    },
  },
  {
    name: "dependsOn Complete waits until all Jobs of the dependency have succeeded",
    async play(stage) {
      await stage.create({
        replicatedJobs: [
          part("a", { replicas: 2 }),
          part("b", { dependsOn: [{ name: "a", status: "Complete" }] }),
        ],
      });
      await stage.jobs("a-0", "a-1");
      await stage.jobStatus("a-0", complete());
      await stage.jobStatus("a-1", ready());
      await stage.waitForCounts("a", { succeeded: 1, ready: 1 });
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0", "a-1"]);
      await stage.jobStatus("a-1", complete());
      await stage.jobs("a-0", "a-1", "b-0");
      await stage.conditions();
    },
  },
  {
    name: "dependsOn Ready waits until all Jobs of the dependency are ready or have finished",
    async play(stage) {
      await stage.create({
        replicatedJobs: [
          part("a", { replicas: 2 }),
          part("b", { dependsOn: [{ name: "a", status: "Ready" }] }),
        ],
      });
      await stage.jobs("a-0", "a-1");
      await stage.jobStatus("a-0", complete());
      await stage.waitForCounts("a", { succeeded: 1 });
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0", "a-1"]);
      await stage.jobStatus("a-1", ready());
      await stage.jobs("a-0", "a-1", "b-0");
    },
  },
  {
    name: "dependsOn with several dependencies waits for all of them",
    async play(stage) {
      const dependsOn = [
        { name: "a", status: "Complete" },
        { name: "b", status: "Ready" },
      ];
      await stage.create({ replicatedJobs: [part("a"), part("b"), part("c", { dependsOn })] });
      await stage.jobs("a-0", "b-0");
      await stage.jobStatus("b-0", ready());
      await stage.waitForCounts("b", { ready: 1 });
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0", "b-0"]);
      await stage.jobStatus("a-0", complete());
      await stage.jobs("a-0", "b-0", "c-0");
    },
  },
  {
    name: "dependsOn: a suspended JobSet does not create Jobs with unmet dependencies",
    async play(stage) {
      await stage.create({
        suspend: true,
        replicatedJobs: [part("a"), part("b", { dependsOn: [{ name: "a", status: "Ready" }] })],
      });
      await stage.jobs("a-0");
      await stage.condition("Suspended");
      await stage.expectUnchanged(() => stage.jobNames(), ["a-0"]);
      await stage.jobStatus("a-0", suspended());
      await stage.edit({ suspend: false });
      await stage.condition("Suspended", "False");
      await stage.jobStatus("a-0", ready());
      const [, second] = await stage.jobs("a-0", "b-0");
      assert.equal(second.spec.suspend, false);
    },
  },
];
