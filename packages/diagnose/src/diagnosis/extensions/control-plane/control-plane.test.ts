import { createSnapshot } from "@jobset-ts/core";
import { describe, expect, it, vi } from "vitest";
import { diagnoseAll } from "../../engine/diagnose.ts";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  running,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";
import { controlPlaneChecks } from "./control-plane.ts";
import { componentFaults } from "./controller-checks.ts";

const name = "jobset-controller-manager";

function deployment(availableReplicas: number): Wire {
  const metadata = { name, namespace: "jobset-system" };
  const status = {
    availableReplicas,
    conditions: [{ type: "Available", status: "False", message: "no" }],
  };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { replicas: 1 }, status };
}

const pod: Wire = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `${name}-5d9f-x2x4z`, namespace: "jobset-system" },
  spec: { nodeName: "n1" },
  status: {
    phase: "Pending",
    containerStatuses: [
      {
        name: "manager",
        state: { waiting: { reason: "ImagePullBackOff", message: "image not found" } },
      },
    ],
  },
};

describe("controlPlaneChecks", () => {
  it("diagnose reports a controller that does not run as the cause of an unreconciled JobSet", () => {
    const { status, roots, symptoms } = diagnoseCluster([
      createJobSet({ status: {} }),
      deployment(0),
      pod,
    ]);
    expect(status).toBe("Stuck");
    expect(roots.map(({ message }) => message)).toEqual([
      `the JobSet controller ${name} does not run: Pod ${pod.metadata.name}: ImagePullBackOff: image not found`,
    ]);
    expect(symptoms.map(({ id }) => id)).toContain("not-reconciled");
  });

  it("diagnose does not report the controller if it runs, or if the JobSet does not need it", () => {
    expect(rootIds(diagnoseCluster([createJobSet({ status: {} }), deployment(1)]))).toEqual([
      "not-reconciled",
    ]);
    const jobSet = createJobSet();
    const jobs = listJobs(jobSet);
    const pods = [0, 1, 2, 3].map((index) => createPod(jobs[0], index));
    const well = [jobSet, createService(jobSet), aNodeIn("r1"), ...jobs, ...pods];
    expect(diagnoseCluster([...well, deployment(0)]).roots).toEqual([]);
  });

  it("diagnoseAll searches the Pods of each component once for all JobSets", () => {
    const jobSets = ["a", "b", "c"].map((name) => {
      const jobSet = createJobSet({ status: {} });
      return { ...jobSet, metadata: { ...jobSet.metadata, name, uid: name } };
    });
    const snapshot = createSnapshot([...jobSets, pod], { kinds: "all" });
    const objects = vi.spyOn(snapshot, "objects");
    const found = diagnoseAll(snapshot, { now: 0, checks: [controlPlaneChecks] });
    expect(found.flatMap(rootIds)).toEqual(jobSets.map(() => "controller-not-running"));
    expect(objects.mock.calls.filter(([kind]) => kind === "Pod")).toHaveLength(
      componentFaults.length,
    );
  });

  it("diagnose reports a controller whose Pods have no node, if the Deployment was not read", () => {
    const message = "0/1 nodes are available: 1 node(s) had untolerated taint(s).";
    const waiting = { ...pod, spec: {}, status: { phase: "Pending" } };
    const { roots } = diagnoseCluster([
      createJobSet({ status: {} }),
      waiting,
      anEvent(waiting, "FailedScheduling", message),
    ]);
    const text = `Pod ${pod.metadata.name}: has no node: ${message}`;
    expect(roots.map((root) => root.message)).toEqual([
      `the JobSet controller ${pod.metadata.name} does not run: ${text}`,
    ]);
    expect(roots[0]?.texts?.advice).toContain(
      `run \`kubectl describe pod ${pod.metadata.name} -n jobset-system\``,
    );
  });

  it("diagnose reports why a container of the controller is not created, not only that it is not ready", () => {
    const message = "containers with unready status: [manager]";
    const status = {
      phase: "Pending",
      conditions: [{ type: "Ready", status: "False", message }],
      containerStatuses: [{ name: "manager", state: { waiting: { reason: "ContainerCreating" } } }],
    };
    const waiting = { ...pod, status };
    const rootOf = (...events: readonly Wire[]) =>
      diagnoseCluster([createJobSet({ status: {} }), waiting, ...events]).roots[0]?.message;
    expect(rootOf()).toContain(`is not ready: ${message}`);
    const mount = 'MountVolume.SetUp failed for volume "cert" : secret "serving-cert" not found';
    expect(rootOf(anEvent(waiting, "FailedMount", mount))).toContain(`is not ready: ${mount}`);
  });

  it("diagnose reports how the container of a restarting controller ended", () => {
    const status = {
      phase: "Running",
      containerStatuses: [
        {
          name: "manager",
          state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } },
          lastState: { terminated: { exitCode: 137, reason: "OOMKilled" } },
        },
      ],
    };
    const { roots } = diagnoseCluster([createJobSet({ status: {} }), { ...pod, status }]);
    expect(roots[0]?.message).toContain(
      "CrashLoopBackOff: back-off 5m0s: last exit: OOMKilled (exit code 137, SIGKILL), out of memory",
    );
  });

  it("diagnose reports a controller that is scaled to 0 replicas, with the command that starts it", () => {
    const stopped = { ...deployment(0), spec: { replicas: 0 } };
    const { roots } = diagnoseCluster([createJobSet({ status: {} }), stopped]);
    expect(roots.map((root) => root.message)).toEqual([
      `the JobSet controller ${name} does not run: it is scaled to 0 replicas`,
    ]);
    expect(roots[0]?.texts?.advice).toEqual([
      `run \`kubectl scale deployment ${name} -n jobset-system --replicas=1\``,
    ]);
  });

  it("diagnose does not report the controller if one of its Pods is ready", () => {
    const ready = { ...pod, metadata: { ...pod.metadata, name: `${name}-new` }, status: running };
    const found = diagnoseCluster([createJobSet({ status: {} }), pod, ready]);
    expect(rootIds(found)).toEqual(["not-reconciled"]);
  });

  it("diagnose reports why a controller has no Pods, from the condition of its Deployment", () => {
    const message = "pods is forbidden: exceeded quota: system";
    const status = {
      availableReplicas: 0,
      conditions: [{ type: "ReplicaFailure", status: "True", message }],
    };
    const { roots } = diagnoseCluster([createJobSet({ status: {} }), { ...deployment(0), status }]);
    expect(roots.map((root) => root.message)).toEqual([
      `the JobSet controller ${name} does not run: no Pod is created: ${message}`,
    ]);
  });

  function waitingPod(namespace: string, podName: string): Wire {
    return { ...pod, metadata: { name: podName, namespace } };
  }

  it("diagnose reports Kueue's controller as the cause if it does not run and has created no Workload", () => {
    const labels = { "kueue.x-k8s.io/queue-name": "q" };
    const jobSet = createJobSet({ labels, spec: { suspend: true } });
    const kueue = waitingPod("kueue-system", "kueue-controller-manager-x");
    const queue = {
      apiVersion: "kueue.x-k8s.io/v1beta2",
      kind: "LocalQueue",
      metadata: { name: "q", namespace: "ml" },
    };
    const found = diagnoseCluster([
      jobSet,
      createService(jobSet),
      ...listJobs(jobSet),
      kueue,
      queue,
    ]);
    expect(rootIds(found)).toEqual(["kueue-not-running"]);
    expect(found.roots[0]?.message).toContain("Kueue's controller kueue-controller-manager-x");
  });

  it("diagnose reports the scheduler as the cause if it does not run and has not tried a Pod", () => {
    const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
    const [job] = listJobs(jobSet);
    const waiting = createPod(job, 0, { spec: { nodeName: "" }, status: { phase: "Pending" } });
    const scheduler = waitingPod("kube-system", "kube-scheduler-cp-1");
    const found = diagnoseCluster([jobSet, createService(jobSet), job, waiting, scheduler]);
    expect(rootIds(found)).toEqual(["scheduler-not-running"]);
  });

  it("diagnose reports the controller manager as the cause if it does not run and a Job has no Pods", () => {
    const jobSet = createJobSet();
    const jobs = listJobs(jobSet);
    const manager = waitingPod("kube-system", "kube-controller-manager-cp-1");
    const found = diagnoseCluster([jobSet, createService(jobSet), ...jobs, manager]);
    expect(rootIds(found)).toEqual(["job-controller-not-running"]);
  });

  it.each([
    [
      "x509: certificate has expired or is not yet valid: current time 2026-02-07T10:00:00Z is after 2026-02-01T00:00:00Z",
      "renew the certificate of Service hook in namespace hooks",
    ],
    [
      "x509: certificate has expired or is not yet valid: current time 2026-02-07T10:00:00Z is before 2026-02-08T00:00:00Z",
      "compare the clocks",
    ],
    ["x509: certificate signed by unknown authority", "compare the `caBundle`"],
    [
      'no endpoints available for service "hook"',
      "repair the Pods of Service hook in namespace hooks, of which none responds: kubectl get pods -n hooks",
    ],
    ["dial tcp 10.0.0.1:443: connect: connection refused", "kubectl get pods -n hooks"],
    ['service "hook" not found', "install the component of Service hook"],
    ["context deadline exceeded", "firewall rules"],
  ])("diagnose advises how to fix a webhook that cannot be called: %s", (error, advice) => {
    const jobSet = createJobSet();
    const [job] = listJobs(jobSet);
    const call = 'failed to call webhook: Post "https://hook.hooks.svc:443/mutate?timeout=10s"';
    const text = `Error creating: Internal error occurred: failed calling webhook "a.b": ${call}: ${error}`;
    const failed = anEvent(job, "FailedCreate", text);
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), job, failed]);
    expect(roots.map(({ id }) => id)).toEqual(["webhook-unavailable"]);
    expect(roots[0]?.texts?.advice?.join("; ")).toContain(advice);
  });

  it.each([
    [
      "etcdserver: request timed out",
      "check the API server and etcd; the controller retries: run `kubectl get --raw /readyz?verbose`",
    ],
    [
      'Job.batch "js-w-0" is invalid: spec.template.spec.containers[0].image: Required value',
      "correct the field in the message and recreate JobSet js: the Pod template of a JobSet is immutable",
    ],
    [
      'admission webhook "validate.kyverno.svc-fail" denied the request: label owner is required',
      "satisfy the policy in the message and recreate JobSet js: the Pod template of a JobSet is immutable",
    ],
    [
      'jobs.batch "js-w-0" is forbidden: exceeded quota: objects, requested: count/jobs.batch=1',
      "free quota or raise it, then the controller retries: run `kubectl describe resourcequota -n ml`",
    ],
    [
      'jobs.batch is forbidden: User "system:serviceaccount:jobset-system:x" cannot create resource "jobs"',
      "grant the permission in the message to the controller: reinstall its ClusterRole and ClusterRoleBinding",
    ],
  ])("diagnose advises how to fix a Job that the API server rejects: %s", (message, advice) => {
    const jobSet = createJobSet();
    const text = `job "js-w-0" creation failed with error: ${message}`;
    const rejected = anEvent(jobSet, "JobCreationFailed", text);
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), rejected]);
    expect(roots.map(({ id }) => id)).toEqual(["job-rejected"]);
    expect(roots[0]?.texts?.advice).toContain(advice);
  });

  it("diagnose advises to create the ServiceAccount that the API server does not find for a Pod", () => {
    const jobSet = createJobSet();
    const [job] = listJobs(jobSet);
    const text =
      'Error creating: pods "js-w-0-0-" is forbidden: serviceaccount "trainer" not found';
    const rejected = anEvent(job, "FailedCreate", text);
    const { roots } = diagnoseCluster([jobSet, createService(jobSet), job, rejected]);
    expect(roots[0]?.texts?.advice).toContain(
      "create the missing object in the message, then the controller retries",
    );
  });
});
