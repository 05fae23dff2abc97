import type { JobSet, JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import fc from "fast-check";
import { aReplicatedJob } from "../builders/a-jobset.ts";

/**
 * Generates JobSets as users write them, before admission. Most are valid, and others violate one or two rules. Some
 * names are at or beyond the length limits of generated names.
 */
export function manifests(): fc.Arbitrary<JobSet> {
  return fc
    .record({
      name: names(70),
      namespace: fc.constantFrom("default", "default", "n".repeat(50)),
      annotations: weightFirst<Readonly<Record<string, string>>>({}, ...placements),
      jobs: fc.uniqueArray(replicatedJobs(), { selector: ({ name }) => name, maxLength: 3 }),
      spec: specs(),
    })
    .map(({ name, namespace, annotations, jobs, spec }) => ({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name, namespace, annotations },
      spec: { ...spec, replicatedJobs: jobs.map((job, index) => dependent(job, index, jobs)) },
    }));
}

const placements: readonly Readonly<Record<string, string>>[] = [
  { [EXCLUSIVE_TOPOLOGY_KEY]: "rack" },
  { [EXCLUSIVE_TOPOLOGY_KEY]: "" },
  { [EXCLUSIVE_TOPOLOGY_KEY]: "example.com/a rack" },
  { [EXCLUSIVE_TOPOLOGY_KEY]: "a rack", [NODE_SELECTOR_STRATEGY_KEY]: "true" },
  { [NODE_SELECTOR_STRATEGY_KEY]: "true" },
];

/** Generates names that start and end with a letter. Most are short, and a few are not valid labels. */
function names(longest: number): fc.Arbitrary<string> {
  const label = fc
    .tuple(fc.constantFrom("a", "train"), fc.nat(longest), fc.constantFrom("x", "-"))
    .map(([start, length, filler]) => `${start}${filler.repeat(length)}z`);
  return fc.oneof(
    { arbitrary: fc.constantFrom("train", "js", "b"), weight: 6 },
    { arbitrary: label, weight: 3 },
    { arbitrary: fc.constantFrom("a.b", "1a", "A"), weight: 1 },
  );
}

interface DrawnJob extends ReplicatedJob {
  readonly waits: boolean;
}

function replicatedJobs(): fc.Arbitrary<DrawnJob> {
  return fc
    .record({
      name: fc.oneof(
        { arbitrary: fc.constantFrom("w", "driver"), weight: 4 },
        { arbitrary: names(20), weight: 4 },
        { arbitrary: fc.constantFrom("", "-w", "w-", "-"), weight: 1 },
      ),
      groupName: weightFirst("default", "g", "", "G"),
      replicas: fc.constantFrom(1, 2, 3, 11, 0),
      waits: weightFirst(false, true),
      size: fc.constantFrom(1, 2, 11, undefined),
      completionMode: weightFirst("Indexed" as const, "NonIndexed" as const, undefined),
      backoffLimit: weightFirst(undefined, 6, 2 ** 31 - 1),
      mounts: fc.subarray(["data", "logs", "a.b", "1"]),
    })
    .map(({ name, groupName, replicas, waits, size, completionMode, backoffLimit, mounts }) => {
      const { template } = aReplicatedJob(name);
      const volumeMounts = mounts.map((mount) => ({ name: mount, mountPath: `/${mount}` }));
      const containers = [{ name: "main", image: "img", volumeMounts }];
      const sizes = { parallelism: size, completions: size };
      const spec = { ...template.spec, ...sizes, completionMode, backoffLimit };
      const pod = { spec: { restartPolicy: "Never" as const, containers } };
      return { name, groupName, replicas, waits, template: { spec: { ...spec, template: pod } } };
    });
}

/** Lets some ReplicatedJobs depend on the preceding one, and the first one on itself. */
function dependent(
  { waits, ...job }: DrawnJob,
  index: number,
  jobs: readonly DrawnJob[],
): ReplicatedJob {
  const name = jobs[Math.max(0, index - 1)]?.name ?? job.name;
  return waits ? { ...job, dependsOn: [{ name, status: "Ready" }] } : job;
}

function specs(): fc.Arbitrary<JobSetSpec> {
  const target = fc.array(weightFirst("w", "nope"), { maxLength: 1 });
  const rule = fc.record(
    {
      name: fc.constantFrom("one", "two", "1"),
      action: fc.constantFrom("FailJobSet" as const, "RestartJob" as const),
      onJobFailureMessagePatterns: fc.constantFrom("exit", "(").map((one) => [one]),
      onJobFailureReasons: fc.constantFrom("DeadlineExceeded", "Other").map((one) => [one]),
    },
    { requiredKeys: ["name", "action"] },
  );
  const claim = fc.constantFrom("data", "logs", "DATA", "a.b", "1").map((name) => ({
    metadata: { name },
    spec: { resources: { requests: { storage: "1024Mi" } } },
  }));
  const whenDeleted = fc.constantFrom("Delete" as const, "Retain" as const);
  return omitMostMembers({
    suspend: fc.boolean(),
    network: omitMostMembers({ subdomain: fc.constantFrom("", "net", "a.b", "n".repeat(40)) }),
    successPolicy: fc.record({
      operator: fc.constantFrom("All" as const, "Any" as const),
      targetReplicatedJobs: target,
    }),
    failurePolicy: fc.record({ maxRestarts: fc.nat(2), rules: fc.array(rule, { maxLength: 2 }) }),
    coordinator: fc.record({
      replicatedJob: weightFirst("w", "nope"),
      jobIndex: weightFirst(0, 2),
      podIndex: weightFirst(0, 1),
    }),
    managedBy: weightFirst("jobset.sigs.k8s.io/jobset-controller", "other"),
    volumeClaimPolicies: fc.array(
      fc.record({
        templates: fc.array(claim, { maxLength: 2 }),
        retentionPolicy: fc.record({ whenDeleted }),
      }),
      { maxLength: 1 },
    ),
  });
}

/** Generates records in which fields are usually missing, so that most records violate few rules. */
function omitMostMembers<Members extends object>(
  members: {
    [Name in keyof Members]: fc.Arbitrary<Members[Name]>;
  },
): fc.Arbitrary<Partial<Members>> {
  const names = Object.keys(members) as (keyof Members & string)[];
  return fc
    .tuple(fc.record(members), fc.subarray(names, { maxLength: Math.min(names.length, 3) }))
    .map(([generated, kept]) =>
      Object.fromEntries(kept.map((name) => [name, generated[name as keyof typeof generated]])),
    ) as fc.Arbitrary<Partial<Members>>;
}

/** Generates the first value most of the time. */
function weightFirst<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { arbitrary: fc.constant(usual), weight: 9 },
    ...others.map((other) => fc.constant(other)),
  );
}
