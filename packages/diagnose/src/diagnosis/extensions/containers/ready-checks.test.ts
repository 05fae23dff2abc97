import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { created, diagnosePod, onlyRoot, recently, waiting } from "./testing/a-diagnosed-pod.ts";

describe("Pods that run but are not ready", () => {
  const unready = (containerStatuses: readonly Wire[], since = created) => ({
    phase: "Running",
    conditions: [{ type: "Ready", status: "False", lastTransitionTime: since }],
    containerStatuses,
  });

  it("diagnose waits as long as a startup probe allows", () => {
    const startupProbe = { periodSeconds: 10, failureThreshold: 60 };
    const spec = { containers: [{ name: "main", startupProbe }] };
    const statusOfPodStarted = (startedAt: string) =>
      diagnosePod({
        spec,
        status: unready(
          [{ name: "main", ready: false, state: { running: { startedAt } } }],
          startedAt,
        ),
        events: [["Unhealthy", "Startup probe failed: HTTP probe failed with statuscode: 503"]],
      });
    expect(statusOfPodStarted("2026-02-07T09:50:00Z").status).toBe("Progressing");
    const old = statusOfPodStarted("2026-02-07T09:40:00Z");
    expect(old.status).toBe("Stuck");
    expect(onlyRoot(old).message).toContain("statuscode: 503");
  });

  it("diagnose counts from the last time at which a Pod was ready", () => {
    const main = { name: "main", ready: false, state: { running: { startedAt: created } } };
    expect(diagnosePod({ status: unready([main], recently) }).status).toBe("Progressing");
    expect(diagnosePod({ status: unready([main]) }).status).toBe("Stuck");
  });

  it("diagnose counts from the end of the worker while the kubelet ends a native sidecar", () => {
    const worker = (finishedAt: string) => {
      const terminated = { exitCode: 0, reason: "Completed", finishedAt };
      const status = unready([{ name: "main", ready: false, state: { terminated } }]);
      return diagnosePod({ status });
    };
    const young = worker(recently);
    expect(young.status).toBe("Progressing");
    expect(onlyRoot(young).advice).toBe("wait: the kubelet ends the other containers");
    const old = worker(created);
    expect(old.status).toBe("Stuck");
    expect(onlyRoot(old).message).toContain(
      "not finished: container main has ended: Completed (exit code 0)",
    );
    expect(onlyRoot(old).advice).toMatch(/which containers still run/);
  });

  it("diagnose reports a sidecar that keeps a Pod running after its worker has completed", () => {
    const terminated = { exitCode: 0, reason: "Completed", finishedAt: created };
    const done = { name: "main", ready: false, state: { terminated } };
    const statusOfContainer = (name: string) =>
      diagnosePod({
        status: unready([done, { name, ready: true, state: { running: { startedAt: created } } }]),
      });
    expect(statusOfContainer("istio-proxy").status).toBe("Stuck");
    const root = onlyRoot(statusOfContainer("istio-proxy"));
    expect(root.id).toBe("sidecar-running");
    expect(root.message).toContain("main has completed, but istio-proxy still runs");
    expect(root.advice).not.toContain("readiness probe");
    // It may be the worker.
    expect(statusOfContainer("trainer").status).toBe("Progressing");
  });

  it("diagnose gives a sidecar a minute to end after its worker", () => {
    const status = (finishedAt: string) => {
      const done = { state: { terminated: { exitCode: 0, finishedAt } } };
      const proxy = {
        name: "istio-proxy",
        ready: true,
        state: { running: { startedAt: created } },
      };
      return diagnosePod({ status: unready([{ name: "main", ready: false, ...done }, proxy]) })
        .status;
    };
    expect(status("2026-02-07T09:59:01Z")).toBe("Progressing");
    expect(status("2026-02-07T09:59:00Z")).toBe("Stuck");
    // Without a later time in the dump, the age is unknown.
    expect(status("2026-02-07T10:00:00Z")).toBe("Stuck");
  });

  describe("a container that was restarted several times and has just started", () => {
    /** Returns a ready Pod whose container ran for a time, failed, and runs since then. */
    function looping(seconds: string, since: string, more: Wire = {}): Wire {
      const startedAt = "2026-02-07T09:50:00Z";
      const terminated = {
        exitCode: 1,
        reason: "Error",
        message: "no data",
        startedAt,
        ...more.last,
      };
      const last = { terminated: { ...terminated, finishedAt: `2026-02-07T09:${seconds}Z` } };
      const state = { running: { startedAt: `2026-02-07T09:${since}Z` } };
      const main = {
        name: "main",
        ready: true,
        restartCount: more.restarts ?? 3,
        state,
        lastState: last,
      };
      return {
        phase: "Running",
        conditions: [{ type: "Ready", status: "True" }],
        containerStatuses: [main],
      };
    }

    it("a container that was restarted several times is stuck although its Pod is ready", () => {
      const { status, roots } = diagnosePod({ status: looping("54:59", "58:00") });
      expect({ status, ids: roots.map(({ id }) => id) }).toEqual({
        status: "Stuck",
        ids: ["pod-restarting"],
      });
      expect(roots[0]?.message).toBe(
        "js-w-0-1-abcde: container main was restarted 3 times; last exit: Error (exit code 1): no data",
      );
    });

    it.each<[string, Wire]>([
      ["it was restarted only twice", looping("54:59", "58:00", { restarts: 2 })],
      ["it ran for five minutes before", looping("55:00", "58:00")],
      ["it runs longer than before", looping("52:00", "58:00")],
      ["its last run succeeded", looping("54:59", "58:00", { last: { exitCode: 0 } })],
    ])("a container that was restarted several times is normal if %s", (_, status) => {
      expect(diagnosePod({ status })).toMatchObject({ status: "Progressing", roots: [] });
    });

    it("a container that was restarted several times progresses if its liveness probe ended a longer run", () => {
      const status = looping("57:00", "58:00", { last: { exitCode: 137 } });
      const killed = [
        "Killing",
        "Container main failed liveness probe, will be restarted",
      ] as const;
      const failed = ["Unhealthy", "Liveness probe failed: timed out"] as const;
      const found = diagnosePod({ status, events: [killed, failed] });
      expect(found.status).toBe("Progressing");
      expect(onlyRoot(found).message).toBe(
        "js-w-0-1-abcde: container main was restarted 3 times; the kubelet restarts it: Liveness probe failed: timed out; last exit: Error (exit code 137, SIGKILL): no data",
      );
      const other = [
        "Killing",
        "Container proxy failed liveness probe, will be restarted",
      ] as const;
      for (const events of [[failed], [other, failed]]) {
        expect(diagnosePod({ status, events }).roots).toEqual([]);
      }
    });

    it("a container that was restarted several times is normal if only another container of its Pod was restarted more often", () => {
      const pod = looping("54:59", "58:00", { restarts: 2 });
      const [main] = pod.containerStatuses;
      const other = { ...main, name: "agent", restartCount: 9, state: {} };
      const containerStatuses = [main, other];
      expect(diagnosePod({ status: { ...pod, containerStatuses } }).roots).toEqual([]);
    });

    it("a container that was restarted several times is not a root if another Pod is not ready", () => {
      const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
      const [job] = listJobs(jobSet);
      const pods = [looping("54:59", "58:00"), waiting("ImagePullBackOff", "not found")].map(
        (status, index) => createPod(job, index, { status }),
      );
      const cluster = [jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods];
      expect(rootIds(diagnoseCluster(cluster))).toEqual(["pod-waiting"]);
    });
  });

  it("diagnose names a readiness gate that is not met", () => {
    const spec = { readinessGates: [{ conditionType: "example.com/ready" }] };
    const main = { name: "main", ready: true, state: { running: { startedAt: created } } };
    expect(onlyRoot(diagnosePod({ spec, status: unready([main]) })).message).toContain(
      "readiness gate example.com/ready is not met",
    );
  });
});
