import {
  fqdn,
  getSubdomain,
  type JobSet,
  podDnsName,
  podHostname,
  resolveFeatureGates,
  type ToCreate,
  type Unvalidated,
} from "@jobset-ts/api";
import {
  COORDINATOR_KEY,
  EXCLUSIVE_TOPOLOGY_KEY,
  GROUP_NAME_KEY,
  JOBSET_NAME_KEY,
  NAMESPACED_JOB_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import {
  asRecord,
  asString,
  getName,
  getNamespace,
  isObject,
  type Job,
  resolveGenerateName,
} from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import {
  coordinatorEndpoint,
  createJobFactories,
  desiredVolumeClaims,
  hasDnsHostnames,
} from "@jobset-ts/core/desired";
import { type NameCollisions, nameCollisions } from "./name-collisions.ts";

/** The remaining bytes in the names that are derived from a JobSet's name. */
export interface NameBudget {
  /** The longest name of each use, for the JobSet and then for each ReplicatedJob with Jobs, in spec order. */
  readonly names: readonly GeneratedNameKind[];
  /**
   * The number of bytes by which the JobSet's name may grow before the first limit is reached. Negative beyond a limit.
   */
  readonly leftForJobSetName: number;
  readonly collisions: NameCollisions;
}

/** A name and its limit. */
export interface GeneratedNameKind {
  readonly use: NameUseId;
  /** The ReplicatedJob whose Jobs and Pods have the name. Absent for names of the JobSet as a whole. */
  readonly replicatedJob?: string;
  /** The key of the label, annotation or node selector with this value. */
  readonly key?: string;
  /** The longest name of its use, with the highest indexes. Random characters are shown as `xxxxx`. */
  readonly name: string;
  readonly bytes: number;
  readonly limitBytes: number;
  /** Negative if the name is too long. */
  readonly leftBytes: number;
  /** The consequence of a name that is too long. */
  readonly beyond: NameLimit["beyond"];
  /** The component that sets the limit. */
  readonly limit: string;
}

/** The use of a name. */
export type NameUseId = keyof typeof limits;

interface NameLimit {
  readonly limitBytes: number;
  /**
   * - `Refused`: the JobSet or a derived object cannot be created
   * - `Truncated`: the name is truncated and works
   * - `Stuck`: it is created but never starts
   * - `Unresolvable`: it runs, but its name does not resolve
   */
  readonly beyond: "Refused" | "Truncated" | "Stuck" | "Unresolvable";
  readonly limit: string;
}

const limits = {
  JobSet: {
    limitBytes: 253,
    beyond: "Refused",
    limit: "the API server limits object names",
  },
  Service: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "the name of a Service is one DNS label",
  },
  VolumeClaim: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "JobSet's webhook limits PersistentVolumeClaim names",
  },
  Label: { limitBytes: 63, beyond: "Refused", limit: "it is the value of a label" },
  NodeSelector: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "a node selector value is a label value",
  },
  Job: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "JobSet's webhook limits Job names, which are labels of their Pods",
  },
  IndexedPod: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "JobSet's webhook rejects Pod names that the Job controller would truncate",
  },
  Pod: {
    limitBytes: 63,
    beyond: "Truncated",
    limit: "the Job controller truncates a Pod name before its random suffix",
  },
  Leader: {
    limitBytes: 55, // MAX_GENERATE_NAME_BYTES without `-0-`
    beyond: "Stuck",
    limit: "followers look up their leader by the full name of its Job",
  },
  Hostname: {
    limitBytes: 63,
    beyond: "Refused",
    limit: "a hostname is one DNS label, which is never truncated",
  },
  Fqdn: { limitBytes: 253, beyond: "Unresolvable", limit: "DNS limits the length of names" },
  KernelHostname: {
    limitBytes: 64,
    beyond: "Stuck",
    limit: "the kernel does not support longer hostnames, and setHostnameAsFQDN requests this one",
  },
} as const satisfies Readonly<Record<string, NameLimit>>;

/**
 * Returns the names that are derived from a JobSet's name, with the remaining bytes to each limit.
 *
 * If the JobSet has only a `generateName`, the length of the future name is used.
 *
 * @param snapshot - used to find equal names of other JobSets in the namespace
 * @param options.clusterDomain - default `cluster.local`
 * @example
 * const template = { spec: { completionMode: "Indexed", completions: 8, parallelism: 8 } };
 * const jobSet = { metadata: { name: "train", namespace: "ml" }, spec: { replicatedJobs: [{ name: "w", replicas: 4, template }] } };
 * nameBudget(jobSet).leftForJobSetName // => 46
 */
export function nameBudget(
  jobSet: Unvalidated<JobSet>,
  snapshot?: Snapshot,
  options: { readonly clusterDomain?: string } = {},
): NameBudget {
  const named = withName(jobSet);
  const domain = isObject(options) ? asString(options.clusterDomain) : "";
  const names = [...listJobSetNames(named), ...listReplicatedJobNames(named, domain || undefined)];
  return {
    names,
    leftForJobSetName: remainingForJobSetName(named, names),
    collisions: nameCollisions(named, snapshot),
  };
}

/** Returns the JobSet with its current or future name. */
function withName(jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const generateName = asString(jobSet?.metadata?.generateName);
  if (getName(jobSet) !== "" || generateName === "") return isObject(jobSet) ? jobSet : {};
  return { ...jobSet, metadata: { ...jobSet.metadata, name: resolveGenerateName(generateName) } };
}

function* listJobSetNames(jobSet: Unvalidated<JobSet>): Generator<GeneratedNameKind> {
  const name = getName(jobSet);
  yield nameUse("JobSet", name);
  yield nameUse("Label", name, { key: JOBSET_NAME_KEY });
  if (hasDnsHostnames(jobSet)) yield nameUse("Service", getSubdomain(jobSet));
  for (const claim of desiredVolumeClaims(jobSet)) yield nameUse("VolumeClaim", getName(claim));
  const coordinator = coordinatorEndpoint(jobSet);
  if (coordinator !== undefined) yield nameUse("Label", coordinator, { key: COORDINATOR_KEY });
}

function* listReplicatedJobNames(
  jobSet: Unvalidated<JobSet>,
  clusterDomain: string | undefined,
): Generator<GeneratedNameKind> {
  for (const { name, replicas, jobAt } of createJobFactories(jobSet, { features: noGates })) {
    if (replicas < 1) continue;
    // The highest index has the longest name.
    for (const use of listJobNames(jobAt(replicas - 1), getNamespace(jobSet), clusterDomain)) {
      yield { ...use, replicatedJob: name };
    }
  }
}

const noGates = /* @__PURE__ */ resolveFeatureGates({});

/** Yields the names of a Job and its Pods, from the Job to create. */
function* listJobNames(
  job: ToCreate<Job>,
  namespace: string,
  clusterDomain: string | undefined,
): Generator<GeneratedNameKind> {
  const name = asString(job.metadata.name);
  const { metadata, spec: podSpec } = job.spec.template;
  yield nameUse("Job", name);
  for (const key of [REPLICATED_JOB_NAME_KEY, GROUP_NAME_KEY]) {
    yield nameUse("Label", asString(job.metadata.labels?.[key]), { key });
  }
  const selected = asString(podSpec?.nodeSelector?.[NAMESPACED_JOB_KEY]);
  if (selected !== "") yield nameUse("NodeSelector", selected, { key: NAMESPACED_JOB_KEY });
  const annotations = asRecord(metadata?.annotations);
  const isExclusive = annotations[EXCLUSIVE_TOPOLOGY_KEY] !== undefined;
  if (isExclusive && annotations[NODE_SELECTOR_STRATEGY_KEY] === undefined) {
    yield nameUse("Leader", name);
  }
  if (job.spec.completionMode !== "Indexed") {
    yield nameUse("Pod", `${name}-xxxxx`);
    return;
  }
  const hostname = podHostname(name, getLastIndex(job));
  yield nameUse("IndexedPod", `${hostname}-xxxxx`);
  yield nameUse("Hostname", hostname);
  const subdomain = asString(podSpec?.subdomain);
  if (subdomain === "") return;
  const at = { namespace, ...(clusterDomain !== undefined && { clusterDomain }) };
  const full = fqdn(podDnsName(hostname, subdomain), at);
  yield nameUse("Fqdn", full);
  if (podSpec?.setHostnameAsFQDN === true) yield nameUse("KernelHostname", full);
}

/** Returns the highest completion index. 0 if the number of completions is absent. */
function getLastIndex({ spec }: ToCreate<Job>): number {
  const completions = spec.completions ?? 1;
  return Number.isSafeInteger(completions) ? Math.max(0, completions - 1) : 0;
}

function nameUse(
  use: NameUseId,
  name: string,
  more: Pick<GeneratedNameKind, "key"> = {},
): GeneratedNameKind {
  const { limitBytes, beyond, limit } = limits[use];
  const bytes = byteLength(name);
  return { use, ...more, name, bytes, limitBytes, leftBytes: limitBytes - bytes, beyond, limit };
}

/**
 * Returns the remaining bytes for the JobSet's name. A coordinator's address contains the name twice if it is the
 * subdomain. A name that is only truncated is not a limit.
 */
function remainingForJobSetName(
  jobSet: Unvalidated<JobSet>,
  names: readonly GeneratedNameKind[],
): number {
  const holdsSubdomain = getSubdomain(jobSet) === getName(jobSet);
  let left = Number.POSITIVE_INFINITY;
  for (const { use, key, leftBytes, beyond } of names) {
    const times = countOccurrences(use, key, holdsSubdomain);
    if (times > 0 && beyond !== "Truncated") left = Math.min(left, Math.floor(leftBytes / times));
  }
  return left;
}

/** Counts how often a name contains the JobSet's name. */
function countOccurrences(use: NameUseId, key: string | undefined, isSubdomain: boolean): number {
  switch (use) {
    case "Service":
      return isSubdomain ? 1 : 0;
    case "Fqdn":
    case "KernelHostname":
      return isSubdomain ? 2 : 1;
    case "Label":
      if (key === COORDINATOR_KEY) return isSubdomain ? 2 : 1;
      return key === JOBSET_NAME_KEY ? 1 : 0;
    default:
      return 1;
  }
}
