import { DISABLE_IN_PLACE_RESTART_KEY, IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import { renderDiagnosis } from "../../report/render.ts";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  running,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const failurePolicy = { maxRestarts: 3, restartStrategy: "InPlaceRestart" };
const orderedJobSet = { startupPolicy: { startupPolicyOrder: "InOrder" } };

/** A Pod whose agent runs next to the worker. Its startup probe fails until the barrier is lifted. */
const podAtBarrier = { phase: "Running", conditions: [{ type: "Ready", status: "False" }] };

/** Creates Pods `a` that have announced an attempt, and Pods `b` whose Jobs may be missing. */
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
  const jobSet = createJobSet({
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
  const podWithAttempt = (job: Wire, index: number) => {
    const pod = createPod(job, index, { status: podStatus });
    pod.metadata.annotations[IN_PLACE_RESTART_ATTEMPT_KEY] = attempt;
    return pod;
  };
  return [
    jobSet,
    createService(jobSet),
    aNodeIn("r1"),
    first,
    podWithAttempt(first, 0),
    podWithAttempt(first, 1),
    ...(hasLast ? [last, podWithAttempt(last, 0)] : []),
  ];
}

describe("in-place restart", () => {
  it("in-place restart waits forever for Pods that startup order blocks until these Pods are ready", () => {
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
      "    remove the startup order and all dependencies, or use another restart strategy",
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

  it("Pods at the barrier do not complete, even if their agents are ready", () => {
    const dependsOn = [{ name: "a", status: "Complete" }];
    const diagnosis = diagnoseCluster(cluster({ dependsOn, podStatus: running }));
    expect(rootIds(diagnosis)).toEqual(["in-place-order"]);
    expect(diagnosis.status).toBe("Stuck");
  });

  it("diagnose reports progress if the blocked Pods are about to be created", () => {
    const ready = { spec: orderedJobSet, podStatus: running };
    expect(rootIds(diagnoseCluster(cluster(ready)))).toEqual(["startup-order"]);
  });

  it("diagnose reports no blocked Pods behind a lifted barrier, or without a barrier", () => {
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

  it("diagnose reports a controller that does not lift the barrier", () => {
    const diagnosis = diagnoseCluster(cluster({ hasLast: true }));
    expect(diagnosis.status).toBe("Stuck");
    expect(rootIds(diagnosis)).toEqual(["in-place-ignored"]);
    expect(renderDiagnosis(diagnosis).map(({ text }) => text)).toEqual([
      "ml/js: stuck",
      "all pods have announced in-place restart attempt 0, but the controller does not start them, for 5 min",
      "    └── js-a-0-0-abcde is running but not ready",
      "    enable the controller's feature gate InPlaceRestart, or use another restart strategy",
    ]);
  });

  it("diagnose reports a ready Pod for whose restart the others wait", () => {
    const diagnoseAt = (lastTransitionTime: string, isReady = true) => {
      const podStatus = {
        phase: "Running",
        conditions: [{ type: "Ready", status: "False", lastTransitionTime }],
      };
      const status = { currentInPlaceRestartAttempt: 1, previousInPlaceRestartAttempt: 1 };
      const objects = cluster({ hasLast: true, attempt: "2", podStatus, status });
      const behind = objects[4];
      behind.metadata.annotations[IN_PLACE_RESTART_ATTEMPT_KEY] = "1";
      if (isReady) behind.status = running;
      return diagnoseCluster(objects);
    };
    const { status, roots } = diagnoseAt("2026-02-07T09:55:00Z");
    expect({ status, texts: roots.map(({ message }) => message) }).toEqual({
      status: "Stuck",
      texts: [
        "js-a-0-0-abcde has not restarted, and js-a-0-1-abcde waits for its in-place restart attempt 2",
      ],
    });
    expect(diagnoseAt("2026-02-07T09:55:01Z").status).toBe("Progressing");
    expect(rootIds(diagnoseAt("2026-02-07T09:55:00Z", false))).not.toContain("in-place-ignored");
  });

  it("diagnose reports nothing if the barrier was lifted in an earlier attempt", () => {
    for (const currentInPlaceRestartAttempt of [0, 1]) {
      const status = { currentInPlaceRestartAttempt, previousInPlaceRestartAttempt: 0 };
      const diagnosis = diagnoseCluster(cluster({ hasLast: true, status, podStatus: running }));
      expect(rootIds(diagnosis)).toEqual([]);
    }
  });

  it("diagnose reports progress shortly after the Pods announced their attempt", () => {
    const objects = cluster({ hasLast: true });
    objects[0].metadata.creationTimestamp = "2026-02-07T09:59:50Z";
    expect(diagnoseCluster(objects).status).toBe("Progressing");
  });

  it("diagnose reports nothing about in-place restart if Pods or Jobs were not read", () => {
    const objects = cluster({ spec: orderedJobSet });
    for (const kind of ["Pod", "Job"]) {
      const { roots, notChecked } = diagnoseCluster(objects, [kind]);
      expect(roots.map(({ id }) => id)).not.toContain("in-place-order");
      expect(notChecked.join()).toContain("in-place-order");
    }
  });
});
