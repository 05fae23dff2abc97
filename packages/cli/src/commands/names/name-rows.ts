import {
  fqdn,
  getSubdomain,
  type JobSet,
  jobName,
  podDnsName,
  type ReplicatedJob,
  type Unvalidated,
} from "@jobset-ts/api";
import { resolveGenerateName } from "@jobset-ts/api/kubernetes";
import {
  coordinatorEndpoint,
  desiredVolumeClaims,
  findSizeExcess,
  hasDnsHostnames,
  indexedReplicatedJobs,
  MAX_DESIRED_JOBS,
  MAX_DESIRED_PODS,
  podAddresses,
  type SizeExcess,
} from "@jobset-ts/core/desired";

/** An object or address of a JobSet whose name is known before it exists. */
export interface NameRow {
  readonly kind: "Service" | "PersistentVolumeClaim" | "Coordinator" | "Job" | "Pod";
  /**
   * The name of the object. For a Pod of an Indexed Job, its hostname, because the Pod's name ends with five random
   * characters. For Pods of a NonIndexed Job, their names with `xxxxx` for these characters.
   */
  readonly name: string;
  readonly namespace: string;
  readonly replicatedJob?: string;
  readonly jobIndex?: number;
  /** The completion index of a Pod. */
  readonly podIndex?: number;
  /** The name that resolves within the namespace. Absent if there is none. */
  readonly dnsName?: string;
  /** The name that resolves in the whole cluster. Absent if there is none. */
  readonly fqdn?: string;
}

/**
 * Returns the names of a JobSet: its Service, PersistentVolumeClaims and coordinator, then every Job, followed by its
 * Pods. The Pods of a NonIndexed Job share one row, because their names end with random characters.
 *
 * Lazy, because a JobSet may request more Pods than fit into memory. Ends after the maximum number of Jobs and Pods:
 * see {@link findNamesExcess}.
 *
 * @param jobSet - an admitted JobSet with name and namespace
 */
export function* listNameRows(jobSet: Unvalidated<JobSet>): Generator<NameRow, void, undefined> {
  const jobSetName = jobSet.metadata?.name ?? "";
  const namespace = jobSet.metadata?.namespace ?? "";
  const subdomain = getSubdomain(jobSet);
  const hasDns = hasDnsHostnames(jobSet);

  if (hasDns) {
    yield { kind: "Service", name: subdomain, namespace, ...listAddresses(subdomain, namespace) };
  }
  for (const { metadata } of desiredVolumeClaims(jobSet)) {
    yield { kind: "PersistentVolumeClaim", name: metadata.name ?? "", namespace };
  }
  const coordinator = coordinatorEndpoint(jobSet);
  if (coordinator !== undefined) {
    yield {
      kind: "Coordinator",
      name: coordinator,
      namespace,
      ...(hasDns && listAddresses(coordinator, namespace)),
    };
  }
  // Both lists are in spec order, then by job index, so one pass over the addresses is enough.
  const addresses = podAddresses(jobSet);
  let address = addresses.next().value;
  let left = MAX_DESIRED_JOBS;
  for (const { name: replicatedJob, replicas, ...indexed } of indexedReplicatedJobs(jobSet)) {
    const isStable = isIndexed(indexed.replicatedJob);
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) {
      if (left === 0) return;
      left -= 1;
      const place = { namespace, replicatedJob, jobIndex };
      const name = jobName(jobSetName, replicatedJob, jobIndex);
      yield { kind: "Job", name, ...place };
      if (!isStable) yield { kind: "Pod", name: resolveGenerateName(`${name}-`), ...place };
      while (address?.replicatedJobName === replicatedJob && address.jobIndex === jobIndex) {
        const { hostname, completionIndex } = address;
        yield {
          kind: "Pod",
          name: hostname,
          ...place,
          podIndex: completionIndex,
          ...(hasDns && listAddresses(podDnsName(hostname, subdomain), namespace)),
        };
        address = addresses.next().value;
      }
    }
  }
}

/** Returns whether the Pods of a ReplicatedJob have stable hostnames. */
export function isIndexed(replicatedJob: Unvalidated<ReplicatedJob>): boolean {
  return replicatedJob.template?.spec?.completionMode === "Indexed";
}

/** Returns the field with which a JobSet requests more Jobs, or more Pods with stable names, than the command lists. */
export function findNamesExcess(jobSet: Unvalidated<JobSet>): SizeExcess | undefined {
  const limits = { jobs: MAX_DESIRED_JOBS, pods: MAX_DESIRED_PODS, onlyIndexed: true };
  return findSizeExcess(jobSet, limits);
}

function listAddresses(dnsName: string, namespace: string): Pick<NameRow, "dnsName" | "fqdn"> {
  return { dnsName, fqdn: fqdn(dnsName, { namespace }) };
}
