import { type APod, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Quirk } from "../quirks.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  createCounts,
  job0,
  job1,
  jobSetKey,
  listConditions,
  running,
  service,
  train,
} from "../testing/typical-pass.ts";

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

  it("an invalid in-place restart attempt makes the pass fail after its steps", () => {
    const failurePolicy = { maxRestarts: 3, restartStrategy: "InPlaceRestart" as const };
    const pod = aPod("train-w-0-0-abcde").withAnnotations({
      [jobSetKey("in-place-restart-attempt")]: "x",
    });
    const plan = reconcileForTest(train.withSpec({ failurePolicy }), [service, job0, pod], {
      features: { InPlaceRestart: true },
    });
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
    expect(plan.error).toMatchObject({
      phase: "in-place-restart",
      object: { kind: "Pod", name: "train-w-0-0-abcde" },
    });
    expect(plan).not.toHaveProperty("status");
  });
});

describe("in-place restart in unusual clusters", () => {
  const failurePolicy = { maxRestarts: 1, restartStrategy: "InPlaceRestart" as const };
  const features = { InPlaceRestart: true };
  const jobSet = train.withSpec({ failurePolicy });
  const podWithAttempt = (name: string, attempt: string) =>
    aPod(name).withAnnotations({ [jobSetKey("in-place-restart-attempt")]: attempt });

  it("in-place restart without its gate behaves like Recreate, with a warning", () => {
    const plan = reconcileForTest(jobSet, [service, podWithAttempt("train-w-0-0-abcde", "9")]);
    expect(listRequests(plan)).toEqual([["create Job train-w-0", "create Job train-w-1"]]);
    expect(plan.warnings).toEqual([
      "in-place restart strategy cannot be used when the feature gate is disabled",
    ]);
    const old = job0.ofAttempt(-1).beingDeleted();
    expect(listRequests(reconcileForTest(jobSet, [service, old]))).toEqual([
      ["create Job train-w-1"],
    ]);
  });

  it("only Pods that the JobSet's Jobs control count; with the quirk, all Pods with its label count", () => {
    const own = podWithAttempt("train-w-0-0-abcde", "2");
    const failed = ["Failed True ReachedMaxRestarts"];
    const getMessages = (pods: readonly APod[], given: readonly Quirk[] = []) =>
      listConditions(
        reconcileForTest(jobSet, [service, job0, job1, ...pods], { features, quirks: given }),
      );
    expect(getMessages([own])).toEqual(failed);
    const ofDeleted = own.controlledBy(job0.withUid("of a JobSet that was deleted"));
    for (const pod of [ofDeleted, own.withoutOwner(), own.controlledBy(jobSet)]) {
      expect(getMessages([pod])).toEqual([]);
      expect(getMessages([pod], ["PodsOfDeletedJobSetCount"])).toEqual(failed);
    }
    expect(
      getMessages([own.inNamespace("ml"), own.withLabels({ [jobSetKey("jobset-name")]: "b" })]),
    ).toEqual([]);
  });

  it("a resume counts as a restart, because new Pods announce the next attempt", () => {
    const resumed = jobSet.withStatus({ currentInPlaceRestartAttempt: 1 });
    const pods = ["train-w-0-0-abcde", "train-w-1-0-abcde"].map((name) =>
      podWithAttempt(name, "2"),
    );
    const plan = reconcileForTest(resumed, [service, job0, job1, ...pods], { features });
    expect(listConditions(plan)).toEqual(["Failed True ReachedMaxRestarts"]);
  });
});
