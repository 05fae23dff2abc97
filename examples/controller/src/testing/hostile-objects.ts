import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { aJob, aJobSet, aPod } from "@jobset-ts/testing";

/** The namespace of the hostile user. */
export const HOSTILE_NAMESPACE = "hostile";

/** The maximum size of an object in the API server's storage, with a margin for added fields. */
const STORED_BYTES = 1_400_000;

type ReplicatedJob = Readonly<Record<string, unknown>>;

/**
 * Returns objects that one user can store, each about as large as an API server allows: patterns that compile slowly,
 * too many Jobs or ReplicatedJobs, a huge template, a huge status, huge Pods.
 */
export function hostileObjects(): readonly KubernetesObject[] {
  const pattern = "\\pL{1000}";
  const rules = [
    {
      name: "rule",
      action: "FailJobSet",
      onJobFailureMessagePatterns: createNumberedItems(8_000, (index) => `${pattern}${index}`),
    },
  ];
  const patterns = createNumberedItems(3, (index) =>
    jobSet(`patterns-${index}`, [replicatedJob("a")], { failurePolicy: { rules } }),
  );
  const failures = patterns.map(({ metadata }) =>
    aJob(`${metadata.name}-a-0`)
      .inNamespace(HOSTILE_NAMESPACE)
      .failed({ message: "é".repeat(1_000) }),
  );
  const variables = createNumberedItems(STORED_BYTES / 150, (index) => ({
    name: `VARIABLE_${index}`,
    value: "x".repeat(100),
  }));
  const status = {
    restarts: 0,
    replicatedJobsStatus: createNumberedItems(STORED_BYTES / 120, (index) => {
      const name = `some-name-${index}`;
      return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
    }),
  };
  return [
    ...patterns,
    ...failures,
    jobSet("many-jobs", [replicatedJob("a", { replicas: 100_000 })]),
    jobSet(
      "many-replicated-jobs",
      createNumberedItems(5_000, (index) => replicatedJob(`r${index}`)),
    ),
    jobSet("huge-template", [replicatedJob("a", { replicas: 100 }, { env: variables })]),
    { ...jobSet("huge-status", [replicatedJob("a")]), status } as KubernetesObject,
    ...createNumberedItems(2, (index) => hugePod(`huge-${index}-0-0-0`)),
  ];
}

/** Returns a Pod of the maximum size that the webhooks read. */
function hugePod(name: string): KubernetesObject {
  return aPod(name)
    .inNamespace(HOSTILE_NAMESPACE)
    .exclusive("rack")
    .withAnnotations({ much: "x".repeat(250_000) })
    .withSpec({ nodeSelector: { much: "x".repeat(1_000_000) } });
}

function jobSet(
  name: string,
  replicatedJobs: readonly ReplicatedJob[],
  spec: object = {},
): KubernetesObject {
  return aJobSet(name)
    .inNamespace(HOSTILE_NAMESPACE)
    .withSpec({ ...spec, replicatedJobs } as never);
}

function replicatedJob(name: string, more: object = {}, container: object = {}): ReplicatedJob {
  const containers = [{ name: "main", image: "example.com/main", ...container }];
  const template = { spec: { restartPolicy: "Never", containers } };
  return {
    name,
    replicas: 1,
    template: { spec: { parallelism: 1, completions: 1, template } },
    ...more,
  };
}

function createNumberedItems<Item>(count: number, item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: Math.floor(count) }, (_, index) => item(index));
}
