import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { reportedEvents } from "../../final-state.ts";
import { getRejectionMessage, part, type Scenario, type Stage } from "../../scenario.ts";
import { rejectJobs } from "../reject-jobs.ts";
import { failed, ready, suspended } from "./job-statuses.ts";

const on = "Suspended=True SuspendedJobs: jobset is suspended";
const off = "Suspended=False ResumeJobs: jobset is resumed";
const onEvent = "Normal SuspendedJobs: jobset is suspended";
const offEvent = "Normal ResumeJobs: jobset is resumed";

/** Changes the Pod template of the first ReplicatedJob, as a queueing system does when it admits a JobSet. */
async function editTemplate(stage: Stage, change: Stored, more: Stored = {}): Promise<Stored> {
  const jobSet = await stage.jobSet();
  const [first, ...others] = structuredClone(jobSet.spec.replicatedJobs);
  const { template } = first.template.spec;
  Object.assign(template.metadata, change.metadata);
  Object.assign(template.spec, change.spec);
  return stage.cluster.patch(jobSet, { spec: { replicatedJobs: [first, ...others], ...more } });
}

const admission = {
  metadata: { labels: { queue: "a" }, annotations: { flavor: "spot" } },
  spec: {
    nodeSelector: { pool: "general", zone: "b" },
    tolerations: [{ key: "spot", operator: "Exists", effect: "NoSchedule" }],
    schedulingGates: [{ name: "example.com/topology" }],
  },
};

/** Waits until a Job runs, then suspends the JobSet. */
async function suspendRunning(stage: Stage): Promise<void> {
  await stage.create({ replicatedJobs: [part("workers")] });
  await stage.jobStatus("workers-0", ready());
  await stage.waitForCounts("workers", { ready: 1 });
  await stage.edit({ suspend: true });
  await stage.conditions(on);
}

/** Waits until the JobSet has resumed, with a restarted Job in the zone. */
async function hasResumedInZone(stage: Stage, zone: string): Promise<void> {
  await stage.conditions(off);
  const { spec, status } = await stage.job("workers-0");
  assert.equal(status.startTime, undefined);
  assert.equal(spec.template.spec.nodeSelector.zone, zone);
}

export const suspension: readonly Scenario[] = [
  {
    name: "a JobSet that is created suspended has suspended Jobs",
    async play(stage) {
      await stage.create({ suspend: true, replicatedJobs: [part("workers", { replicas: 2 })] });
      for (const { spec } of await stage.jobs("workers-0", "workers-1"))
        assert.equal(spec.suspend, true);
      await stage.conditions(on);
      await stage.waitForCounts("workers", { suspended: 2, active: 0, ready: 0 });
      await stage.events(onEvent);
    },
  },
  {
    name: "if a Job cannot be suspended, an Event reports it, it is retried, and other Jobs do not wait",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2 })] });
      await stage.jobStatuses(["workers-0", "workers-1"], ready());
      await stage.waitForCounts("workers", { ready: 2 });
      const allowJobs = await rejectJobs(stage, {
        operation: "UPDATE",
        name: "train-workers-0",
        messageExpression: "'not now'",
      });
      await stage.edit({ suspend: true });
      const areSuspended = async () =>
        (await stage.jobs("workers-0", "workers-1")).map(({ spec }) => spec.suspend);
      await stage.waitForValue(areSuspended, [false, true]);
      const { namespace } = stage;
      const denied = `Warning JobUpdateFailed: job "train-workers-0" suspension failed with error: jobs.batch "train-workers-0" is forbidden: ValidatingAdmissionPolicy '${namespace}' with binding '${namespace}' denied request: not now`;
      // One Event per resource version of the JobSet, regardless of the number of retries.
      const getMessages = async () => {
        const lines = await reportedEvents(stage.cluster, namespace, { notes: true });
        return [...new Set(lines.map((line) => line.replace(/ \(series\)$/, "")))];
      };
      await stage.waitForValue(getMessages, [denied]);
      await allowJobs();
      await stage.conditions(on);
      assert.deepEqual(await areSuspended(), [true, true]);
      await stage.waitForValue(getMessages, [onEvent, denied]);
    },
  },
  {
    name: "a running JobSet is suspended, and resuming it starts the next execution attempt",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2 })] });
      const before = await stage.jobs("workers-0", "workers-1");
      await stage.jobStatuses(["workers-0", "workers-1"], ready());
      await stage.waitForCounts("workers", { ready: 2, active: 2 });
      await stage.edit({ suspend: true });
      await stage.conditions(on);
      for (const { spec } of await stage.jobs("workers-0", "workers-1"))
        assert.equal(spec.suspend, true);
      await stage.jobStatuses(["workers-0", "workers-1"], suspended());
      await stage.waitForCounts("workers", { suspended: 2, active: 0, ready: 0 });

      await stage.edit({ suspend: false });
      await stage.conditions(off);
      await stage.waitForCounts("workers", { suspended: 0 });
      const after = await stage.jobs("workers-0", "workers-1");
      for (const { spec, status } of after) {
        assert.equal(spec.suspend, false);
        assert.equal(status.startTime, undefined);
      }
      const uids = (jobs: readonly Stored[]) => jobs.map(({ metadata }) => metadata.uid).sort();
      assert.deepEqual(uids(after), uids(before));
      await stage.events(onEvent, offEvent);
    },
  },
  {
    name: "changes of the Pod template while suspended apply to the resumed Jobs",
    async play(stage) {
      await stage.create({ suspend: true, replicatedJobs: [part("workers"), part("driver")] });
      await stage.jobs("workers-0", "driver-0");
      await stage.conditions(on);
      await editTemplate(stage, admission, { suspend: false });
      await stage.conditions(off);
      const { metadata, spec } = (await stage.job("workers-0")).spec.template;
      assert.equal(metadata.labels.queue, "a");
      assert.equal(metadata.annotations.flavor, "spot");
      const { nodeSelector, tolerations, schedulingGates } = spec;
      assert.deepEqual({ nodeSelector, tolerations, schedulingGates }, admission.spec);
      const other = (await stage.job("driver-0")).spec;
      assert.equal(other.suspend, false);
      assert.deepEqual(other.template.spec.nodeSelector, { pool: "general" });
    },
  },
  {
    name: "a JobSet that has run is suspended, edited and resumed",
    async play(stage) {
      await suspendRunning(stage);
      await stage.jobStatus("workers-0", suspended());
      await stage.waitForCounts("workers", { active: 0 });
      await editTemplate(stage, admission);
      await stage.edit({ suspend: false });
      await hasResumedInZone(stage, "b");
    },
  },
  {
    name: "a Job with remaining Pods cannot change its template, and resumes when they are gone",
    async play(stage) {
      await suspendRunning(stage);
      await editTemplate(stage, admission, { suspend: false });
      await stage.expectUnchanged(async () => (await stage.job("workers-0")).spec.suspend, true);
      await stage.conditions(on);
      await stage.jobStatus("workers-0", suspended());
      await hasResumedInZone(stage, "b");
    },
  },
  {
    name: "changes that a queueing system has reverted are not in the resumed Jobs",
    async play(stage) {
      await stage.create({ suspend: true, replicatedJobs: [part("workers")] });
      await stage.conditions(on);
      await editTemplate(stage, admission, { suspend: false });
      await stage.conditions(off);
      const jobSet = await stage.jobSet();
      const [workers] = jobSet.spec.replicatedJobs;
      const { template } = workers.template.spec;
      workers.template.spec.template = {
        ...template,
        metadata: {},
        spec: {
          ...template.spec,
          nodeSelector: { pool: "general" },
          tolerations: [],
          schedulingGates: [],
        },
      };
      await stage.cluster.patch(jobSet, { spec: { suspend: true, replicatedJobs: [workers] } });
      await stage.conditions(on);
      await stage.jobStatus("workers-0", suspended());
      await stage.edit({ suspend: false });
      await stage.conditions(off);
      const { metadata, spec } = (await stage.job("workers-0")).spec.template;
      assert.equal(metadata.labels.queue, undefined);
      assert.equal(metadata.annotations.flavor, undefined);
      assert.deepEqual(spec.nodeSelector, { pool: "general" });
      assert.equal(spec.tolerations, undefined);
      assert.equal(spec.schedulingGates, undefined);
    },
  },
  {
    name: "suspending a restarting JobSet ends its restart condition",
    async play(stage) {
      await stage.create({ failurePolicy: { maxRestarts: 1 }, replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", failed());
      await stage.atAttempt(1, "workers-0");
      await stage.edit({ suspend: true });
      await stage.conditions(on, "RestartingJobSet=False JobSetSuspended: jobset is suspended");
    },
  },
  {
    name: "the Pod template of a running JobSet is immutable",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers")] });
      const message = await getRejectionMessage(
        editTemplate(stage, { spec: { nodeSelector: { zone: "b" } } }),
      );
      assert.match(
        message,
        /^admission webhook "vjobset\.kb\.io" denied the request: JobSet\.jobset\.x-k8s\.io "train" is invalid: spec\.replicatedJobs: Invalid value: \[\{"name":"workers".*\]: field is immutable$/,
      );
    },
  },
];
