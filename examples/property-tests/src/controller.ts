// A JobSet controller as one writes it in an afternoon. It works when one tries it, and it uses nothing of jobset-ts.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

// biome-ignore lint/suspicious/noExplicitAny: objects come as JSON, as they do from client-node.
type KubeObject = any;

/** As much of a Kubernetes client as it needs. */
interface Client {
  get(kind: string, namespace: string, name: string): Promise<KubeObject>;
  list(kind: string, namespace: string): Promise<readonly KubeObject[]>;
  create(object: KubeObject): Promise<KubeObject>;
  patch(object: KubeObject): Promise<KubeObject>;
  patchStatus(object: KubeObject): Promise<KubeObject>;
  delete(object: KubeObject, options: { propagationPolicy: "Background" }): Promise<void>;
}

const PREFIX = "jobset.sigs.k8s.io";

export async function reconcile(
  client: Client,
  { namespace, name, now }: { namespace: string; name: string; now: string },
): Promise<void> {
  const jobSet = await client.get("JobSet", namespace, name);
  const { spec, status } = jobSet;
  if (jobSet.metadata.deletionTimestamp) return;

  const jobs = (await client.list("Job", namespace)).filter(
    ({ metadata }) =>
      metadata.labels?.[`${PREFIX}/jobset-name`] === name && !metadata.deletionTimestamp,
  );
  const replicatedJobsStatus = (spec.replicatedJobs ?? []).map((one: KubeObject) =>
    countJobs(one.name, jobs),
  );
  if (!isDeepStrictEqual(replicatedJobsStatus, status?.replicatedJobsStatus ?? [])) {
    await client.patchStatus({ ...idOf(jobSet), status: { replicatedJobsStatus } });
  }
  if (has(jobSet, "Completed") || has(jobSet, "Failed")) return;

  // When a Job fails, all of them start again, until that was too often.
  let { restarts = 0, restartsCountTowardsMax = 0 } = status ?? {};
  const failed = jobs.filter((job) => has(job, "Failed"));
  for (const _ of failed) {
    if (restartsCountTowardsMax >= (spec.failurePolicy?.maxRestarts ?? 0)) {
      const reason = spec.failurePolicy ? "ReachedMaxRestarts" : "FailedJobs";
      await finish(client, jobSet, "Failed", reason, now);
      return;
    }
    restarts += 1;
    restartsCountTowardsMax += 1;
    await client.patchStatus({ ...idOf(jobSet), status: { restarts, restartsCountTowardsMax } });
  }
  if (failed.length > 0) {
    for (const job of jobs) await client.delete(job, { propagationPolicy: "Background" });
    return; // The deletions call it again.
  }
  if (jobs.length > 0 && jobs.every((job) => has(job, "Complete"))) {
    await finish(client, jobSet, "Completed", "AllJobsCompleted", now);
    return;
  }

  if (spec.network?.enableDNSHostnames) await ensureService(client, jobSet);
  for (const replicatedJob of spec.replicatedJobs ?? []) {
    for (let index = 0; index < (replicatedJob.replicas ?? 1); index += 1) {
      const wanted = newJob(jobSet, replicatedJob, index, restarts);
      const job = jobs.find(({ metadata }) => metadata.name === wanted.metadata.name);
      if (!job) await client.create(wanted);
      else if (Boolean(job.spec.suspend) !== wanted.spec.suspend) {
        await client.patch({ ...idOf(job), spec: { suspend: wanted.spec.suspend } });
      }
    }
  }
}

function countJobs(name: string, all: readonly KubeObject[]) {
  const jobs = all.filter(
    ({ metadata }) => metadata.labels[`${PREFIX}/replicatedjob-name`] === name,
  );
  const count = (is: (job: KubeObject) => boolean) => jobs.filter(is).length;
  return {
    name,
    ready: count((job) => job.status?.ready >= (job.spec.parallelism ?? 1)),
    succeeded: count((job) => has(job, "Complete")),
    failed: count((job) => has(job, "Failed")),
    active: count((job) => job.status?.active > 0),
    suspended: count((job) => job.spec.suspend),
  };
}

async function ensureService(client: Client, { metadata, spec }: KubeObject): Promise<void> {
  const { name: jobSetName, namespace } = metadata;
  const name = spec.network.subdomain || jobSetName;
  const services = await client.list("Service", namespace);
  if (services.some((service) => service.metadata.name === name)) return;
  const selector = { [`${PREFIX}/jobset-name`]: jobSetName };
  const { publishNotReadyAddresses = true } = spec.network;
  await client.create({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { clusterIP: "None", selector, publishNotReadyAddresses },
  });
}

function newJob(jobSet: KubeObject, replicatedJob: KubeObject, index: number, restarts: number) {
  const { apiVersion, kind, metadata, spec } = jobSet;
  const { name: jobSetName, namespace, uid } = metadata;
  const all: KubeObject[] = spec.replicatedJobs;
  const count = (some: KubeObject[]) => some.reduce((sum, one) => sum + (one.replicas ?? 1), 0);
  const group = all.filter(({ groupName }) => groupName === replicatedJob.groupName);
  const before = (some: KubeObject[]) => count(some.slice(0, some.indexOf(replicatedJob))) + index;
  const name = `${jobSetName}-${replicatedJob.name}-${index}`;
  const keys = Object.fromEntries(
    Object.entries({
      "jobset-name": jobSetName,
      "jobset-uid": uid,
      "replicatedjob-name": replicatedJob.name,
      "replicatedjob-replicas": replicatedJob.replicas ?? 1,
      "global-replicas": count(all),
      "job-index": index,
      "job-global-index": before(all),
      "job-key": createHash("sha1").update(name).digest("hex"),
      "group-name": replicatedJob.groupName ?? "",
      "group-replicas": count(group),
      "job-group-index": before(group),
      "restart-attempt": restarts,
    }).map(([key, value]) => [`${PREFIX}/${key}`, String(value)]),
  );
  const { template, ...jobSpec } = replicatedJob.template.spec;
  const subdomain = spec.network?.subdomain || jobSetName;
  const owner = { apiVersion, kind, name: jobSetName, uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace, labels: keys, annotations: keys, ownerReferences },
    spec: {
      ...jobSpec,
      suspend: spec.suspend ?? false,
      template: {
        metadata: { labels: keys, annotations: keys },
        spec: { ...template.spec, ...(spec.network?.enableDNSHostnames && { subdomain }) },
      },
    },
  };
}

async function finish(
  client: Client,
  jobSet: KubeObject,
  type: "Completed" | "Failed",
  reason: string,
  now: string,
): Promise<void> {
  const message = type === "Failed" ? "a job has failed" : "all jobs have completed";
  const condition = { type, status: "True", reason, message, lastTransitionTime: now };
  const conditions = [...(jobSet.status?.conditions ?? []), condition];
  await client.patchStatus({ ...idOf(jobSet), status: { conditions, terminalState: type } });
  const { apiVersion, kind, metadata } = idOf(jobSet);
  await client.create({
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: metadata.namespace, generateName: `${metadata.name}.` },
    involvedObject: { apiVersion, kind, ...metadata },
    type: "Normal",
    reason,
    message,
  });
}

function has({ status }: KubeObject, type: string): boolean {
  const conditions: KubeObject[] = status?.conditions ?? [];
  return conditions.some((condition) => condition.type === type && condition.status === "True");
}

function idOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject) {
  return { apiVersion, kind, metadata: { name, namespace } };
}
