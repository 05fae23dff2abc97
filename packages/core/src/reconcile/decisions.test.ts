import type { JobSetStatus } from "@jobset-ts/api";
import { type AJob, type AJobSet, aJob, aJobSet, aService } from "@jobset-ts/testing";
import { expect, it } from "vitest";
import { reconcileForTest } from "../testing/reconciled.ts";

const train = aJobSet("train").withReplicatedJob("w", { replicas: 2 });
const [job0, job1] = [aJob("train-w-0"), aJob("train-w-1")];

/** Completed 30 seconds before the pass. */
function finishJobSet(jobSet: AJobSet, ttlSecondsAfterFinished: number): AJobSet {
  const lastTransitionTime = "2026-08-18T10:04:40Z";
  const completed = { type: "Completed", status: "True", reason: "R", message: "m" } as const;
  const status: JobSetStatus = { restarts: 0, conditions: [{ ...completed, lastTransitionTime }] };
  return jobSet.withSpec({ ttlSecondsAfterFinished }).withStatus(status);
}

/** Returns the decisions of a pass as `<phase>/<rule> <object>: <message>`. */
function reasons(jobSet: AJobSet, jobs: readonly AJob[] = []): readonly string[] {
  const plan = reconcileForTest(jobSet, [aService("train"), ...jobs], {
    now: "2026-08-18T10:05:10Z",
  });
  return plan.decisions.map(
    ({ phase, rule, object, message }) =>
      `${phase}/${rule} ${object.kind}/${object.name}: ${message}`,
  );
}

const any = train.withSpec({ successPolicy: { operator: "Any" } });
const claims = train.withSpec({
  volumeClaimPolicies: [{ templates: [{ metadata: { name: "data" }, spec: {} }] }],
});

it.each<[string, AJobSet, readonly AJob[], string]>([
  [
    "all Jobs have succeeded",
    train,
    [job0.completed(), job1.completed()],
    "success-policy/OperatorAll JobSet/train: 2 of the 2 Jobs that the success policy requires have succeeded",
  ],
  [
    "any Job has succeeded",
    any,
    [job0.completed(), job1],
    "success-policy/OperatorAny JobSet/train: 1 of the 1 Jobs that the success policy requires have succeeded",
  ],
  [
    "a Job failed, and no rule matches it",
    train.withSpec({ failurePolicy: { maxRestarts: 1 } }),
    [job0.failed(), job1],
    "failure-policy/RestartJobSet Job/train-w-0: Job train-w-0 failed, no rule applies: RestartJobSet",
  ],
  [
    "Jobs of earlier attempts remain",
    train.restarted(2),
    [job0.ofAttempt(1)],
    "delete-previous/EarlierRestartAttempt JobSet/train: Jobs of earlier restart attempts are deleted before attempt 2",
  ],
  [
    "the JobSet has finished, and a Job still runs",
    finishJobSet(train, 60),
    [job0],
    "delete-active/JobSetFinished JobSet/train: the JobSet has finished, so its active Jobs are deleted",
  ],
  [
    "the JobSet has finished, and its TTL has not expired",
    finishJobSet(train, 60),
    [],
    "delete-jobset/TtlRunning JobSet/train: the JobSet is deleted in 30 s",
  ],
  [
    "the JobSet has finished, and its TTL has expired",
    finishJobSet(train, 30),
    [],
    "delete-jobset/TtlExpired JobSet/train: ttlSecondsAfterFinished (30 s) has expired",
  ],
  [
    "a PersistentVolumeClaim is missing",
    claims,
    [],
    "volume-claims/VolumeClaimMissing JobSet/train: PersistentVolumeClaims that do not exist: 1",
  ],
  [
    "Jobs are suspended and the JobSet is not",
    train,
    [job0.suspended(), job1.suspended()],
    "resume/JobSetResumed ReplicatedJob/w: the JobSet is not suspended, so its suspended Jobs are resumed",
  ],
])("the decisions of a pass explain: %s", (_, jobSet, jobs, reason) => {
  expect(reasons(jobSet, jobs)).toContain(reason);
});

it("the decisions of a pass contain nothing that the pass does not need", () => {
  expect(reasons(train, [job0.completed(), job1.completed()])).toEqual([
    "status/CountersChanged JobSet/train: the status counters are out of date",
    "success-policy/OperatorAll JobSet/train: 2 of the 2 Jobs that the success policy requires have succeeded",
  ]);
});
