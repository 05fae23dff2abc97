// A naive JobSet controller, as you might write it in an afternoon. It works in a quick test, and does not use
// jobset-ts.
import { createHash } from "node:crypto";

// biome-ignore lint/suspicious/noExplicitAny: client-node returns objects and its client without a type
type AnyObject = any;

const PREFIX = "jobset.sigs.k8s.io";

export async function reconcile(
  client: AnyObject,
  { namespace, name, now }: AnyObject,
): Promise<void> {
  const jobSet = await client.get("JobSet", namespace, name);
  const { spec, status = {} } = jobSet;
  if (jobSet.metadata.deletionTimestamp) return;

  const jobs: AnyObject[] = (await client.list("Job", namespace)).filter(
    (job: AnyObject) => createLabel(job, "jobset-name") === name && !job.metadata.deletionTimestamp,
  );
  const replicatedJobs: AnyObject[] = spec.replicatedJobs ?? [];
  const counts = replicatedJobs.map((one) => countJobs(one.name, jobs));
  await client.patchStatus({ ...getId(jobSet), status: { replicatedJobsStatus: counts } });
  if (has(jobSet, "Completed") || has(jobSet, "Failed")) return;

  // If a Job fails, all Jobs restart, up to the limit.
  let { restarts = 0, restartsCountTowardsMax = 0 } = status;
  const failed = jobs.filter((job) => has(job, "Failed"));
  for (const _ of failed) {
    if (restartsCountTowardsMax >= (spec.failurePolicy?.maxRestarts ?? 0)) {
      const reason = spec.failurePolicy ? "ReachedMaxRestarts" : "FailedJobs";
      return await finish(client, jobSet, "Failed", reason, now);
    }
    restarts += 1;
    restartsCountTowardsMax += 1;
    await client.patchStatus({ ...getId(jobSet), status: { restarts, restartsCountTowardsMax } });
  }
  if (failed.length > 0) {
    for (const job of jobs) await client.delete(job, { propagationPolicy: "Background" });
    return; // The deletions trigger the next reconcile.
  }
  if (jobs.length > 0 && jobs.every((job) => has(job, "Complete"))) {
    return await finish(client, jobSet, "Completed", "AllJobsCompleted", now);
  }

  if (spec.network?.enableDNSHostnames) {
    await client.create(newService(jobSet)).catch(() => {}); // Ignore that the Service already exists.
  }
  for (const replicatedJob of replicatedJobs) {
    for (let index = 0; index < (replicatedJob.replicas ?? 1); index += 1) {
      const desired = newJob(jobSet, replicatedJob, index, restarts);
      const { suspend } = desired.spec;
      const job = jobs.find(({ metadata }) => metadata.name === desired.metadata.name);
      if (!job) await client.create(desired);
      else if (job.spec.suspend !== suspend) {
        await client.patch({ ...getId(job), spec: { suspend } });
      }
    }
  }
}

function countJobs(name: string, all: readonly AnyObject[]) {
  const jobs = all.filter((job) => createLabel(job, "replicatedjob-name") === name);
  const count = (is: (job: AnyObject) => boolean) => jobs.filter(is).length;
  return {
    name,
    ready: count(({ status, spec }) => status?.ready >= (spec.parallelism ?? 1)),
    succeeded: count((job) => has(job, "Complete")),
    failed: count((job) => has(job, "Failed")),
    active: count(({ status }) => status?.active > 0),
    suspended: count(({ spec }) => spec.suspend),
  };
}

function newService({ metadata, spec }: AnyObject): AnyObject {
  const name = spec.network.subdomain || metadata.name;
  const selector = { [`${PREFIX}/jobset-name`]: metadata.name };
  const { publishNotReadyAddresses = true } = spec.network;
  return {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name, namespace: metadata.namespace } },
    spec: { clusterIP: "None", selector, publishNotReadyAddresses },
  };
}

function newJob(
  jobSet: AnyObject,
  replicatedJob: AnyObject,
  index: number,
  restarts: number,
): AnyObject {
  const { metadata, spec } = jobSet;
  const name = `${metadata.name}-${replicatedJob.name}-${index}`;
  const values = {
    "jobset-name": metadata.name,
    "jobset-uid": metadata.uid,
    "replicatedjob-name": replicatedJob.name,
    "replicatedjob-replicas": replicatedJob.replicas ?? 1,
    "job-index": index,
    "job-key": createHash("sha1").update(name).digest("hex"),
    "restart-attempt": restarts,
  };
  const keys = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${PREFIX}/${key}`, String(value)]),
  );
  const { apiVersion, kind } = jobSet;
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const { template, ...jobSpec } = replicatedJob.template.spec;
  const subdomain = spec.network?.enableDNSHostnames && (spec.network.subdomain || metadata.name);
  const podSpec = { ...template.spec, ...(subdomain && { subdomain }) };
  const pod = { metadata: { labels: keys, annotations: keys }, spec: podSpec };
  return {
    ...{ apiVersion: "batch/v1", kind: "Job" },
    metadata: { ...pod.metadata, name, namespace: metadata.namespace, ownerReferences },
    spec: { ...jobSpec, suspend: spec.suspend ?? false, template: pod },
  };
}

async function finish(
  client: AnyObject,
  jobSet: AnyObject,
  type: string,
  reason: string,
  now: string,
) {
  const condition = { type, status: "True", reason, message: reason, lastTransitionTime: now };
  const conditions = [...(jobSet.status?.conditions ?? []), condition];
  await client.patchStatus({ ...getId(jobSet), status: { conditions, terminalState: type } });
  const { name, namespace } = jobSet.metadata;
  const event = { apiVersion: "v1", kind: "Event", metadata: { namespace, generateName: name } };
  const involvedObject = { kind: "JobSet", name, namespace };
  await client.create({ ...event, involvedObject, type: "Normal", reason, message: reason });
}

function has({ status }: AnyObject, type: string): boolean {
  return (status?.conditions ?? []).some(
    (one: AnyObject) => one.type === type && one.status === "True",
  );
}

function createLabel({ metadata }: AnyObject, key: string): string | undefined {
  return metadata.labels?.[`${PREFIX}/${key}`];
}

function getId({ apiVersion, kind, metadata: { name, namespace } }: AnyObject) {
  return { apiVersion, kind, metadata: { name, namespace } };
}
