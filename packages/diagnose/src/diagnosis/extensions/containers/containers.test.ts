import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { created, diagnosePod, onlyRoot, recently, waiting } from "./testing/a-diagnosed-pod.ts";

describe("images", () => {
  it.each([
    [
      "pull access denied, repository does not exist or may require authorization",
      "imagePullSecrets",
    ],
    ["failed to authorize: 401 Unauthorized", "imagePullSecrets"],
    ["registry.example.com/a:1: not found", "push registry.example.com/a:1"],
    ["manifest unknown", "push registry.example.com/a:1"],
    ["toomanyrequests: You have reached your pull rate limit", "rate limit"],
    ["dial tcp: lookup registry.example.com: no such host", "DNS"],
    ["write /var/lib/containerd: no space left on device", "disk space"],
    ["no match for platform in manifest", "architecture"],
    ["tls: failed to verify certificate: x509: signed by unknown authority", "certificate"],
  ])("diagnose gives advice for an image that cannot be pulled: %s", (message, advice) => {
    const root = onlyRoot(
      diagnosePod({
        spec: { containers: [{ name: "main", image: "registry.example.com/a:1" }] },
        status: waiting("ErrImagePull", message),
      }),
    );
    expect(root.message).toContain(message);
    expect(root.message).toContain("registry.example.com/a:1");
    expect(root.advice).toContain(advice);
    // The container has never run.
    expect(root.advice).not.toMatch(/\blogs?\b/);
  });

  it("diagnose takes the error from the Event if the kubelet only reports its back-off", () => {
    const root = onlyRoot(
      diagnosePod({
        status: waiting("ImagePullBackOff", 'Back-off pulling image "a:1"'),
        events: [
          ["Failed", 'Failed to pull image "a:1": 403 Forbidden'],
          ["Failed", "Error: ImagePullBackOff"],
        ],
      }),
    );
    expect(root.message).toContain("403 Forbidden");
    expect(root.advice).toContain("imagePullSecrets");
  });
});

describe("containers that cannot be created", () => {
  it.each([
    [
      "CreateContainerConfigError",
      'secret "token" not found',
      "create Secret token in namespace ml",
    ],
    ["CreateContainerConfigError", 'configmap "settings" not found', "create ConfigMap settings"],
    [
      "CreateContainerConfigError",
      "couldn't find key user in Secret ml/db",
      "add key user to Secret ml/db",
    ],
    [
      "CreateContainerConfigError",
      "container has runAsNonRoot and image will run as root",
      "runAsUser",
    ],
    ["CreateContainerError", "context deadline exceeded", "container runtime"],
    ["RunContainerError", 'exec: "x": executable file not found in $PATH', "correct `command`"],
  ])("diagnose gives advice for %s: %s", (reason, message, advice) => {
    const root = onlyRoot(diagnosePod({ status: waiting(reason, message) }));
    expect(root.message).toContain(`${reason}: ${message}`);
    expect(root.advice).toContain(advice);
  });
});

describe("containers that end", () => {
  const crash = (terminated: Wire, more: Wire = {}) => ({
    phase: "Running",
    conditions: [{ type: "Ready", status: "False" }],
    containerStatuses: [
      {
        name: "main",
        ready: false,
        restartCount: 7,
        state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } },
        lastState: { terminated },
        ...more,
      },
    ],
  });

  it("diagnose names the memory limit of a container that ran out of memory", () => {
    const limits = { memory: "2Gi" };
    const root = onlyRoot(
      diagnosePod({
        spec: { containers: [{ name: "main", resources: { limits } }] },
        status: crash({ reason: "OOMKilled", exitCode: 137 }),
      }),
    );
    expect(root.message).toContain("OOMKilled (exit code 137, SIGKILL), out of memory");
    expect(root.advice).toContain("raise the memory limit of container main (now 2Gi)");
    expect(root.advice).toContain("recreate JobSet js");
  });

  it("diagnose reports the exit code and the termination message", () => {
    const message = `${"x".repeat(2_000)}\nlicense server refused`;
    const root = onlyRoot(
      diagnosePod({ status: crash({ reason: "Error", exitCode: 78, message }) }),
    );
    expect(root.message).toMatch(/exit code 78\): x+\nlicense server refused$/);
    expect(root.advice).toContain("kubectl logs js-w-0-1-abcde -n ml -c main --previous");
  });

  it("diagnose reports a failed liveness probe behind a container that the kubelet kills", () => {
    const root = onlyRoot(
      diagnosePod({
        status: crash({ reason: "Error", exitCode: 143 }),
        events: [
          ["Unhealthy", "Liveness probe failed: dial tcp 10.0.0.1:6334: connection refused"],
        ],
      }),
    );
    expect(root.message).toContain("Liveness probe failed");
    expect(root.evidence.join()).toContain("6334");
  });

  it("diagnose cites init containers and native sidecars under their own path", () => {
    for (const [restartPolicy, title] of [
      [undefined, "init container main"],
      ["Always", "sidecar container main"],
    ]) {
      const { containerStatuses } = crash({ reason: "Error", exitCode: 64 });
      const root = onlyRoot(
        diagnosePod({
          spec: { initContainers: [{ name: "main", restartPolicy }], containers: [] },
          status: { phase: "Pending", initContainerStatuses: containerStatuses },
        }),
      );
      expect(root.message).toContain(title);
      expect(root.evidence[0]).toMatch(/^status\.initContainerStatuses\[main\]\.lastState/);
    }
  });

  it("diagnose calls a container that was restarted once progressing until its probes' time is over", () => {
    const status = (startedAt: string) =>
      crash(
        { reason: "Error", exitCode: 1 },
        { restartCount: 1, state: { running: { startedAt } } },
      );
    expect(diagnosePod({ status: status(recently) }).status).toBe("Progressing");
    expect(diagnosePod({ status: status(created) }).status).toBe("Stuck");
  });

  it("diagnose folds Pods that fail alike with different restart counts", () => {
    const jobSet = createJobSet();
    const [job] = listJobs(jobSet);
    const pods = [0, 1, 2, 3].map((index) =>
      createPod(job, index, {
        status: crash({ reason: "Error", exitCode: 1 }, { restartCount: 5 + index }),
      }),
    );
    const all = [jobSet, createService(jobSet), aNodeIn("r1"), job, ...pods];
    expect(diagnoseCluster(all).roots).toMatchObject([{ id: "pod-waiting", count: 4 }]);
  });
});

describe("containers that the kubelet or the runtime ends", () => {
  const restarted = (terminated: Wire) => ({
    phase: "Running",
    containerStatuses: [
      {
        name: "main",
        restartCount: 7,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated },
      },
    ],
  });

  it("diagnose reports a failed postStart hook as the reason for the restarts", () => {
    const root = onlyRoot(
      diagnosePod({
        status: restarted({ exitCode: 137, reason: "Error" }),
        events: [["FailedPostStartHook", "PostStartHook failed"]],
      }),
    );
    expect(root.message).toContain("the kubelet restarts it: PostStartHook failed");
    expect(root.advice).toContain("check the postStart hook of main");
  });

  it("diagnose explains exit code 137 of a container that did not run out of memory itself", () => {
    const root = onlyRoot(diagnosePod({ status: restarted({ exitCode: 137, reason: "Error" }) }));
    expect(root.advice).toContain("find out who killed the container");
  });

  it("diagnose names the node whose runtime cannot start a container", () => {
    const message = "nvidia-container-cli: driver/library version mismatch: unknown";
    const terminated = { exitCode: 128, reason: "StartError", message };
    const root = onlyRoot(
      diagnosePod({
        status: { phase: "Failed", containerStatuses: [{ name: "main", state: { terminated } }] },
      }),
    );
    expect(root.message).toContain("js-w-0-1-abcde failed on node n1: ");
    expect(root.advice).toContain("check the device driver and the container runtime of node n1");
  });

  it("diagnose advises to raise the deadline of a Pod that ran too long", () => {
    const root = onlyRoot(
      diagnosePod({
        spec: { activeDeadlineSeconds: 60 },
        status: { phase: "Failed", reason: "DeadlineExceeded" },
      }),
    );
    expect(root.advice).toContain("raise activeDeadlineSeconds (now 60) of the Pod template");
  });
});

describe("Pods that start", () => {
  const creating = (more: Wire = {}) => ({ ...waiting("ContainerCreating"), ...more });

  it("diagnose calls a Pod progressing while it starts, and stuck after a long time, with its node", () => {
    const young = diagnosePod({ status: creating(), createdAt: recently });
    expect(young.status).toBe("Progressing");
    expect(onlyRoot(young).advice).toBe("wait for its containers to start");
    const old = diagnosePod({ status: creating() });
    expect(old.status).toBe("Stuck");
    expect(onlyRoot(old).message).toContain("node n1");
    expect(old.roots[0]?.since).toBe(Date.parse(created));
  });

  it("diagnose calls a running init container progressing for an hour", () => {
    const running = (startedAt: string) => ({
      ...creating({ initContainerStatuses: [{ name: "data", state: { running: { startedAt } } }] }),
    });
    const spec = { initContainers: [{ name: "data" }] };
    expect(diagnosePod({ spec, status: running("2026-02-07T09:10:00Z") }).status).toBe(
      "Progressing",
    );
    const old = diagnosePod({ spec, status: running("2026-02-07T08:50:00Z") });
    expect(old.status).toBe("Stuck");
    expect(onlyRoot(old).message).toContain("init container data still runs");
  });

  it.each([
    [
      "FailedMount",
      'MountVolume.SetUp failed for volume "k" : secret "keys" not found',
      "create Secret keys",
    ],
    ["FailedAttachVolume", 'Multi-Attach error for volume "pvc-1"', "ReadWriteMany"],
    ["FailedCreatePodSandBox", "plugin type=calico failed: no IP addresses available", "CNI"],
    [
      "FailedPrepareDynamicResources",
      "NodePrepareResources failed: deadline exceeded",
      "DRA driver",
    ],
  ])("diagnose gives advice for %s: %s", (reason, message, advice) => {
    const root = onlyRoot(diagnosePod({ status: creating(), events: [[reason, message]] }));
    expect(root.id).toBe("pod-start-failing");
    expect(root.message).toContain(message);
    expect(root.advice).toContain(advice);
  });

  it("diagnose calls a failed attempt to set up a volume progressing for a minute", () => {
    const events = [["FailedMount", "failed to sync configmap cache: timed out"]] as const;
    const statusOfPodCreated = (createdAt: string) =>
      diagnosePod({ status: creating(), events, createdAt }).status;
    expect(statusOfPodCreated(recently)).toBe("Progressing");
    expect(statusOfPodCreated(created)).toBe("Stuck");
  });
});

describe("Pods that failed", () => {
  it("diagnose reports the Pod's reason and how its container ended", () => {
    const terminated = { exitCode: 139, reason: "Error", message: "NCCL timeout" };
    const root = onlyRoot(
      diagnosePod({
        status: {
          phase: "Failed",
          reason: "DeadlineExceeded",
          message: "Pod was active on the node longer than the specified deadline",
          containerStatuses: [{ name: "main", state: { terminated } }],
        },
      }),
    );
    expect(root.message).toContain("DeadlineExceeded");
    expect(root.message).toContain("container main: Error (exit code 139, SIGSEGV): NCCL timeout");
    expect(root.advice).toContain("kubectl logs js-w-0-1-abcde -n ml -c main");
  });
});
