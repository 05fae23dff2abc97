// Checks how often generated clusters have each feature. `npx vitest run docs/situations --update` updates the page. A share below
// its minimum fails the test.
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
const hasJob =
  (is: (job: Job, cluster: GeneratedCluster) => boolean) => (cluster: GeneratedCluster) =>
    listJobs(cluster).some((job) => is(job, cluster));
const hasReplicatedJob = (is: (one: ReplicatedJob) => boolean) => (cluster: GeneratedCluster) =>
  getReplicatedJobs(cluster).some(is);
const hasCondition = (job: Job, type: string) =>
  (job.status?.conditions ?? []).some((one) => one.type === type && one.status === "True");
const hasJobSetCondition = (type: string) => (cluster: GeneratedCluster) =>
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

/** Features of generated clusters, each with its minimum share in percent. */
const features: Readonly<
  Record<string, readonly [floor: number, is: (cluster: GeneratedCluster) => boolean]>
> = {
  "the JobSet has no ReplicatedJob": [1, (one) => getReplicatedJobs(one).length === 0],
  "the JobSet has three ReplicatedJobs": [15, (one) => getReplicatedJobs(one).length === 3],
  "a ReplicatedJob has 0 replicas": [1, hasReplicatedJob(({ replicas }) => replicas === 0)],
  "a Job template has no parallelism": [
    10,
    hasReplicatedJob(({ template }) => template.spec.parallelism === undefined),
  ],
  "a Job template has parallelism 0": [
    10,
    hasReplicatedJob(({ template }) => template.spec.parallelism === 0),
  ],
  "a Job template is NonIndexed": [
    10,
    hasReplicatedJob(({ template }) => template.spec.completionMode === "NonIndexed"),
  ],
  "the JobSet is being deleted": [
    2,
    ({ jobSet }) => jobSet.metadata.deletionTimestamp !== undefined,
  ],
  "the JobSet has managedBy": [2, ({ jobSet }) => jobSet.spec.managedBy !== undefined],
  "the JobSet has completed": [10, hasJobSetCondition("Completed")],
  "the JobSet has failed": [10, hasJobSetCondition("Failed")],
  "the JobSet is suspended": [20, ({ jobSet }) => jobSet.spec.suspend === true],
  "the JobSet was resumed, but its condition is Suspended": [
    20,
    (one) => hasJobSetCondition("Suspended")(one) && one.jobSet.spec.suspend !== true,
  ],
  "the JobSet is restarting": [20, hasJobSetCondition("RestartingJobSet")],
  "the startup policy is InOrder": [
    20,
    ({ jobSet }) => jobSet.spec.startupPolicy?.startupPolicyOrder === "InOrder",
  ],
  "a ReplicatedJob depends on another": [
    20,
    hasReplicatedJob(({ dependsOn = [] }) => dependsOn.length > 0),
  ],
  "a ReplicatedJob waits for Complete": [
    10,
    hasReplicatedJob(({ dependsOn = [] }) => dependsOn.some(({ status }) => status === "Complete")),
  ],
  "the JobSet sets a subdomain": [10, ({ jobSet }) => !!jobSet.spec.network?.subdomain],
  "the JobSet has no DNS hostnames": [
    10,
    ({ jobSet }) => jobSet.spec.network?.enableDNSHostnames !== true,
  ],
  "the Service is missing": [
    20,
    (one) =>
      one.jobSet.spec.network?.enableDNSHostnames === true &&
      !one.others.some((other) => other.kind === "Service" && !isElsewhere(other)),
  ],
  "the Service selects Pods of another JobSet": [
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
  "the JobSet has PVC templates": [
    20,
    ({ jobSet }) =>
      (jobSet.spec.volumeClaimPolicies ?? []).some(({ templates = [] }) => templates.length > 0),
  ],
  "the JobSet has exclusive placement": [
    10,
    ({ jobSet }) =>
      Object.keys(jobSet.metadata.annotations ?? {}).some((key) =>
        key.includes("exclusive-topology"),
      ),
  ],
  "the JobSet has a coordinator": [20, ({ jobSet }) => jobSet.spec.coordinator !== undefined],
  "a Job is missing": [
    50,
    (one) =>
      listJobs(one).filter((job) => isOurs(job, one)).length <
      getReplicatedJobs(one).reduce((sum, { replicas = 1 }) => sum + replicas, 0),
  ],
  "a Job has failed": [20, (one) => countItems(one, "Failed") > 0],
  "several Jobs have failed": [20, (one) => countItems(one, "Failed") > 1],
  "two Jobs have failed in the same second": [
    20,
    (one) => new Set(failureTimes(one)).size < failureTimes(one).length,
  ],
  "a Job has completed": [20, (one) => countItems(one, "Complete") > 0],
  "all Jobs have completed": [
    5,
    (one) =>
      listJobs(one).length > 0 && listJobs(one).every((job) => hasCondition(job, "Complete")),
  ],
  "a Job belongs to an earlier restart attempt": [
    30,
    hasJob((job, one) => getAttempt(job) < countRestarts(one)),
  ],
  "a Job belongs to a later restart attempt": [
    5,
    hasJob((job, one) => getAttempt(job) > countRestarts(one)),
  ],
  "a Job belongs to an earlier restart of that Job": [
    10,
    hasJob(
      (job, one) =>
        one.context.features.has("RestartJob") &&
        job.metadata.labels?.[JOB_RESTART_ATTEMPT_KEY] === "0",
    ),
  ],
  "a Job is being deleted": [
    20,
    hasJob(({ metadata }) => metadata.deletionTimestamp !== undefined),
  ],
  "a Job is suspended, but the JobSet is not": [
    30,
    (one) =>
      one.jobSet.spec.suspend !== true && listJobs(one).some(({ spec }) => spec.suspend === true),
  ],
  "a Job is not suspended, but the JobSet is": [
    30,
    (one) =>
      one.jobSet.spec.suspend === true && listJobs(one).some(({ spec }) => spec.suspend !== true),
  ],
  "a suspended Job has active Pods and the current template": [
    5,
    hasJob(
      ({ spec, status }) =>
        spec.suspend === true &&
        (status?.active ?? 0) > 0 &&
        spec.template.spec?.nodeSelector?.disk !== "old",
    ),
  ],
  "a suspended Job counts ready Pods": [
    10,
    hasJob(({ spec, status }) => spec.suspend === true && (status?.ready ?? 0) > 0),
  ],
  "a Job has other Pod counts than its template": [
    20,
    (one) => isElastic(one) && hasJob(({ spec }) => spec.parallelism === spec.completions)(one),
  ],
  "a Job belongs to a removed ReplicatedJob": [
    10,
    hasJob(
      (job, one) =>
        isOurs(job, one) &&
        !getReplicatedJobs(one).some(
          ({ name }) => name === job.metadata.labels?.[REPLICATED_JOB_NAME_KEY],
        ),
    ),
  ],
  "a Job has an index beyond the replicas": [
    20,
    hasJob(({ metadata }) => metadata.name === "train-workers-8"),
  ],
  "a Job outside the JobSet has a required name": [
    5,
    hasJob(({ metadata }) => metadata.uid === "foreign"),
  ],
  "a Job belongs to a deleted JobSet of the same name": [
    5,
    hasJob(({ metadata }) => metadata.uid === "of-old"),
  ],
  "another namespace has a JobSet of the same name": [5, ({ others }) => others.some(isElsewhere)],
  "a ReplicatedJob depends on two others": [
    10,
    hasReplicatedJob(({ dependsOn = [] }) => dependsOn.length > 1),
  ],
  "a Job has a condition with status False": [
    10,
    hasJob(({ status }) => (status?.conditions ?? []).some((one) => one.status === "False")),
  ],
  "a failure policy rule has target ReplicatedJobs": [
    20,
    (one) =>
      listRules(one).some(({ targetReplicatedJobs = [] }) => targetReplicatedJobs.length > 0),
  ],
  "a failure policy rule has message patterns": [
    20,
    (one) =>
      listRules(one).some(
        ({ onJobFailureMessagePatterns = [] }) => onJobFailureMessagePatterns.length > 0,
      ),
  ],
  "all restarts are used": [
    20,
    ({ jobSet: { spec, status } }) =>
      spec.failurePolicy !== undefined &&
      (status?.restartsCountTowardsMax ?? 0) >= (spec.failurePolicy.maxRestarts ?? 0),
  ],
  "the cluster has Pods of an in-place restart": [
    20,
    ({ others }) => others.some(({ kind }) => kind === "Pod"),
  ],
};

it("the arbitraries generate each feature often enough", async () => {
  const kinds = [undefined, ...situations];
  const shares = kinds.map((situation) => sharesIn(situation));
  const rows = Object.entries(features).map(([feature, [floor]]) => {
    const all = shares.map((share) => share.get(feature) ?? 0);
    const best = Math.max(...all.slice(1));
    const where = situations[all.indexOf(best, 1) - 1];
    return { feature, floor, any: all[0] ?? 0, best, where };
  });
  for (const { feature, floor, any, best } of rows) {
    expect(Math.max(any, best), feature).toBeGreaterThanOrEqual(floor);
  }
  const widest = Math.max(...rows.map(({ feature }) => feature.length));
  const lines = rows.map(({ feature, any, best, where }) =>
    [feature.padEnd(widest), `${any}`.padStart(4), `${best}`.padStart(5), ` ${where}`].join(" "),
  );
  const head = ["feature".padEnd(widest), " any", " most", " in"].join(" ");
  await expectBlocks(page, readFileSync(page, "utf8"), { shares: [head, ...lines].join("\n") });
});

/** Returns the share of clusters that have each feature, in percent. */
function sharesIn(situation: (typeof situations)[number] | undefined): ReadonlyMap<string, number> {
  const messages: string[] = [];
  fc.statistics(
    clusters(situation === undefined ? {} : { situation }),
    (cluster) =>
      Object.entries(features).flatMap(([feature, [, is]]) => (is(cluster) ? [feature] : [])),
    { numRuns: 150, seed: 1, logger: (line) => messages.push(line) },
  );
  return new Map(
    messages.flatMap((line) => {
      const [, feature, share] = /^(.*?)\.+(\d+(?:\.\d+)?)%$/.exec(line) ?? [];
      return feature === undefined ? [] : [[feature, Math.round(Number(share))]];
    }),
  );
}
