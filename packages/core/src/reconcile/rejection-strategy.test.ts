import { aJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { Quirk } from "../quirks.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  job0,
  job1,
  listConditions,
  listEvents,
  running,
  service,
  train,
} from "../testing/typical-pass.ts";

describe("requests that may be rejected", () => {
  const likeUpstream = { quirks: new Set<Quirk>(["RefusalEndsPass"]) };
  const jobSet = train.withReplicatedJob("v");

  it("steps that can be rejected come after the suspension, which does not depend on them", () => {
    const suspended = jobSet.suspended();
    const plan = reconcileForTest(suspended, running);
    const [suspends, service, creates] = [
      ["update Job train-w-0", "update Job train-w-1"],
      ["create Service train"],
      ["create Job train-v-0"],
    ];
    expect(listRequests(plan)).toEqual([suspends, service, creates]);
    expect(listRequests(reconcileForTest(suspended, running, likeUpstream))).toEqual([
      service,
      creates,
      suspends,
    ]);
  });

  it("a rejected request blocks neither resumes nor the Jobs of other ReplicatedJobs", () => {
    const resumes = ["update Job train-w-0"];
    const creates = [["create Job train-w-1"], ["create Job train-v-0"]];
    const stopped = [service, job0.suspended()];
    const plan = reconcileForTest(jobSet, stopped);
    expect(listRequests(plan)).toEqual([resumes, ...creates]);
    expect(listSteps(plan).flatMap(({ dependsOn }) => dependsOn)).not.toContain("create-jobs");
    const upstream = reconcileForTest(jobSet, stopped, likeUpstream);
    expect(listRequests(upstream)).toEqual([...creates, resumes]);
    expect(listSteps(upstream).map(({ dependsOn }) => dependsOn)).toEqual([
      [],
      ["create-jobs"],
      ["create-jobs"],
    ]);
  });

  it("a rejected request is reported unless the Job is only stale; with the quirk it is not", () => {
    const reasons = { "delete-previous": "JobDeletionFailed", suspend: "JobUpdateFailed" };
    const old = aJob("train-w-1").ofAttempt(0);
    const restarted = jobSet.suspended().withStatus({ restarts: 1 });
    const [deletes, suspends] = listSteps(
      reconcileForTest(restarted, [service, old, job0.ofAttempt(1)]),
    );
    for (const step of [deletes, suspends]) {
      expect(step).toMatchObject({
        failureEventReason: reasons[step?.phase as keyof typeof reasons],
        ignoredErrorReasons: ["Conflict", "NotFound"],
        errorText: expect.stringMatching(/^job "<name>" \w+ failed with error: <error>$/),
      });
    }
    const upstream = reconcileForTest(restarted, [service, old, job0.ofAttempt(1)], likeUpstream);
    const eventReasons = listSteps(upstream).map(({ failureEventReason }) => failureEventReason);
    expect(eventReasons).toEqual([undefined, "JobCreationFailed", undefined]);
  });

  it("a rejected request does not block a status that was decided before", () => {
    const plan = reconcileForTest(jobSet.suspended(), [
      service,
      job0.suspended(),
      job1.suspended(),
    ]);
    expect(listRequests(plan)).toEqual([["create Job train-v-0"]]);
    expect(plan.onFailure?.step).toEqual({ ...plan.steps.at(-1), dependsOn: [] });
    expect(plan.onFailure?.events).toEqual(plan.events);
    expect(listEvents(plan)).toEqual(["SuspendedJobs"]);
  });

  it("the status after a rejection contains only what was decided before the first step", () => {
    const suspension = { type: "Suspended", status: "True", reason: "x", message: "x" } as const;
    const stopped = train.withStatus({ conditions: [suspension as never] });
    const plan = reconcileForTest(stopped, [service, job0.suspended(), job1.suspended()]);
    expect(listRequests(plan)).toEqual([["update Job train-w-0", "update Job train-w-1"]]);
    expect(listConditions(plan)).toEqual(["Suspended False ResumeJobs"]);
    const { step, events } = plan.onFailure ?? {};
    expect(step?.effects).toMatchObject([{ object: { status: { conditions: [suspension] } } }]);
    expect(events).toEqual([]);
  });

  it("nothing is written after a rejection if nothing was decided before, or with the quirk", () => {
    const counted = { ...jobSet, status: reconcileForTest(jobSet, [service, ...running]).status };
    expect(reconcileForTest(counted, [service, ...running]).onFailure).toBeUndefined();
    expect(reconcileForTest(jobSet, [service], likeUpstream).onFailure).toBeUndefined();
  });
});
