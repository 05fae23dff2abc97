import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  rootIds,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const jobSet = createJobSet({ replicatedJobs: [{ name: "w", replicas: 2, pods: 2 }] });
const resources = { requests: { cpu: "1500m" }, limits: { cpu: "2", "nvidia.com/gpu": "4" } };

/** Two Jobs of two Pods each, of which only one Pod exists. */
const jobs = listJobs(jobSet, (job) => {
  const container = { name: "main", resources };
  const template = { ...job.spec.template, spec: { containers: [container, { name: "b" }] } };
  return { ...job, spec: { ...job.spec, template } };
});
const base = [jobSet, createService(jobSet), ...jobs, aNodeIn("rack")];
const cluster = [...base, createPod(jobs[0], 0)];

/** One root for each Job, because their numbers of missing Pods differ. */
const notCreated = ["pods-not-created", "pods-not-created"];

function createQuota(hard: Wire, used: Wire, rest: Wire = {}): Wire {
  const metadata = { name: "team", namespace: "ml" };
  return { apiVersion: "v1", kind: "ResourceQuota", metadata, status: { hard, used }, ...rest };
}

describe("quota-exhausted", () => {
  it("an exhausted ResourceQuota is the root if Pods are missing and no Event says why", () => {
    const { roots } = diagnoseCluster([...cluster, createQuota({ pods: "5" }, { pods: "5" })]);
    expect(roots.map(({ id, message, count }) => ({ id, message, count }))).toEqual([
      {
        id: "quota-exhausted",
        message:
          "ResourceQuota team has no room for another pod of js-w-0: pods: 5 of 5 used, and a pod needs 1 … and 1 more: js-w-1",
        count: 2,
      },
    ]);
    expect(roots[0]?.objects).toContainEqual({
      apiVersion: "v1",
      kind: "ResourceQuota",
      namespace: "ml",
      name: "team",
    });
  });

  it.each<[Wire, Wire, string | undefined]>([
    [
      { "requests.cpu": "10" },
      { "requests.cpu": "8600m" },
      "8600m of 10 used, and a pod needs 1500m",
    ],
    [{ "requests.cpu": "10" }, { "requests.cpu": "8500m" }, undefined],
    [{ cpu: "1" }, { cpu: "0" }, "0 of 1 used, and a pod needs 1500m"],
    [{ "limits.cpu": "10" }, { "limits.cpu": "8.5" }, "8500m of 10 used, and a pod needs 2"],
    [
      { "requests.nvidia.com/gpu": "8" },
      { "requests.nvidia.com/gpu": "8" },
      "8 of 8 used, and a pod needs 4",
    ],
    [{ "requests.memory": "1Gi" }, { "requests.memory": "1Gi" }, undefined],
    [{ "count/jobs.batch": "2" }, { "count/jobs.batch": "2" }, undefined],
    [{ pods: "5" }, {}, undefined],
    [{ pods: "1e99999999" }, { pods: "1e99999999" }, undefined],
    [{ pods: {} }, { pods: [] }, undefined],
  ])("the room of a quota of %j with %j used is compared with a Pod", (hard, used, text) => {
    const found = diagnoseCluster([...cluster, createQuota(hard, used)]);
    if (text === undefined) expect(rootIds(found)).toEqual(notCreated);
    else expect(found.roots[0]?.message).toContain(text);
  });

  it("a quota of another namespace or of some Pods only is not a cause", () => {
    const full = { pods: "5" };
    const others = [
      createQuota(full, full, { metadata: { name: "team", namespace: "other" } }),
      createQuota(full, full, { spec: { scopes: ["BestEffort"] } }),
      createQuota(full, full, { spec: { scopeSelector: { matchExpressions: [] } } }),
    ];
    for (const quota of others) {
      expect(rootIds(diagnoseCluster([...cluster, quota]))).toEqual(notCreated);
    }
  });

  it("an Event with the error of the API server takes precedence", () => {
    const text = 'Error creating: pods "js-w-0-1-x" is forbidden: exceeded quota: team';
    const events = jobs.map((job) => anEvent(job, "FailedCreate", text));
    const quota = createQuota({ pods: "5" }, { pods: "5" });
    expect(rootIds(diagnoseCluster([...cluster, quota, ...events]))).toEqual([
      "leader-rejected",
      "pods-rejected",
    ]);
  });

  it("an exhausted quota is not a finding if no Pods are missing", () => {
    const pods = jobs.flatMap((job) => [createPod(job, 0), createPod(job, 1)]);
    const quota = createQuota({ pods: "5" }, { pods: "5" });
    const found = diagnoseCluster([...base, ...pods, quota]);
    expect(rootIds(found)).toEqual([]);
  });
});
