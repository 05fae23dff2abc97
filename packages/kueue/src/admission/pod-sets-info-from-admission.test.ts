import type { Unvalidated } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import type { ResourceFlavor } from "../objects/cluster.ts";
import { podSetsInfoFromAdmission } from "./pod-sets-info-from-admission.ts";

const flavors: Unvalidated<ResourceFlavor>[] = [
  {
    metadata: { name: "spot" },
    spec: { nodeLabels: { pool: "spot" }, tolerations: [{ key: "s" }] },
  },
  { metadata: { name: "od" }, spec: { nodeLabels: { pool: "od", zone: "a" } } },
];
const podSets = [{ name: "w", count: 4, template: {} }];
const workloadWith = (assignment: object, status: object = {}, metadata: object = {}) => ({
  metadata: { name: "wl", ...metadata },
  spec: { queueName: "lq", podSets },
  status: {
    admission: { clusterQueue: "cq", podSetAssignments: [{ name: "w", ...assignment }] },
    ...status,
  },
});
const createInfo = (workload: object, gates = {}) => {
  const infos = podSetsInfoFromAdmission(workload, flavors, resolveKueueFeatureGates(gates));
  return infos.ok ? infos.value[0] : infos.refusal;
};

describe("podSetsInfoFromAdmission", () => {
  it("podSetsInfoFromAdmission sets Workload, Pod set and queue names, and counts the Pods of the set if the assignment has no count", () => {
    expect(createInfo(workloadWith({}))).toEqual({
      name: "w",
      count: 4,
      labels: {
        "kueue.x-k8s.io/podset": "w",
        "kueue.x-k8s.io/local-queue-name": "lq",
        "kueue.x-k8s.io/cluster-queue-name": "cq",
      },
      annotations: { "kueue.x-k8s.io/workload": "wl" },
    });
  });

  it("podSetsInfoFromAdmission omits a cluster queue name that is not a label value, and all queue names without their gate", () => {
    const workload = workloadWith({});
    workload.status.admission.clusterQueue = "cq.dotted";
    const none = { AssignQueueLabelsForPods: false };
    expect(createInfo(workload)).not.toHaveProperty([
      "labels",
      "kueue.x-k8s.io/cluster-queue-name",
    ]);
    expect(createInfo(workload, none)).toHaveProperty("labels", { "kueue.x-k8s.io/podset": "w" });
  });

  it("podSetsInfoFromAdmission merges each flavor once, sorted by resource name, and later flavors win", () => {
    const workload = workloadWith({ flavors: { memory: "spot", cpu: "od", gpu: "spot" } });
    expect(createInfo(workload)).toMatchObject({
      nodeSelector: { pool: "spot", zone: "a" },
      tolerations: [{ key: "s" }],
    });
  });

  it("podSetsInfoFromAdmission fails for now if a flavor is missing", () => {
    expect(createInfo(workloadWith({ flavors: { cpu: "gone" } }))).toEqual({
      reason: "NotFound",
      message: 'resourceflavors.kueue.x-k8s.io "gone" not found',
      isPermanent: false,
    });
  });

  it("podSetsInfoFromAdmission gates Pods with a topology assignment, and marks them unconstrained if they request no topology", () => {
    const assigned = workloadWith({ topologyAssignment: {} });
    expect(createInfo(assigned)).toMatchObject({
      schedulingGates: [{ name: "kueue.x-k8s.io/topology" }],
      annotations: { "kueue.x-k8s.io/podset-unconstrained-topology": "true" },
    });
    expect(createInfo(assigned, { TopologyAwareScheduling: false })).not.toHaveProperty(
      "schedulingGates",
    );
  });

  it("podSetsInfoFromAdmission labels Pods on a worker cluster", () => {
    const labels = { "kueue.x-k8s.io/multikueue-origin": "mk" };
    expect(createInfo(workloadWith({}, {}, { labels }))).toHaveProperty(
      ["labels", "kueue.x-k8s.io/multikueue-worker-workload-pod"],
      "true",
    );
  });

  it("podSetsInfoFromAdmission names the admission check that conflicts with an earlier one", () => {
    const check = (name: string, value: string) => ({
      name,
      state: "Ready",
      podSetUpdates: [{ name: "w", labels: { "ac-key": value } }],
    });
    const admissionChecks = [check("check1", "ac-value1"), check("check2", "ac-value2")];
    expect(createInfo(workloadWith({}, { admissionChecks }))).toMatchObject({
      message:
        'in admission check "check2": invalid admission check PodSetUpdate: conflict for labels: conflict for key=ac-key, value1=ac-value1, value2=ac-value2',
      isPermanent: true,
    });
  });
});
