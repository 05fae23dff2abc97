import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
} from "../../testing/a-diagnosed-cluster.ts";
import { created, diagnosePod, onlyRoot, recently, waiting } from "./testing/a-diagnosed-pod.ts";

describe("a node that cannot start a Pod", () => {
  const starting = waiting("ContainerCreating");

  it.each([
    [
      "FailedMount",
      "MountVolume.MountDevice failed: driver name csi.example.com not found in the list of registered CSI drivers",
      "CSI driver csi.example.com runs on node n1",
    ],
    [
      "FailedMount",
      'MountVolume.SetUp failed: failed to fetch token: serviceaccounts "trainer" not found',
      "create ServiceAccount trainer in namespace ml",
    ],
    ["FailedMount", "MountVolume.SetUp failed: connection timed out", "its driver on node n1"],
    [
      "FailedCreatePodSandBox",
      'failed to get sandbox runtime: no runtime for "nvidia" is configured',
      "runtime of the RuntimeClass on node n1",
    ],
  ])("is named in the advice about %s: %s", (reason, message, advice) => {
    const root = onlyRoot(diagnosePod({ status: starting, events: [[reason, message]] }));
    expect(root.advice).toContain(advice);
  });

  it("waits for a native sidecar for as long as its startup probe allows", () => {
    const startedAt = "2026-02-07T09:50:00Z";
    const diagnosis = (failureThreshold: number, started: boolean) => {
      const startupProbe = { failureThreshold, periodSeconds: 10 };
      const proxy = { name: "proxy", started, state: { running: { startedAt } } };
      return diagnosePod({
        spec: { initContainers: [{ name: "proxy", restartPolicy: "Always", startupProbe }] },
        status: { ...waiting("PodInitializing"), initContainerStatuses: [proxy] },
        events: [["Unhealthy", "Startup probe failed: HTTP probe failed with statuscode: 503"]],
      });
    };
    const stuck = diagnosis(30, false);
    expect(stuck.status).toBe("Stuck");
    expect(onlyRoot(stuck).message).toMatch(
      /sidecar container proxy has not passed its startup probe: .* statuscode: 503$/,
    );
    expect(onlyRoot(stuck).advice).toContain("-c proxy");
    expect(diagnosis(31, false).status).toBe("Progressing");
    expect(onlyRoot(diagnosis(30, true)).message).not.toContain("proxy");
  });

  it("is named if its disk is full", () => {
    const full = waiting("ErrImagePull", "write /var/lib/containerd: no space left on device");
    expect(onlyRoot(diagnosePod({ status: full })).advice).toContain("disk space on node n1");
  });

  it("diagnose counts Pods together that differ only in the name of their token volume", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
    const [job] = listJobs(jobSet);
    const pods = [0, 1].map((index) =>
      createPod(job, index, {
        status: waiting("ContainerCreating"),
        metadata: { creationTimestamp: created },
      }),
    );
    const events = pods.map((pod, index) => {
      const message = `unattached volumes=[shared kube-api-access-x${index}yzw]: timed out`;
      return anEvent(pod, "FailedMount", message, recently);
    });
    const cluster = [jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods, ...events];
    expect(diagnoseCluster(cluster).roots).toMatchObject([{ id: "pod-start-failing", count: 2 }]);
  });

  it("diagnose counts containers that the runtime could not start together, before and after a retry", () => {
    const why =
      'unable to start container process: exec: "x": executable file not found in /var/lib/kubelet/pods/';
    const message = (pod: string) => `${why}3f2b9c1e-0000-4000-8000-00000000000${pod}`;
    const start = (pod: string) => ({ exitCode: 128, reason: "StartError", message: message(pod) });
    const retrying = {
      phase: "Running",
      containerStatuses: [
        {
          name: "main",
          restartCount: 9,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: start("1") },
        },
      ],
    };
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 2 }] });
    const [job] = listJobs(jobSet);
    const pods = [retrying, waiting("RunContainerError", message("2"))].map((status, index) =>
      createPod(job, index, { status }),
    );
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods]);
    expect(roots).toMatchObject([{ id: "pod-waiting", count: 2 }]);
  });
});

describe("a volume of an earlier Pod", () => {
  it("may be attached to another node for five minutes", () => {
    const message = 'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached';
    const statusAt = (createdAt: string) =>
      diagnosePod({
        status: waiting("ContainerCreating"),
        events: [["FailedAttachVolume", message]],
        createdAt,
      }).status;
    expect(statusAt("2026-02-07T09:55:01Z")).toBe("Progressing");
    expect(statusAt("2026-02-07T09:55:00Z")).toBe("Stuck");
  });
});

describe("credentials and profiles of a container", () => {
  it("diagnose names the pull secret that the kubelet cannot read", () => {
    const event = "Unable to retrieve some image pull secrets (regcred); attempting to pull";
    const root = onlyRoot(
      diagnosePod({
        status: waiting("ErrImagePull", "401 Unauthorized"),
        events: [["FailedToRetrieveImagePullSecret", event]],
      }),
    );
    expect(root.advice).toMatch(/^create Secret regcred in namespace ml/);
  });

  it("diagnose names the node that lacks a seccomp profile", () => {
    const message = 'cannot load seccomp profile "/x/audit.json": open: no such file or directory';
    const root = onlyRoot(diagnosePod({ status: waiting("CreateContainerError", message) }));
    expect(root.advice).toContain("install the seccomp profile in the message on node n1");
    expect(root.advice).not.toContain("`command`");
  });
});
