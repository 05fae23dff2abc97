import { resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import type { Job, PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import { type AJob, type AJobSet, aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { createJobFactories } from "../desired/desired-jobs.ts";
import { NO_QUIRKS, UPSTREAM_QUIRKS } from "../quirks.ts";
import { resumeJob } from "./resume-job.ts";

const features = resolveFeatureGates({});
const contexts = {
  default: { features, quirks: NO_QUIRKS },
  upstream: { features, quirks: UPSTREAM_QUIRKS },
  counting: {
    features: resolveFeatureGates({ ExecutionAttemptsTracking: true }),
    quirks: NO_QUIRKS,
  },
};

const containers = [{ name: "main", image: "img" }];

/** Members of a Pod template, without the levels between. */
interface Template {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly object[];
  readonly schedulingGates?: readonly object[];
}

function podTemplate({ labels, annotations, ...spec }: Template): PodTemplateSpec {
  return { metadata: { labels, annotations }, spec: { containers, ...spec } } as PodTemplateSpec;
}

/** The JobSet with the current template. */
function train(template: Template, jobSet = aJobSet("train")): AJobSet {
  const spec = { ...aReplicatedJob("w").template.spec, template: podTemplate(template) };
  return jobSet.withReplicatedJob("w", { replicas: 2, template: { spec } });
}

/** The Job as it was created from the earlier template. */
function suspendedJob(template: Template): AJob {
  return aJob("train-w-0")
    .suspended()
    .withSpec({ template: podTemplate(template) });
}

function resume(
  jobSet: AJobSet,
  job: Unvalidated<Job>,
  context: Parameters<typeof resumeJob>[3] = contexts.default,
) {
  const [replicatedJob = {}] = jobSet.spec.replicatedJobs ?? [];
  return resumeJob(deepFreeze(jobSet), replicatedJob, deepFreeze(job), context);
}

/** The mutable members of a resumed Job's Pod template, without absent members. */
function getTemplate(job: Unvalidated<Job>): Template {
  const { metadata, spec } = job.spec?.template ?? {};
  const { nodeSelector, tolerations, schedulingGates } = spec ?? {};
  const members = { ...metadata, nodeSelector, tolerations, schedulingGates };
  return JSON.parse(JSON.stringify(members));
}

const was = {
  labels: { queue: "old", stale: "x" },
  annotations: { note: "old", stale: "x" },
  nodeSelector: { pool: "a", zone: "z1" },
  tolerations: [
    { key: "gpu", operator: "Exists" },
    { key: "spot", operator: "Exists" },
  ],
  schedulingGates: [{ name: "a" }, { name: "b" }],
};
const isNow = {
  labels: { queue: "new" },
  annotations: { note: "new" },
  nodeSelector: { pool: "b" },
  tolerations: [
    { key: "spot", operator: "Exists" },
    { key: "tpu", operator: "Exists" },
  ],
  schedulingGates: [{ name: "b" }, { name: "c" }],
};

describe.each([
  ["by default", contexts.default],
  ["as upstream", contexts.upstream],
])("resumeJob %s", (_, context) => {
  it("resumeJob only unsuspends the Job if the template is unchanged", () => {
    const job = suspendedJob(was);
    const resumed = resume(train(was), job, context);
    expect(resumed.changes).toEqual([{ path: ["spec", "suspend"], value: false }]);
    expect(resumed.job).toEqual({ ...job, spec: { ...job.spec, suspend: false } });
    expect(resumed.changesResources).toBe(false);
  });

  it("resumeJob changes only suspend and the five mutable members", () => {
    const changed = { ...aReplicatedJob("w").template.spec, parallelism: 7, backoffLimit: 9 };
    const jobSet = aJobSet("train").withReplicatedJob("w", {
      template: {
        metadata: { labels: { own: "Job's" } },
        spec: {
          ...changed,
          template: {
            metadata: { finalizers: ["f"] },
            spec: { containers: [{ name: "main", image: "other" }], affinity: {}, hostname: "h" },
          },
        },
      },
    });
    const job = suspendedJob({});
    expect(resume(jobSet, job, context).job).toEqual({
      ...job,
      spec: { ...job.spec, suspend: false },
    });
  });

  it("resumeJob first removes the start time if there is one", () => {
    const job = suspendedJob(was);
    const startTime = "2026-02-07T06:56:19Z";
    expect(resume(train(was), job, context).resetsStartTime).toBe(false);
    expect(resume(train(was), job.withStatus({}), context).resetsStartTime).toBe(false);
    expect(resume(train(was), job.withStatus({ startTime }), context).resetsStartTime).toBe(true);
  });

  it("resumeJob adds new entries of the template, and replaces changed ones", () => {
    const { job } = resume(train(isNow), suspendedJob(was), context);
    const template = getTemplate(job);
    expect(template).toMatchObject({
      labels: isNow.labels,
      annotations: isNow.annotations,
      nodeSelector: isNow.nodeSelector,
    });
    expect(template.tolerations).toContainEqual({ key: "tpu", operator: "Exists" });
    expect(template.schedulingGates).toContainEqual({ name: "c" });
  });

  it("resumeJob represents a removed member in a form that JSON can express", () => {
    const { changes } = resume(train({}), suspendedJob({ nodeSelector: { disk: "old" } }));
    expect(changes).toContainEqual({ path: ["spec", "template", "spec", "nodeSelector"] });
    expect(JSON.parse(JSON.stringify(changes))).toStrictEqual(changes);
  });

  it("resumeJob lists changes entry by entry, and keeps entries that it does not list", () => {
    const template = ["spec", "template"];
    const { changes } = resume(
      train({
        labels: { queue: "b" },
        schedulingGates: [{ name: "c" }, { name: "a" }],
      }),
      suspendedJob({
        labels: { queue: "a", stale: "x" },
        schedulingGates: [{ name: "a" }, { name: "b" }],
      }),
    );
    expect(changes.slice(1)).toStrictEqual([
      { path: [...template, "metadata", "labels", "stale"] },
      { path: [...template, "metadata", "labels", "queue"], value: "b" },
      { path: [...template, "spec", "schedulingGates", { name: "b" }] },
      { path: [...template, "spec", "schedulingGates", { name: "c" }], value: { name: "c" } },
    ]);
  });

  it("resumeJob does not change scheduling gates that only have another order", () => {
    const [one, other] = [{ name: "a" }, { name: "b" }];
    const job = suspendedJob({ schedulingGates: [one, other] });
    expect(resume(train({ schedulingGates: [other, one] }), job, context).changes).toHaveLength(1);
  });

  it("resumeJob is idempotent: a second resume changes nothing", () => {
    const { job } = resume(train(isNow), suspendedJob(was), context);
    expect(resume(train(isNow), job, context).changes).toEqual([
      { path: ["spec", "suspend"], value: false },
    ]);
  });
});

describe("the quirk ResumeMergesTemplate", () => {
  it("with the quirk ResumeMergesTemplate, entries that the template no longer has are kept; by default they are removed", () => {
    expect(getTemplate(resume(train(isNow), suspendedJob(was), contexts.upstream).job)).toEqual({
      labels: { queue: "new", stale: "x" },
      annotations: { note: "new", stale: "x" },
      nodeSelector: { pool: "b", zone: "z1" },
      tolerations: [...was.tolerations, { key: "tpu", operator: "Exists" }],
      schedulingGates: [{ name: "a" }, { name: "b" }, { name: "c" }],
    });
    expect(getTemplate(resume(train(isNow), suspendedJob(was)).job)).toEqual(isNow);
  });

  it("with the quirk ResumeMergesTemplate, an empty template removes nothing; by default it removes all entries", () => {
    expect(getTemplate(resume(train({}), suspendedJob(was), contexts.upstream).job)).toEqual(was);
    const { job, changes } = resume(train({}), suspendedJob(was));
    expect(getTemplate(job)).toEqual({});
    expect(changes.map(({ path, value }) => [path.at(-1), value])).toEqual([
      ["suspend", false],
      ["labels", undefined],
      ["annotations", undefined],
      ["nodeSelector", undefined],
      ["tolerations", undefined],
      ["schedulingGates", undefined],
    ]);
  });

  it("the quirk ResumeMergesTemplate compares tolerations by value, including seconds and empty text", () => {
    const seconds = { key: "spot", operator: "Exists", tolerationSeconds: 30 };
    const tolerations = [seconds, seconds, { key: "gpu", value: "", effect: "NoSchedule" }];
    const template = {
      tolerations: [
        { effect: "NoSchedule", key: "gpu" },
        { ...seconds, tolerationSeconds: 31 },
        { tolerationSeconds: 30, operator: "Exists", key: "spot" },
      ],
    };
    const { job } = resume(train(template), suspendedJob({ tolerations }), contexts.upstream);
    expect(getTemplate(job).tolerations).toEqual([
      seconds,
      { key: "gpu", value: "", effect: "NoSchedule" },
      { ...seconds, tolerationSeconds: 31 },
    ]);
    const exactly = resume(train(template), suspendedJob({ tolerations }));
    expect(getTemplate(exactly.job).tolerations).toEqual(template.tolerations);
  });

  it("with the quirk ResumeMergesTemplate, a reserved key in the template replaces JobSet's value; by default it does not", () => {
    const reserved = {
      "jobset.sigs.k8s.io/job-index": "7",
      "batch.kubernetes.io/job-name": "mine",
    };
    const own = {
      "jobset.sigs.k8s.io/job-index": "0",
      "batch.kubernetes.io/job-name": "train-w-0",
    };
    const jobSet = train({ labels: reserved, annotations: reserved });
    const job = suspendedJob({ labels: own, annotations: own });
    expect(getTemplate(resume(jobSet, job, contexts.upstream).job)).toEqual({
      labels: reserved,
      annotations: reserved,
    });
    expect(getTemplate(resume(jobSet, job).job)).toEqual({
      labels: own,
      // The Job controller owns labels only.
      annotations: { ...own, "batch.kubernetes.io/job-name": "mine" },
    });
  });
});

describe("resumeJob", () => {
  it.each([
    [0, isNow, false],
    [1, isNow, true],
    [1, was, false],
  ])(
    "resumeJob waits for the %i active Pods of a Job if its template changes",
    (active, now, soon) => {
      const job = suspendedJob(was).withStatus({ active });
      expect(resume(train(now), job).isTooSoon).toBe(soon);
      const quirks = new Set(["ResumePrecedesStop"] as const);
      expect(resume(train(now), job, { features, quirks }).isTooSoon).toBe(false);
    },
  );

  it("resumeJob keeps the labels of the Job controller", () => {
    const labels = {
      "batch.kubernetes.io/controller-uid": "u",
      "batch.kubernetes.io/job-name": "train-w-0",
      "controller-uid": "u",
      "job-name": "train-w-0",
    };
    expect(getTemplate(resume(train({}), suspendedJob({ labels })).job)).toEqual({ labels });
  });

  it("resumeJob keeps the labels that the Job's selector requires, because the API server would reject the update", () => {
    const job = suspendedJob({ labels: { app: "a", tier: "b", stale: "c" } }).withSpec({
      manualSelector: true,
      selector: {
        matchLabels: { app: "a" },
        matchExpressions: [null as never, { key: "tier", operator: "Exists" }],
      },
    });
    expect(getTemplate(resume(train({ labels: { app: "new" } }), job).job)).toEqual({
      labels: { app: "a", tier: "b" },
    });
  });

  it("resumeJob creates the same template as the creation of the Job", () => {
    const template = { ...isNow, tolerations: [{ key: "alpha.jobset.sigs.k8s.io/no-schedule" }] };
    for (const annotations of [
      {},
      { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" },
      {
        "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
        "alpha.jobset.sigs.k8s.io/node-selector": "true",
      },
    ]) {
      const jobSet = train(template, aJobSet("train").withAnnotations(annotations));
      const [jobs] = createJobFactories(jobSet.suspended(), contexts.default);
      const created = jobs?.jobAt(0);
      expect(resume(jobSet, created as Job).changes).toEqual([
        { path: ["spec", "suspend"], value: false },
      ]);
    }
  });

  it("resumeJob handles tolerations that are nested too deeply", () => {
    const nested = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const replicatedJob = aReplicatedJob("w", {
      template: { spec: { template: podTemplate({ tolerations: [{ key: nested }] }) } },
    });
    const job = suspendedJob({ tolerations: [{ key: [] }] });
    expect(resumeJob({}, replicatedJob, job, contexts.upstream).changes).toHaveLength(1);
  });

  describe("of a Job placed by node labels", () => {
    const byTopology = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
    const byNodeLabels = { ...byTopology, "alpha.jobset.sigs.k8s.io/node-selector": "true" };
    const selector = { "alpha.jobset.sigs.k8s.io/namespaced-job": "default_train-w-0" };
    const toleration = {
      key: "alpha.jobset.sigs.k8s.io/no-schedule",
      operator: "Exists",
      effect: "NoSchedule",
    };
    const placed = {
      annotations: byNodeLabels,
      nodeSelector: { pool: "a", ...selector },
      tolerations: [{ key: "gpu" }, toleration],
    };
    const spread = aJobSet("train").withAnnotations(byNodeLabels);

    it("a resumed Job that is placed by node labels keeps its selector, toleration and annotations in addition to the template's", () => {
      const jobSet = train({ nodeSelector: { pool: "b" }, tolerations: [{ key: "tpu" }] }, spread);
      expect(getTemplate(resume(jobSet, suspendedJob(placed)).job)).toEqual({
        annotations: byNodeLabels,
        nodeSelector: { pool: "b", ...selector },
        tolerations: [{ key: "tpu" }, toleration],
      });
    });

    it("a resumed Job that is placed by node labels gets the JobSet's current selector, toleration and annotations", () => {
      const jobSet = train({}, aJobSet("train").withAnnotations(byTopology));
      expect(getTemplate(resume(jobSet, suspendedJob(placed)).job)).toEqual({
        annotations: byTopology,
      });
      const back = resume(train({}, spread), suspendedJob({ annotations: byTopology }));
      expect(getTemplate(back.job)).toEqual({
        annotations: byNodeLabels,
        nodeSelector: selector,
        tolerations: [toleration],
      });
    });

    it("a resumed Job that is placed by node labels gets JobSet's toleration even if the template has it, too, as at creation", () => {
      const jobSet = train({ tolerations: [toleration] }, spread);
      const tolerations = [toleration, toleration];
      expect(getTemplate(resume(jobSet, suspendedJob({})).job).tolerations).toEqual(tolerations);
    });

    it("a resumed Job that is no longer placed by node labels loses the toleration if the template drops it", () => {
      const job = suspendedJob({ tolerations: [toleration] });
      expect(getTemplate(resume(train({}), job).job)).toEqual({});
    });

    it("resumeJob reads the node-selector strategy of the Job template, too", () => {
      const spec = { ...aReplicatedJob("w").template.spec, template: podTemplate({}) };
      const strategy = { "alpha.jobset.sigs.k8s.io/node-selector": "true" };
      const jobSet = aJobSet("train")
        .withAnnotations(byTopology)
        .withReplicatedJob("w", { template: { metadata: { annotations: strategy }, spec } });
      expect(getTemplate(resume(jobSet, suspendedJob({})).job)).toEqual({
        annotations: byTopology,
        nodeSelector: selector,
        tolerations: [toleration],
      });
    });
  });

  describe("with the count of executions (E1, E6)", () => {
    const key = "jobset.sigs.k8s.io/execution-attempt";
    const third = aJobSet("train").withStatus({ executionAttempts: 3 });

    it("resumeJob writes the execution attempt to the Job and its Pods (E1, E6)", () => {
      const job = suspendedJob({ annotations: { [key]: "2" } }).withAnnotations({
        [key]: "2",
        a: "b",
      });
      const resumed = resume(train({}, third), job, contexts.counting);
      expect(resumed.job.metadata?.annotations).toEqual({ [key]: "3", a: "b" });
      expect(getTemplate(resumed.job)).toEqual({ annotations: { [key]: "3" } });
    });

    it("resumeJob writes the execution attempt after the merge, so the template's value does not count (E1, E6)", () => {
      const jobSet = train({ annotations: { [key]: "9" } }, third);
      for (const quirks of [NO_QUIRKS, UPSTREAM_QUIRKS]) {
        const { job } = resume(jobSet, suspendedJob({}), { ...contexts.counting, quirks });
        expect(getTemplate(job)).toEqual({ annotations: { [key]: "3" } });
        expect(job.metadata?.annotations).toEqual({ [key]: "3" });
      }
    });

    it("resumeJob writes execution attempt 0 if the count is unset (E1, E6)", () => {
      const { job } = resume(train({}), suspendedJob({}), contexts.counting);
      expect(job.metadata?.annotations).toEqual({ [key]: "0" });
    });

    it("resumeJob ignores a label that is not a string", () => {
      const { job } = resume(
        train({ labels: { [key]: "9" } }, third),
        suspendedJob({}),
        contexts.counting,
      );
      expect(getTemplate(job).labels).toEqual({ [key]: "9" });
      expect(job.metadata?.labels).not.toHaveProperty([key]);
    });

    it("resumeJob does not write the execution attempt without the gate (E1, E6)", () => {
      const job = suspendedJob({ annotations: { [key]: "2" } }).withAnnotations({ [key]: "2" });
      for (const context of [contexts.default, contexts.upstream]) {
        expect(resume(train({}, third), job, context).changes).toHaveLength(1);
        expect(resume(train({}, third), suspendedJob({}), context).changes).toHaveLength(1);
      }
    });
  });
});
