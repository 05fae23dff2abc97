import type { JobSet, ReplicatedJob, ReplicatedJobStatus } from "@jobset-ts/api";
import type { Condition, PodTemplateSpec, Toleration } from "@jobset-ts/api/kubernetes";
import { aJobSet } from "@jobset-ts/testing";
import fc from "fast-check";
import type { PodSet, PodSetInfo, Workload } from "../index.ts";
import { PRIORITY_CLASS_KEY, QUEUE_NAME_KEY } from "../keys.ts";

/**
 * Returns JobSets named `train` in the namespace `default`, with Kueue's labels, scheduling directives in the
 * templates, and a status that may be out of date.
 *
 * @param options.suspend - the value of `spec.suspend`; absent means any
 */
export function queuedJobSets(options: { readonly suspend?: boolean } = {}): fc.Arbitrary<JobSet> {
  const labels = fc.record(
    {
      [QUEUE_NAME_KEY]: fc.constantFrom("gpu", "cpu", ""),
      [PRIORITY_CLASS_KEY]: fc.constantFrom("high", "default", ""),
    },
    { requiredKeys: [] },
  );
  const suspend =
    options.suspend === undefined
      ? fc.constantFrom(undefined, true, false)
      : fc.constant(options.suspend);
  const managedBy = fc.constantFrom(
    undefined,
    undefined,
    "jobset.sigs.k8s.io/jobset-controller",
    "example.com/other",
  );
  return fc
    .record({ labels, suspend, managedBy, replicatedJobs: replicatedJobLists() })
    .chain(({ labels, suspend, managedBy, replicatedJobs }) =>
      fc
        .record({
          conditions: fc.constantFrom(...finishedConditions),
          replicatedJobsStatus: createStatuses(replicatedJobs),
        })
        .map((status) => ({
          ...aJobSet("train").withStatus({ restarts: 0, ...status }),
          metadata: { name: "train", namespace: "default", uid: "train-uid", labels },
          spec: { suspend, managedBy, replicatedJobs },
        })),
    );
}

const time = "2026-02-07T06:56:19Z";
const unfinished: Condition[] = [];
const finishedConditions: readonly Condition[][] = [
  unfinished,
  unfinished,
  unfinished,
  [condition("Completed", "True", "AllJobsCompleted", "jobset completed successfully")],
  [condition("Failed", "True", "FailedJobs", "jobset failed due to one or more job failures")],
];

function condition(
  type: string,
  status: "True" | "False",
  reason: string,
  message: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime: time };
}

function replicatedJobLists(): fc.Arbitrary<ReplicatedJob[]> {
  const counts = fc.option(fc.nat(4), { nil: undefined });
  const replicatedJob = fc
    .record({
      name: fc.constantFrom("driver", "Workers", "ps"),
      replicas: fc.nat(3),
      parallelism: counts,
      completions: counts,
      template: podTemplates(),
    })
    .map(({ name, replicas, parallelism, completions, template }) => ({
      name,
      replicas,
      template: { spec: { parallelism, completions, template } },
    }));
  return fc.uniqueArray(replicatedJob, {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 3,
  });
}

/** Keys that templates have before any admission. */
const ownKeys = ["app", "disk", "team"] as const;
/** Keys that only an admission adds. */
const admittedKeys = ["pool", "zone", "queue"] as const;

function podTemplates(): fc.Arbitrary<PodTemplateSpec> {
  const members = {
    labels: maps(ownKeys),
    annotations: maps(ownKeys),
    nodeSelector: maps(ownKeys),
    tolerations: tolerations(["own", "shared"]),
    schedulingGates: gates(["own", "shared"]),
    image: fc.constantFrom("train:1", "train:2"),
  };
  return fc
    .record(members)
    .map(({ labels, annotations, nodeSelector, tolerations, schedulingGates, image }) => ({
      metadata: { labels, annotations },
      spec: {
        containers: [{ name: "main", image }],
        nodeSelector,
        tolerations,
        schedulingGates,
      },
    }));
}

function maps(keys: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const entry = fc.tuple(fc.constantFrom(...keys), fc.constantFrom("a", "b"));
  return fc
    .uniqueArray(entry, { selector: ([key]) => key, maxLength: 2 })
    .map((entries) => Object.fromEntries(entries));
}

function tolerations(keys: readonly string[]): fc.Arbitrary<Toleration[]> {
  const toleration = fc
    .constantFrom(...keys)
    .map((key): Toleration => ({ key, operator: "Exists", effect: "NoSchedule" }));
  return fc.uniqueArray(toleration, { selector: ({ key }) => key, maxLength: 2 });
}

function gates(names: readonly string[]): fc.Arbitrary<{ name: string }[]> {
  return fc.subarray([...names]).map((some) => some.map((name) => ({ name })));
}

function createStatuses(
  replicatedJobs: readonly ReplicatedJob[],
): fc.Arbitrary<ReplicatedJobStatus[]> {
  const count = fc.nat(3);
  const entries = replicatedJobs.map(({ name }) =>
    fc.record({
      name: fc.constant(name),
      ready: count,
      succeeded: count,
      failed: fc.constant(0),
      active: count,
      suspended: fc.constant(0),
    }),
  );
  return fc.oneof(fc.constant<ReplicatedJobStatus[]>([]), fc.tuple(...entries));
}

/** Creates a minimal Workload for the current templates of a JobSet. */
export function createWorkload(jobSet: JobSet): Workload {
  const podSets = (jobSet.spec.replicatedJobs ?? []).map(
    ({ name, replicas = 1, template }): PodSet => {
      const { parallelism = 1, completions = parallelism } = template.spec;
      return {
        name: name.toLowerCase(),
        count: replicas * Math.min(parallelism, completions),
        template: template.spec.template,
      };
    },
  );
  return {
    apiVersion: "kueue.x-k8s.io/v1beta2",
    kind: "Workload",
    metadata: { name: "w", namespace: "default" },
    spec: { podSets, priority: 0 },
  };
}

/**
 * Returns JobSets with the infos of two admissions. Each has one info per ReplicatedJob, and none conflicts with the
 * templates.
 *
 * @param options - as for {@link queuedJobSets}
 */
export function admissions(options: { readonly suspend?: boolean } = {}): fc.Arbitrary<{
  readonly jobSet: JobSet;
  readonly infos: readonly PodSetInfo[];
  readonly others: readonly PodSetInfo[];
}> {
  return queuedJobSets(options).chain((jobSet) =>
    fc.record({ jobSet: fc.constant(jobSet), infos: infosFor(jobSet), others: infosFor(jobSet) }),
  );
}

function infosFor(jobSet: JobSet): fc.Arbitrary<readonly PodSetInfo[]> {
  const replicatedJobs = jobSet.spec.replicatedJobs ?? [];
  return fc.tuple(
    ...replicatedJobs.map(({ name }) =>
      fc.record({
        name: fc.constant(name.toLowerCase()),
        count: fc.nat(4),
        labels: maps(admittedKeys),
        annotations: maps(admittedKeys),
        nodeSelector: maps(admittedKeys),
        tolerations: tolerations(["spot", "shared"]),
        schedulingGates: gates(["kueue.x-k8s.io/topology", "shared"]),
      }),
    ),
  );
}
