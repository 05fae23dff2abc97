import { describe, expect, it } from "vitest";
import { resolveKueueFeatureGates } from "../features.ts";
import { isEquivalent } from "./equivalent.ts";
import { newWorkload } from "./new-workload.ts";

const features = resolveKueueFeatureGates({ TopologyAwareScheduling: false });
const jobSetWith = (labels: object, annotations: object = {}, template: object = {}) => ({
  metadata: { name: "train", namespace: "ml", uid: "u-1", labels, annotations } as object,
  spec: { suspend: true, replicatedJobs: [{ name: "w", template: { spec: { template } } }] },
});
const createForTest = (jobSet: object, config = {}, gates = features) => {
  const result = newWorkload(jobSet, {}, config, gates);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
};

describe("newWorkload", () => {
  it("newWorkload sets the JobSet as owner and a finalizer that blocks deletion while quota is reserved", () => {
    const { metadata, spec } = createForTest(jobSetWith({ "kueue.x-k8s.io/queue-name": "gpu" }));
    expect(metadata).toEqual({
      name: "jobset-train-daae2",
      namespace: "ml",
      labels: { "kueue.x-k8s.io/job-uid": "u-1" },
      finalizers: ["kueue.x-k8s.io/resource-in-use"],
      ownerReferences: [
        {
          apiVersion: "jobset.x-k8s.io/v1alpha2",
          kind: "JobSet",
          name: "train",
          uid: "u-1",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    });
    expect(spec).toEqual({
      podSets: [{ name: "w", template: {}, count: 1 }],
      queueName: "gpu",
      priority: 0,
    });
  });

  it.each([
    ["60", 60],
    ["+7", 7],
    ["0", undefined],
    ["2147483648", undefined],
    ["soon", undefined],
  ])("newWorkload reads the label value %s as a run time of %s seconds", (limit, expected) => {
    const labels = { "kueue.x-k8s.io/max-exec-time-seconds": limit };
    expect(createForTest(jobSetWith(labels)).spec.maximumExecutionTimeSeconds).toBe(expected);
  });

  it("newWorkload copies configured labels and annotations, provisioning annotations and admission gates", () => {
    const annotations = {
      "provreq.kueue.x-k8s.io/a": "1",
      "kueue.x-k8s.io/admission-gated-by": "x.io/gate",
      note: "n",
      other: "o",
    };
    const config = { labelKeysToCopy: ["team", "absent"], annotationsToCopy: ["note"] };
    const jobSet = jobSetWith({ team: "a", app: "b" }, annotations);
    const { metadata } = createForTest(jobSet, config);
    expect(metadata.labels).toEqual({ "kueue.x-k8s.io/job-uid": "u-1", team: "a" });
    expect(Object.keys(metadata.annotations ?? {})).toEqual([
      "provreq.kueue.x-k8s.io/a",
      "kueue.x-k8s.io/admission-gated-by",
    ]);
    const custom = resolveKueueFeatureGates({ CustomMetricLabels: true, AdmissionGatedBy: false });
    expect(createForTest(jobSet, config, custom).metadata.annotations).toEqual({
      "provreq.kueue.x-k8s.io/a": "1",
      note: "n",
    });
  });
});

describe("isEquivalent", () => {
  const flavor = { metadata: { name: "spot" }, spec: { tolerations: [{ key: "spot" }] } };
  const workload = createForTest(jobSetWith({}));
  const workloadWithConditions = (...types: string[]) => ({
    ...workload,
    status: {
      conditions: types.map((type) => ({ type, status: "True" as const })),
      admission: { podSetAssignments: [{ name: "w", flavors: { cpu: "spot" } }] },
    },
  });
  const createTolerations = (...keys: string[]) =>
    jobSetWith({}, {}, { spec: { tolerations: keys.map((key) => ({ key })) } });
  const createRunningJobSet = (jobSet: ReturnType<typeof jobSetWith>) => ({
    ...jobSet,
    spec: { ...jobSet.spec, suspend: false },
  });

  it.each([
    ["another toleration while the Workload waits", createTolerations("a"), workload, false],
    [
      "another toleration while quota is reserved",
      createTolerations("a"),
      workloadWithConditions("QuotaReserved"),
      false,
    ],
    [
      "equal tolerations while the JobSet is suspended",
      jobSetWith({}),
      workloadWithConditions("QuotaReserved"),
      true,
    ],
    [
      "equal tolerations while the JobSet runs",
      createRunningJobSet(jobSetWith({})),
      workloadWithConditions("QuotaReserved"),
      false,
    ],
    [
      "the flavor's toleration",
      createRunningJobSet(createTolerations("spot")),
      workloadWithConditions("QuotaReserved"),
      true,
    ],
    [
      "any toleration after admission",
      createTolerations("a"),
      workloadWithConditions("QuotaReserved", "Admitted"),
      true,
    ],
  ])("isEquivalent handles %s", (_, jobSet, held, expected) => {
    expect(isEquivalent(jobSet, held, [flavor], features)).toEqual({ ok: true, value: expected });
  });

  it("isEquivalent does not parse topology annotations if the owner differs", () => {
    const annotations = { "kueue.x-k8s.io/podset-unconstrained-topology": "maybe" };
    const jobSet = jobSetWith({}, {}, { metadata: { annotations } });
    const other = { ...jobSet, metadata: { name: "other" } };
    expect(isEquivalent(other, workload, [], resolveKueueFeatureGates())).toEqual({
      ok: true,
      value: false,
    });
    expect(isEquivalent(jobSet, workload, [], resolveKueueFeatureGates()).ok).toBe(false);
  });
});
