import { aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import { createCounts, running, service, train } from "../testing/typical-pass.ts";

describe("in-place restart", () => {
  const features = { InPlaceRestart: true };
  const jobSet = train.withSpec({
    failurePolicy: { maxRestarts: 3, restartStrategy: "InPlaceRestart" },
  });
  const pods = (...attempts: string[]) =>
    attempts.map((attempt, index) =>
      aPod(`train-w-${index}-0-abcde`).withAnnotations({
        "jobset.sigs.k8s.io/in-place-restart-attempt": attempt,
      }),
    );
  const settled = jobSet.withStatus({
    replicatedJobsStatus: [createCounts("w", { ready: 2, active: 2 })],
  });

  it("in-place restart attempts change without an Event", () => {
    const all = reconcileForTest(settled, [service, ...running, ...pods("1", "1")], { features });
    expect(all.status).toMatchObject({ currentInPlaceRestartAttempt: 1 });
    expect([listSteps(all), all.events]).toEqual([[], []]);
    const some = reconcileForTest(settled, [service, ...running, ...pods("0", "1")], { features });
    expect(some.status).toMatchObject({ previousInPlaceRestartAttempt: 0 });
    const first = reconcileForTest(settled, [service, ...running, ...pods("0", "0")], { features });
    expect(first.status).toMatchObject({ currentInPlaceRestartAttempt: 0 });
  });

  it("in-place restart attempts do not decrease for old Pods, except with the quirk CurrentAttemptFalls", () => {
    const ahead = settled.withStatus({
      replicatedJobsStatus: [createCounts("w", { ready: 2, active: 2 })],
      currentInPlaceRestartAttempt: 2,
    });
    const objects = [service, ...running, ...pods("1", "1")];
    expect(reconcileForTest(ahead, objects, { features }).status).toBeUndefined();
    const quirks = ["CurrentAttemptFalls"] as const;
    expect(reconcileForTest(ahead, objects, { features, quirks }).status).toMatchObject({
      currentInPlaceRestartAttempt: 1,
    });
  });

  it("in-place restart attempts change while the JobSet is suspended, too", () => {
    const objects = [service, ...running, ...pods("1", "1")];
    const plan = reconcileForTest(settled.suspended(), objects, { features });
    expect(plan.status).toMatchObject({ currentInPlaceRestartAttempt: 1 });
  });

  it("in-place restart fails the JobSet without naming a Job, after the steps of the pass", () => {
    const plan = reconcileForTest(settled, [service, running[0], ...pods("4")], { features });
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
    expect(plan.events).toEqual([
      {
        type: "Warning",
        reason: "ReachedMaxRestarts",
        message: "jobset failed due to reaching max number of restarts",
      },
    ]);
    expect(plan.status).toMatchObject({ terminalState: "Failed" });
    expect(plan.metrics).toHaveLength(1);
    expect(plan.decisions.at(-1)?.message).toBe(
      "4 restarts (RestartAttempts) are more than maxRestarts",
    );
    const next = reconcileForTest({ ...settled, status: plan.status }, running, { features });
    expect(listRequests(next)).toEqual([["delete Job train-w-0", "delete Job train-w-1"]]);
  });
});
