import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import type { Job, JobTemplateSpec, PodSpec } from "@jobset-ts/api/kubernetes";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { childKeysByTheTable } from "../testing/reference/child-keys-by-the-table.ts";
import { createJobFactories, desiredJobs } from "./desired-jobs.ts";
import { jobCount } from "./job-indexes.ts";
import { MAX_DESIRED_JOBS } from "./size-limits.ts";

const context = { features: resolveFeatureGates({}) };

/** The one Job of a JobSet whose ReplicatedJob has a template. */
function createJob(template: unknown, jobSet = aJobSet("train")): Job {
  const [job] = desiredJobs(
    jobSet.withReplicatedJob("w", { template: template as JobTemplateSpec }),
    context,
  );
  if (job === undefined) throw new TypeError("the JobSet has a Job");
  return job;
}

/** A Job template around a Pod spec. */
function podTemplate(spec: PodSpec): JobTemplateSpec {
  return { spec: { template: { spec } } };
}

const containers = [{ name: "main", image: "img" }];

describe("desiredJobs", () => {
  it("desiredJobs returns the Jobs of the worked example, by ReplicatedJob and then by index", () => {
    const jobSet = aJobSet("train")
      .inNamespace("ml")
      .withUid("u-1")
      .withSpec({ coordinator: { replicatedJob: "driver", jobIndex: 0, podIndex: 0 } })
      .withReplicatedJob("driver")
      .withReplicatedJob("workers", {
        replicas: 2,
        template: {
          spec: { ...aReplicatedJob("workers").template.spec, parallelism: 4, completions: 4 },
        },
      });

    const jobs = desiredJobs(jobSet, context);
    expect(jobs.map((job) => job.metadata.name)).toEqual([
      "train-driver-0",
      "train-workers-0",
      "train-workers-1",
    ]);
    const keys = {
      "jobset.sigs.k8s.io/jobset-name": "train",
      "jobset.sigs.k8s.io/jobset-uid": "u-1",
      "jobset.sigs.k8s.io/replicatedjob-name": "workers",
      "jobset.sigs.k8s.io/restart-attempt": "0",
      "jobset.sigs.k8s.io/replicatedjob-replicas": "2",
      "jobset.sigs.k8s.io/global-replicas": "3",
      "jobset.sigs.k8s.io/job-index": "1",
      "jobset.sigs.k8s.io/job-key": "9758140d1b2c3c8dbaebb0783352de84ca2874b5",
      "jobset.sigs.k8s.io/job-global-index": "2",
      "jobset.sigs.k8s.io/group-name": "default",
      "jobset.sigs.k8s.io/group-replicas": "3",
      "jobset.sigs.k8s.io/job-group-index": "2",
      "jobset.sigs.k8s.io/coordinator": "train-driver-0-0.train",
    };
    expect(jobs[2]).toStrictEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: "train-workers-1",
        namespace: "ml",
        labels: keys,
        annotations: keys,
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
      },
      spec: {
        parallelism: 4,
        completions: 4,
        completionMode: "Indexed",
        suspend: false,
        template: {
          metadata: { labels: keys, annotations: keys },
          spec: { restartPolicy: "Never", subdomain: "train", containers },
        },
      },
    });
  });

  it("desiredJobs copies labels and annotations of the Job template, and no other metadata", () => {
    const { metadata } = createJob({
      metadata: {
        name: "own",
        finalizers: ["example.com/own"],
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "own", uid: "own" }],
        labels: { app: "job" },
        annotations: { note: "job" },
      },
      spec: { template: {} },
    });
    expect(Object.keys(metadata).sort()).toEqual([
      "annotations",
      "labels",
      "name",
      "namespace",
      "ownerReferences",
    ]);
    expect(metadata.name).toBe("train-w-0");
    expect(metadata.ownerReferences).toHaveLength(1);
    expect(metadata.labels).toMatchObject({ app: "job" });
    expect(metadata.annotations).toMatchObject({ note: "job" });
  });

  it("desiredJobs keeps the metadata of the Pod template and does not add that of the Job template", () => {
    const { metadata } = createJob({
      metadata: { labels: { app: "job" }, annotations: { note: "job" } },
      spec: { template: { metadata: { name: "own", labels: { tier: "pod" } }, spec: {} } },
    }).spec.template;
    expect(metadata?.name).toBe("own");
    expect(metadata?.labels).toMatchObject({ tier: "pod" });
    expect(metadata?.labels).not.toHaveProperty("app");
    expect(metadata?.annotations).not.toHaveProperty("note");
  });

  it("desiredJobs overrides user values of JobSet's keys", () => {
    const own = {
      labels: { "jobset.sigs.k8s.io/job-index": "9" },
      annotations: { "jobset.sigs.k8s.io/restart-attempt": "9" },
    };
    const job = createJob({ metadata: own, spec: { template: { metadata: own } } });
    for (const { labels, annotations } of [job.metadata, job.spec.template.metadata ?? {}]) {
      expect(labels?.["jobset.sigs.k8s.io/job-index"]).toBe("0");
      expect(annotations?.["jobset.sigs.k8s.io/restart-attempt"]).toBe("0");
    }
  });

  it("desiredJobs keeps a user's label called __proto__", () => {
    const own = { labels: JSON.parse('{ "__proto__": "x" }') };
    const job = createJob({ metadata: own, spec: { template: { metadata: own } } });
    for (const { labels = {} } of [job.metadata, job.spec.template.metadata ?? {}]) {
      expect(Object.getOwnPropertyDescriptor(labels, "__proto__")?.value).toBe("x");
      expect(labels["jobset.sigs.k8s.io/job-index"]).toBe("0");
    }
  });

  describe("with DNS hostnames", () => {
    it("desiredJobs with DNS hostnames uses the JobSet's subdomain and ignores that of the template", () => {
      const template = podTemplate({ containers, subdomain: "own" });
      expect(createJob(template).spec.template.spec?.subdomain).toBe("train");
      const jobSet = aJobSet("train").withSpec({
        network: { enableDNSHostnames: true, subdomain: "net" },
      });
      expect(createJob(template, jobSet).spec.template.spec?.subdomain).toBe("net");
    });

    it.each([[undefined], [{}], [{ enableDNSHostnames: false, subdomain: "net" }]])(
      "desiredJobs without DNS hostnames, as in %j, keeps the template's subdomain",
      (network) => {
        const jobSet = aJobSet("train").withSpec({ network });
        const own = podTemplate({ containers, subdomain: "own" });
        expect(createJob(own, jobSet).spec.template.spec?.subdomain).toBe("own");
        const none = podTemplate({ containers });
        expect(createJob(none, jobSet).spec.template.spec).toStrictEqual({ containers });
      },
    );
  });

  it("desiredJobs with the node-selector strategy select the nodes of their Job, and tolerate their taint", () => {
    const jobSet = aJobSet("train").withAnnotations({
      "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
      "alpha.jobset.sigs.k8s.io/node-selector": "",
    });
    const own = { key: "gpu", operator: "Exists" as const };
    const template = podTemplate({ containers, nodeSelector: { disk: "ssd" }, tolerations: [own] });
    expect(createJob(template, jobSet).spec.template.spec).toMatchObject({
      nodeSelector: {
        disk: "ssd",
        "alpha.jobset.sigs.k8s.io/namespaced-job": "default_train-w-0",
      },
      tolerations: [
        own,
        {
          key: "alpha.jobset.sigs.k8s.io/no-schedule",
          operator: "Exists",
          effect: "NoSchedule",
        },
      ],
    });
  });

  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])(
    "desiredJobs of a JobSet with suspend %s have suspend %s, and ignore the template's value",
    (suspend, is) => {
      for (const own of [true, false, undefined]) {
        const jobSet = aJobSet("train").withSpec({ suspend });
        expect(createJob({ spec: { suspend: own, template: {} } }, jobSet).spec.suspend).toBe(is);
      }
    },
  );

  describe("with PersistentVolumeClaims", () => {
    const claims = (...names: string[]) => ({
      templates: names.map((name) => ({ metadata: { name }, spec: {} })),
    });
    const jobSet = aJobSet("train").withSpec({
      volumeClaimPolicies: [claims("data", "logs"), claims("cache")],
    });
    const listVolumes = (spec: PodSpec) =>
      createJob(podTemplate(spec), jobSet).spec.template.spec?.volumes;
    const createMountingPod = (name: string) => ({
      name: "c",
      volumeMounts: [{ name, mountPath: "/x" }],
    });
    const volume = (name: string) => ({
      name,
      persistentVolumeClaim: { claimName: `${name}-train` },
    });

    it("desiredJobs contains a volume for each PersistentVolumeClaim that a container mounts, in the order of the claims", () => {
      expect(
        listVolumes({ containers: [createMountingPod("cache"), createMountingPod("data")] }),
      ).toEqual([volume("data"), volume("cache")]);
    });

    it("desiredJobs contains claims of init containers, and each claim once", () => {
      const spec = {
        containers: [createMountingPod("logs")],
        initContainers: [createMountingPod("logs")],
      };
      expect(listVolumes(spec)).toEqual([volume("logs")]);
      expect(listVolumes({ containers, initContainers: [createMountingPod("logs")] })).toEqual([
        volume("logs"),
      ]);
    });

    it("desiredJobs keeps the template's volumes, even with the name of a claim", () => {
      const own = { name: "data" };
      expect(listVolumes({ containers: [createMountingPod("data")], volumes: [own] })).toEqual([
        own,
        volume("data"),
      ]);
    });

    it("desiredJobs contains no volumes if no container mounts a claim", () => {
      expect(listVolumes({ containers })).toBeUndefined();
      expect(listVolumes({ containers: [createMountingPod("other")], volumes: [] })).toEqual([]);
    });
  });

  it("desiredJobs copies unknown members of the templates", () => {
    const job = createJob({
      spec: {
        podReplacementPolicy: "Failed",
        newer: { a: [1] },
        template: { spec: { newest: 1 } },
      },
    });
    expect(job.spec).toMatchObject({ podReplacementPolicy: "Failed", newer: { a: [1] } });
    expect(job.spec.template.spec).toMatchObject({ newest: 1 });
  });

  it("desiredJobs writes a Date in a template as in JSON", () => {
    const metadata = { creationTimestamp: new Date("2026-02-07T06:56:19Z") };
    const job = createJob({ spec: { template: { metadata, spec: { at: [metadata] } } } });
    expect(JSON.parse(JSON.stringify(job.spec.template))).toMatchObject({
      metadata: { creationTimestamp: "2026-02-07T06:56:19Z" },
      spec: { at: [{ creationTimestamp: "2026-02-07T06:56:19Z" }] },
    });
  });

  it("desiredJobs does not change if the JobSet is modified later", () => {
    const labels = { app: "before" };
    const spec = { containers: [{ name: "before" }] };
    const job = createJob({
      metadata: { labels },
      spec: { template: { metadata: { labels }, spec } },
    });
    labels.app = "after";
    spec.containers[0] = { name: "after" };
    expect(JSON.stringify(job)).not.toContain("after");
  });

  it("desiredJobs share one frozen Pod spec", () => {
    const jobs = desiredJobs(aJobSet("train").withReplicatedJob("w", { replicas: 2 }), context);
    const [spec, other] = jobs.map((job) => job.spec.template.spec);
    expect(spec).toBe(other);
    expect(Object.isFrozen(spec?.containers[0])).toBe(true);
  });

  it("desiredJobs treats absent replicas as one", () => {
    const names = (replicas: number | undefined) =>
      desiredJobs(aJobSet("train").withReplicatedJob("w", { replicas }), context).length;
    expect([undefined, 0, -1, 3].map(names)).toEqual([1, 0, 0, 3]);
  });

  it("desiredJobs stops at a number of Jobs that fits into memory", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { replicas: 3 })
      .withReplicatedJob("v", { replicas: 2 ** 31 - 1 });
    expect(jobCount(jobSet)).toBeGreaterThan(MAX_DESIRED_JOBS);
    expect(desiredJobs(jobSet, context)).toEqual([]);
    const [, many] = createJobFactories(jobSet, context);
    const last = many?.jobAt(many.replicas - 1);
    expect(last?.metadata.labels).toMatchObject({
      "jobset.sigs.k8s.io/job-global-index": "2147483649",
      "jobset.sigs.k8s.io/global-replicas": "2147483650",
    });
  });

  it("desiredJobs have unique names, ordered by ReplicatedJob and index", () => {
    fc.assert(
      fc.property(jobSets(), (jobSet) => {
        const names = desiredJobs(jobSet, context).map((job) => job.metadata.name);
        expect(new Set(names).size).toBe(names.length);
        expect(names).toEqual(listPlacements(jobSet).map(({ name }) => name));
        expect(names).toHaveLength(jobCount(jobSet));
      }),
    );
  });

  it("desiredJobs have the same keys in all four maps, over the user's", () => {
    const underTheGate = { features: resolveFeatureGates({ RestartJob: true }) };
    fc.assert(
      fc.property(jobSets(), fc.constantFrom(context, underTheGate), (jobSet, gates) => {
        const jobs = desiredJobs(jobSet, gates);
        listPlacements(jobSet).forEach(({ position, index }, place) => {
          const keys = childKeysByTheTable(jobSet, position, index, gates);
          const { metadata, spec } = jobs[place] ?? ({} as Job);
          const template = jobSet.spec.replicatedJobs?.[position]?.template;
          const own = template?.spec.template.metadata;
          expect(metadata.labels).toEqual({ ...template?.metadata?.labels, ...keys });
          expect(spec.template.metadata?.labels).toEqual({ ...own?.labels, ...keys });
          expect(metadata.annotations).toMatchObject(keys);
          expect(metadata.annotations).toMatchObject(
            omitKeys(template?.metadata?.annotations, keys),
          );
          expect(spec.template.metadata?.annotations).toMatchObject(keys);
        });
      }),
    );
  });
});

describe("createJobFactories", () => {
  it("createJobFactories creates the same Jobs as desiredJobs, one at a time", () => {
    fc.assert(
      fc.property(jobSets(), (jobSet) => {
        const oneByOne = createJobFactories(jobSet, context).flatMap(({ replicas, jobAt }) =>
          Array.from({ length: replicas }, (_, index) => jobAt(index)),
        );
        expect(oneByOne).toEqual(desiredJobs(jobSet, context));
      }),
    );
  });
});

/** Computes the position of each Job slowly. */
function listPlacements(jobSet: Unvalidated<JobSet>) {
  const all: { name: string; position: number; index: number }[] = [];
  (jobSet.spec?.replicatedJobs ?? []).forEach(({ name, replicas = 1 }, position) => {
    for (let index = 0; index < replicas; index++) {
      all.push({ name: `train-${name}-${index}`, position, index });
    }
  });
  return all;
}

/** The user's annotations, except those that JobSet or exclusive placement may override. */
function omitKeys(own: Readonly<Record<string, string>> = {}, keys: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(own).filter(([key]) => !Object.hasOwn(keys, key) && !key.startsWith("alpha.")),
  );
}
