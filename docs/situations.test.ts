// How often what is worth looking at is drawn. `npx vitest run docs/situations --update` writes the page anew; a share below its
// floor fails whatever the page says.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ReplicatedJob } from "../packages/api/src/index.ts";
import {
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "../packages/api/src/keys.ts";
import type { Job, KubernetesObject } from "../packages/api/src/kubernetes.ts";
import {
  clusters,
  type GeneratedCluster,
  situations,
} from "../packages/testing/src/arbitraries.ts";
import { expectBlocks } from "./testing/held-blocks.ts";

const page = join(dirname(fileURLToPath(import.meta.url)), "situations.md");

const listJobs = ({ others }: GeneratedCluster) =>
  others.filter(({ kind }) => kind === "Job") as Job[];
const getReplicatedJobs = ({ jobSet }: GeneratedCluster) => jobSet.spec.replicatedJobs ?? [];
const someJob =
  (is: (job: Job, cluster: GeneratedCluster) => boolean) => (cluster: GeneratedCluster) =>
    listJobs(cluster).some((job) => is(job, cluster));
const someReplicatedJob = (is: (one: ReplicatedJob) => boolean) => (cluster: GeneratedCluster) =>
  getReplicatedJobs(cluster).some(is);
const hasCondition = (job: Job, type: string) =>
  (job.status?.conditions ?? []).some((one) => one.type === type && one.status === "True");
const says = (type: string) => (cluster: GeneratedCluster) =>
  (cluster.jobSet.status?.conditions ?? []).some(
    (one) => one.type === type && one.status === "True",
  );
const getAttempt = ({ metadata }: Job) => Number(metadata.labels?.[RESTART_ATTEMPT_KEY]);
const countRestarts = ({ jobSet }: GeneratedCluster) => jobSet.status?.restarts ?? 0;
const countItems = (cluster: GeneratedCluster, type: string) =>
  listJobs(cluster).filter((job) => hasCondition(job, type)).length;
const isOurs = ({ metadata }: KubernetesObject, { jobSet }: GeneratedCluster) =>
  metadata.ownerReferences?.some(({ uid }) => uid === jobSet.metadata.uid) === true;
const isElsewhere = ({ metadata }: KubernetesObject) => metadata.namespace !== "default";
const listRules = ({ jobSet }: GeneratedCluster) => jobSet.spec.failurePolicy?.rules ?? [];
const isElastic = ({ context }: GeneratedCluster) => context.features.has("ElasticJobSet");
const failureTimes = (cluster: GeneratedCluster) =>
  listJobs(cluster).flatMap(({ status }) =>
    (status?.conditions ?? []).flatMap(({ type, lastTransitionTime }) =>
      type === "Failed" ? [`${lastTransitionTime}`] : [],
    ),
  );

/** What may be seen in a cluster, and in how many of a hundred at least. */
const sights: Readonly<
  Record<string, readonly [floor: number, is: (cluster: GeneratedCluster) => boolean]>
> = {
  "the JobSet has no ReplicatedJob": [1, (one) => getReplicatedJobs(one).length === 0],
  "it has three ReplicatedJobs": [15, (one) => getReplicatedJobs(one).length === 3],
  "a ReplicatedJob has no Jobs": [1, someReplicatedJob(({ replicas }) => replicas === 0)],
  "its numbers of Pods are absent": [
    10,
    someReplicatedJob(({ template }) => template.spec.parallelism === undefined),
  ],
  "its number of Pods is 0": [
    10,
    someReplicatedJob(({ template }) => template.spec.parallelism === 0),
  ],
  "its Jobs are NonIndexed": [
    10,
    someReplicatedJob(({ template }) => template.spec.completionMode === "NonIndexed"),
  ],
  "it is being deleted": [2, ({ jobSet }) => jobSet.metadata.deletionTimestamp !== undefined],
  "another controller manages it": [2, ({ jobSet }) => jobSet.spec.managedBy !== undefined],
  "it has completed": [10, says("Completed")],
  "it has failed": [10, says("Failed")],
  "it is suspended": [20, ({ jobSet }) => jobSet.spec.suspend === true],
  "it says that it is suspended, and is not": [
    20,
    (one) => says("Suspended")(one) && one.jobSet.spec.suspend !== true,
  ],
  "it is restarting": [20, says("RestartingJobSet")],
  "it starts in order": [
    20,
    ({ jobSet }) => jobSet.spec.startupPolicy?.startupPolicyOrder === "InOrder",
  ],
  "a ReplicatedJob waits for another": [
    20,
    someReplicatedJob(({ dependsOn = [] }) => dependsOn.length > 0),
  ],
  "it waits for it to be complete": [
    10,
    someReplicatedJob(({ dependsOn = [] }) =>
      dependsOn.some(({ status }) => status === "Complete"),
    ),
  ],
  "it has a subdomain of its own": [10, ({ jobSet }) => !!jobSet.spec.network?.subdomain],
  "it wants no host names": [10, ({ jobSet }) => jobSet.spec.network?.enableDNSHostnames !== true],
  "its Service is missing": [
    20,
    (one) =>
      one.jobSet.spec.network?.enableDNSHostnames === true &&
      !one.others.some((other) => other.kind === "Service" && !isElsewhere(other)),
  ],
  "its Service selects the Pods of another JobSet": [
    5,
    ({ others }) =>
      others.some(
        (one) =>
          one.kind === "Service" &&
          (one as unknown as { spec: { selector: Record<string, string> } }).spec.selector[
            JOBSET_NAME_KEY
          ] === "other",
      ),
  ],
  "it asks for volume claims": [
    20,
    ({ jobSet }) =>
      (jobSet.spec.volumeClaimPolicies ?? []).some(({ templates = [] }) => templates.length > 0),
  ],
  "it is placed exclusively": [
    10,
    ({ jobSet }) =>
      Object.keys(jobSet.metadata.annotations ?? {}).some((key) =>
        key.includes("exclusive-topology"),
      ),
  ],
  "it has a coordinator": [20, ({ jobSet }) => jobSet.spec.coordinator !== undefined],
  "a Job is missing": [
    50,
    (one) =>
      listJobs(one).filter((job) => isOurs(job, one)).length <
      getReplicatedJobs(one).reduce((sum, { replicas = 1 }) => sum + replicas, 0),
  ],
  "a Job has failed": [20, (one) => countItems(one, "Failed") > 0],
  "several Jobs have failed": [20, (one) => countItems(one, "Failed") > 1],
  "Jobs have failed in the same second": [
    20,
    (one) => new Set(failureTimes(one)).size < failureTimes(one).length,
  ],
  "a Job has completed": [20, (one) => countItems(one, "Complete") > 0],
  "all Jobs have completed": [
    5,
    (one) =>
      listJobs(one).length > 0 && listJobs(one).every((job) => hasCondition(job, "Complete")),
  ],
  "a Job is of an earlier attempt": [
    30,
    someJob((job, one) => getAttempt(job) < countRestarts(one)),
  ],
  "a Job is of a later attempt": [5, someJob((job, one) => getAttempt(job) > countRestarts(one))],
  "a Job is of an earlier restart of its own": [
    10,
    someJob(
      (job, one) =>
        one.context.features.has("RestartJob") &&
        job.metadata.labels?.[JOB_RESTART_ATTEMPT_KEY] === "0",
    ),
  ],
  "a Job is being deleted": [
    20,
    someJob(({ metadata }) => metadata.deletionTimestamp !== undefined),
  ],
  "a Job is suspended in a JobSet that runs": [
    30,
    (one) =>
      one.jobSet.spec.suspend !== true && listJobs(one).some(({ spec }) => spec.suspend === true),
  ],
  "a Job runs in a JobSet that is suspended": [
    30,
    (one) =>
      one.jobSet.spec.suspend === true && listJobs(one).some(({ spec }) => spec.suspend !== true),
  ],
  "a suspended Job has Pods and the JobSet's template": [
    5,
    someJob(
      ({ spec, status }) =>
        spec.suspend === true &&
        (status?.active ?? 0) > 0 &&
        spec.template.spec?.nodeSelector?.disk !== "old",
    ),
  ],
  "a suspended Job says that its Pods are ready": [
    10,
    someJob(({ spec, status }) => spec.suspend === true && (status?.ready ?? 0) > 0),
  ],
  "a Job has numbers of Pods that its template has no more": [
    20,
    (one) => isElastic(one) && someJob(({ spec }) => spec.parallelism === spec.completions)(one),
  ],
  "a Job is of no ReplicatedJob": [
    10,
    someJob(
      (job, one) =>
        isOurs(job, one) &&
        !getReplicatedJobs(one).some(
          ({ name }) => name === job.metadata.labels?.[REPLICATED_JOB_NAME_KEY],
        ),
    ),
  ],
  "a Job is beyond the replicas": [
    20,
    someJob(({ metadata }) => metadata.name === "train-workers-8"),
  ],
  "a Job of a needed name is nobody's": [5, someJob(({ metadata }) => metadata.uid === "foreign")],
  "a Job is of a JobSet of the same name before": [
    5,
    someJob(({ metadata }) => metadata.uid === "of-old"),
  ],
  "a JobSet of another namespace has the same name": [5, ({ others }) => others.some(isElsewhere)],
  "a ReplicatedJob waits for two": [
    10,
    someReplicatedJob(({ dependsOn = [] }) => dependsOn.length > 1),
  ],
  "a Job has a condition that is False": [
    10,
    someJob(({ status }) => (status?.conditions ?? []).some((one) => one.status === "False")),
  ],
  "a rule is about some ReplicatedJobs": [
    20,
    (one) =>
      listRules(one).some(({ targetReplicatedJobs = [] }) => targetReplicatedJobs.length > 0),
  ],
  "a rule looks at messages": [
    20,
    (one) =>
      listRules(one).some(
        ({ onJobFailureMessagePatterns = [] }) => onJobFailureMessagePatterns.length > 0,
      ),
  ],
  "no restart is left": [
    20,
    ({ jobSet: { spec, status } }) =>
      spec.failurePolicy !== undefined &&
      (status?.restartsCountTowardsMax ?? 0) >= (spec.failurePolicy.maxRestarts ?? 0),
  ],
  "Pods have restarted in place": [20, ({ others }) => others.some(({ kind }) => kind === "Pod")],
};

it("what is worth looking at is drawn often enough", async () => {
  const kinds = [undefined, ...situations];
  const shares = kinds.map((situation) => sharesIn(situation));
  const rows = Object.entries(sights).map(([sight, [floor]]) => {
    const all = shares.map((share) => share.get(sight) ?? 0);
    const best = Math.max(...all.slice(1));
    const where = situations[all.indexOf(best, 1) - 1];
    return { sight, floor, any: all[0] ?? 0, best, where };
  });
  for (const { sight, floor, any, best } of rows) {
    expect(Math.max(any, best), sight).toBeGreaterThanOrEqual(floor);
  }
  const widest = Math.max(...rows.map(({ sight }) => sight.length));
  const lines = rows.map(({ sight, any, best, where }) =>
    [sight.padEnd(widest), `${any}`.padStart(4), `${best}`.padStart(5), ` ${where}`].join(" "),
  );
  const head = ["seen".padEnd(widest), " any", " most", " in"].join(" ");
  await expectBlocks(page, readFileSync(page, "utf8"), { shares: [head, ...lines].join("\n") });
});

/** In how many of a hundred clusters each sight is seen. */
function sharesIn(situation: (typeof situations)[number] | undefined): ReadonlyMap<string, number> {
  const told: string[] = [];
  fc.statistics(
    clusters(situation === undefined ? {} : { situation }),
    (cluster) => Object.entries(sights).flatMap(([sight, [, is]]) => (is(cluster) ? [sight] : [])),
    { numRuns: 150, seed: 1, logger: (line) => told.push(line) },
  );
  return new Map(
    told.flatMap((line) => {
      const [, sight, share] = /^(.*?)\.+(\d+(?:\.\d+)?)%$/.exec(line) ?? [];
      return sight === undefined ? [] : [[sight, Math.round(Number(share))]];
    }),
  );
}
