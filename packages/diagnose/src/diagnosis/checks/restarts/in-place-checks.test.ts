import { DISABLE_IN_PLACE_RESTART_KEY, IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import { renderDiagnosis } from "../../report/render.ts";
import {
  aNodeIn,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  running,
  theJobSet,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const failurePolicy = { maxRestarts: 3, restartStrategy: "InPlaceRestart" };
const orderedJobSet = { startupPolicy: { startupPolicyOrder: "InOrder" } };

/** A Pod whose agent runs beside the worker: its startup probe fails until the barrier is down. */
const podAtBarrier = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };

/** Pods `a` that have announced an attempt, and Pods `b` of which the Jobs may be missing. */
function cluster({
  spec = {},
  dependsOn,
  status = {},
  annotations = {},
  attempt = "0",
  podStatus = podAtBarrier as Wire,
  hasLast = false,
}: {
  readonly spec?: Wire;
  readonly dependsOn?: Wire;
  readonly status?: Wire;
  readonly annotations?: Record<string, string>;
  readonly attempt?: string;
  readonly podStatus?: Wire;
  readonly hasLast?: boolean;
}): Wire[] {
  const jobSet = theJobSet({
    replicatedJobs: [
      { name: "a", pods: 2 },
      { name: "b", pods: 1, dependsOn },
    ],
    spec: { failurePolicy, ...spec },
    status: {
      restarts: 0,
      conditions: [{ type: "StartupPolicyInProgress", status: "True" }],
      ...status,
    },
  });
  jobSet.metadata.annotations = annotations;
  const [first, last] = listJobs(jobSet);
  const announcing = (job: Wire, index: number) => {
    const pod = createPod(job, index, { status: podStatus });
    pod.metadata.annotations[IN_PLACE_RESTART_ATTEMPT_KEY] = attempt;
    return pod;
  };
  return [
    jobSet,
    createService(jobSet),
    aNodeIn("r1"),
    first,
    announcing(first, 0),
    announcing(first, 1),
    ...(hasLast ? [last, announcing(last, 0)] : []),
  ];
}

describe("Pods with in-place restart", () => {
  it("in-place restart waits forever for Pods that startup order holds back until these Pods are ready", () => {
    const diagnosis = diagnoseCluster(cluster({ spec: orderedJobSet }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["in-place-order"]);
    expect(renderDiagnosis(diagnosis).map(({ text }) => text)).toEqual([
      "ml/js: stuck",
      "b waits for a to start, whose pods use in-place restart and wait for those of b",
      "    └── js-a-0-0-abcde is running but not ready",
      "        └── b waits for a to start",
      "            └── job js-b-0 does not exist",
      "                └── 1 pod of js-b-0 is not created",
      "    let its ReplicatedJobs start in any order and none depend on another, or choose another restart strategy",
    ]);
  });

  it.each(["Ready", "Complete"])(
    "in-place restart waits forever for Pods that depend on these Pods to be %s",
    (status) => {
      const diagnosis = diagnoseCluster(cluster({ dependsOn: [{ name: "a", status }] }));
      expect(diagnosis.status).toBe("Stuck");
      expect(rootIds(diagnosis)).toEqual(["in-place-order"]);
    },
  );

  it("do not complete while they wait, ready as their agents may be", () => {
    const dependsOn = [{ name: "a", status: "Complete" }];
    const diagnosis = diagnoseCluster(cluster({ dependsOn, podStatus: running }));
    expect(rootIds(diagnosis)).toEqual(["in-place-order"]);
    expect(diagnosis.status).toBe("Stuck");
  });

  it("go on when those behind them are only about to come", () => {
    const ready = { spec: orderedJobSet, podStatus: running };
    expect(rootIds(diagnoseCluster(cluster(ready)))).toEqual(["startup-order"]);
  });

  it("are not held back behind the barrier, or without one", () => {
    const released = { currentInPlaceRestartAttempt: 0 };
    for (const one of [
      cluster({ spec: orderedJobSet, status: released }),
      cluster({ spec: orderedJobSet, annotations: { [DISABLE_IN_PLACE_RESTART_KEY]: "" } }),
      cluster({ spec: { ...orderedJobSet, failurePolicy: { maxRestarts: 3 } } }),
      cluster({ spec: orderedJobSet, attempt: "none" }),
    ]) {
      expect(rootIds(diagnoseCluster(one))).not.toContain("in-place-order");
    }
  });

  it("wait for a controller that does not let them start", () => {
    const diagnosis = diagnoseCluster(cluster({ hasLast: true }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["in-place-ignored"]);
    expect(renderDiagnosis(diagnosis).map(({ text }) => text)).toEqual([
      "ml/js: stuck",
      "all pods have announced attempt 0 in place, and the controller does not let them start",
      "    └── js-a-0-0-abcde is running but not ready",
      "    look whether the controller's feature gate InPlaceRestart is on, or choose another restart strategy",
    ]);
  });

  it("are as they should be once it has, and are not to be let go again", () => {
    for (const currentInPlaceRestartAttempt of [0, 1]) {
      const status = { currentInPlaceRestartAttempt, previousInPlaceRestartAttempt: 0 };
      const diagnosis = diagnoseCluster(cluster({ hasLast: true, status, podStatus: running }));
      expect(rootIds(diagnosis)).toEqual([]);
    }
  });

  it("may have been seen in the moment before", () => {
    const objects = cluster({ hasLast: true });
    objects[0].metadata.creationTimestamp = "2026-02-07T09:59:50Z";
    expect(diagnoseCluster(objects).status).toBe("Progressing");
  });

  it("are not judged by what was not read", () => {
    const objects = cluster({ spec: orderedJobSet });
    for (const kind of ["Pod", "Job"]) {
      const { roots, notChecked } = diagnoseCluster(objects, [kind]);
      expect(roots.map(({ id }) => id)).not.toContain("in-place-order");
      expect(notChecked.join()).toContain("in-place-order");
    }
  });
});
