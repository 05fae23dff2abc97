import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../../cluster.ts";
import { part, type Scenario } from "../../scenario.ts";
import { complete, failed, ready } from "./job-statuses.ts";

const PREFIX = "jobset.sigs.k8s.io/";

/** Returns the JobSet keys of labels or annotations, without their prefix. */
function ownKeys(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.entries(map).filter(([key]) => key.startsWith(PREFIX));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(PREFIX.length), value]));
}

/** Returns the labels and annotations of a Job and of its Pod template. */
function createMaps({ metadata, spec }: Stored): readonly Readonly<Record<string, string>>[] {
  const pods = spec.template.metadata;
  return [metadata.labels, metadata.annotations, pods.labels, pods.annotations].map(ownKeys);
}

export const jobs: readonly Scenario[] = [
  {
    name: "Jobs and their Pods have labels and annotations for index, size, group and coordinator",
    async play(stage) {
      const { metadata } = await stage.create({
        coordinator: { replicatedJob: "driver" },
        network: { subdomain: "net" },
        replicatedJobs: [
          { ...part("driver"), groupName: "leaders" },
          { ...part("workers", { replicas: 2 }), groupName: "followers" },
          { ...part("more", { replicas: 3 }), groupName: "followers" },
        ],
      });
      const job = await stage.job("more-1");
      const key = createHash("sha1").update(`${stage.namespace}/train-more-1`).digest("hex");
      for (const map of createMaps(job)) {
        assert.deepEqual(map, {
          "jobset-name": "train",
          "jobset-uid": metadata.uid,
          "replicatedjob-name": "more",
          "replicatedjob-replicas": "3",
          "global-replicas": "6",
          "job-index": "1",
          "job-key": key,
          "job-global-index": "4",
          "restart-attempt": "0",
          "group-name": "followers",
          "group-replicas": "5",
          "job-group-index": "3",
          coordinator: "train-driver-0-0.net",
        });
      }
    },
  },
  {
    name: "the coordinator can be any Pod, and its default subdomain is the JobSet's name",
    async play(stage) {
      await stage.create({
        coordinator: { replicatedJob: "workers", jobIndex: 1, podIndex: 2 },
        replicatedJobs: [part("driver"), part("workers", { replicas: 2, pods: 3 })],
      });
      for (const map of createMaps(await stage.job("driver-0")))
        assert.equal(map.coordinator, "train-workers-1-2.train");
    },
  },
  {
    name: "labels and annotations of the template are kept except for JobSet's own keys",
    async play(stage) {
      const workers = part("workers");
      Object.assign(workers.template.metadata, {
        labels: { team: "a", "jobset.sigs.k8s.io/job-index": "7" },
        annotations: { note: "b" },
      });
      Object.assign(workers.template.spec.template, {
        metadata: { labels: { role: "c" }, annotations: { hint: "d" } },
      });
      await stage.create({ replicatedJobs: [workers] });
      const { metadata, spec } = await stage.job("workers-0");
      assert.equal(metadata.labels.team, "a");
      assert.equal(metadata.labels["jobset.sigs.k8s.io/job-index"], "0");
      assert.equal(metadata.annotations.note, "b");
      assert.equal(spec.template.metadata.labels.role, "c");
      assert.equal(spec.template.metadata.labels.team, undefined);
      assert.equal(spec.template.metadata.annotations.hint, "d");
    },
  },
  {
    name: "a deleted Job is recreated, and no failure is counted",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2 })] });
      const before = await stage.job("workers-0");
      await stage.job("workers-1");
      await stage.cluster.delete("Job", stage.namespace, "train-workers-0");
      await eventually("the Job is another", async () => {
        return (await stage.job("workers-0")).metadata.uid !== before.metadata.uid;
      });
      const [after] = await stage.atAttempt(0, "workers-0");
      assert.deepEqual(ownKeys(after.metadata.labels), ownKeys(before.metadata.labels));
      await stage.conditions();
      await stage.events();
    },
  },
  {
    name: "if another owner's Job has a needed name, an Event reports it, and the Job is created when the name is free",
    async play(stage) {
      const { metadata: _, ...job } = part("workers").template;
      job.spec.template.spec.restartPolicy = "Never";
      await stage.cluster.create({
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "train-workers-1", namespace: stage.namespace },
        ...job,
      });
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2 }), part("z")] });
      // Other Jobs are still created.
      await stage.jobs("workers-0", "workers-1", "z-0");
      await stage.events(
        'Warning JobCreationFailed: job "train-workers-1" creation failed with error: jobs.batch "train-workers-1" already exists (series)',
      );
      await stage.cluster.delete("Job", stage.namespace, "train-workers-1");
      const controllers = async () =>
        (await stage.cluster.list("Job", stage.namespace)).map(
          ({ metadata }) => metadata.ownerReferences?.[0]?.name,
        );
      await stage.waitForValue(controllers, ["train", "train", "train"]);
    },
  },
  {
    name: "a ReplicatedJob with 0 replicas has no Jobs, and the others decide",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("none", { replicas: 0 }), part("workers")] });
      await stage.jobs("workers-0");
      await stage.jobStatus("workers-0", complete());
      await stage.conditions("Completed=True AllJobsCompleted: jobset completed successfully");
    },
  },
  {
    name: "a Job with an invalid attempt label blocks reconciliation until it is fixed",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2 })] });
      await stage.jobs("workers-0", "workers-1");
      const setAttempt = async (attempt: string) =>
        stage.cluster.patch(await stage.job("workers-1"), {
          metadata: { labels: { [RESTART_ATTEMPT_KEY]: attempt } },
        });
      await setAttempt("first");
      await stage.jobStatus("workers-0", ready());
      await stage.expectUnchanged(
        async () => (await stage.jobSet()).status.replicatedJobsStatus[0].ready,
        0,
      );
      await setAttempt("0");
      await stage.waitForCounts("workers", { ready: 1 });
      await stage.events();
    },
  },
  {
    name: "a JobSet without ReplicatedJobs has no Jobs and does not finish",
    async play(stage) {
      await stage.create({});
      await eventually("there is a Service", () => {
        return stage.cluster.get("Service", stage.namespace, "train");
      });
      await stage.expectUnchanged(() => stage.jobNames(), []);
      await stage.conditions();
    },
  },
  {
    name: "a Job counts as ready when enough of its Pods are ready or have succeeded",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { pods: 3 })] });
      const now = new Date().toISOString();
      await stage.jobStatus("workers-0", { startTime: now, active: 3, ready: 2 });
      await stage.waitForCounts("workers", { active: 1, ready: 0 });
      await stage.jobStatus("workers-0", { active: 2, ready: 2, succeeded: 1 });
      await stage.waitForCounts("workers", {
        active: 1,
        ready: 1,
        succeeded: 0,
        failed: 0,
        suspended: 0,
      });
    },
  },
  {
    name: "a JobSet that is being deleted recreates nothing",
    async play(stage) {
      const jobSet = await stage.create({ replicatedJobs: [part("workers", { replicas: 2 })] });
      await stage.jobs("workers-0", "workers-1");
      await stage.cluster.patch(jobSet, { metadata: { finalizers: ["example.com/hold"] } });
      await stage.cluster.delete("JobSet", stage.namespace, "train");
      await stage.jobSetWith("the JobSet is being deleted", ({ metadata }) => {
        return metadata.deletionTimestamp !== undefined;
      });
      const listRemaining = async () => {
        const service = await stage.cluster.get("Service", stage.namespace, "train");
        return [...(await stage.jobNames()), ...(service === undefined ? [] : ["Service"])];
      };
      // A controller that has not seen the deletion yet may recreate an object once, but it must not repeat this.
      await stage.waitForValue(async () => {
        const names = await listRemaining();
        if (names.includes("workers-0")) {
          await stage.cluster.delete("Job", stage.namespace, "train-workers-0");
        }
        if (names.includes("Service")) {
          await stage.cluster.delete("Service", stage.namespace, "train");
        }
        return names;
      }, ["workers-1"]);
      await stage.expectUnchanged(listRemaining, ["workers-1"]);
      await stage.cluster.patch(await stage.jobSet(), { metadata: { finalizers: null } });
      await stage.waitForValue(() => stage.jobNames(), []);
      assert.equal(await stage.jobSet(), undefined);
    },
  },
  {
    name: "a namespace with a JobSet can be deleted in every state of the JobSet",
    async play(stage) {
      const { cluster, namespace } = stage;
      await stage.create({
        failurePolicy: { maxRestarts: 1 },
        replicatedJobs: [part("workers", { replicas: 3 })],
      });
      await stage.jobs("workers-0", "workers-1", "workers-2");
      await stage.jobStatus("workers-0", failed());
      await cluster.delete("Namespace", "", namespace);
      // The namespace controller takes five seconds for an empty namespace, and up to ten for any other.
      await eventually("the namespace is gone", async () => {
        return (await cluster.get("Namespace", "", namespace)) === undefined;
      });
    },
  },
];
