import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import {
  asArray,
  asString,
  getControllerOf,
  getLabel,
  getNamespace,
  getUid,
  type KubernetesObject,
  type OwnerReference,
} from "@jobset-ts/api/kubernetes";
import { QUEUE_NAME_KEY } from "../keys.ts";
import type { KueueConfig } from "../objects/config.ts";
import { failResult, type KueueResult, notFoundMessage } from "../objects/kueue-error.ts";
import { listObjects } from "../objects/members.ts";

/** The maximum number of owners in a chain. */
const MAX_OWNERS = 10;

/**
 * Finds the owner of a JobSet that Kueue queues instead. A JobSet with such an owner gets no Workload.
 *
 * Kueue follows controller references upward while it knows their kinds. It selects the topmost owner of an enabled
 * kind that has a queue.
 *
 * @param owners - the objects that may be owners
 * @returns the value `undefined` if no owner is queued; an error if an owner is missing or the chain has a cycle
 * @example
 * const owner = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "top", uid: "u-1", labels: { "kueue.x-k8s.io/queue-name": "q" } } };
 * const jobSet = { metadata: { ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "top", uid: "u-1", controller: true }] } };
 * const found = kueueAncestor(jobSet, [owner], { enabledFrameworks: ["batch/job"] });
 * found.ok && found.value === owner // => true
 */
export function kueueAncestor(
  jobSet: Unvalidated<JobSet>,
  owners: readonly Unvalidated<KubernetesObject>[],
  config: KueueConfig,
): KueueResult<Unvalidated<KubernetesObject> | undefined> {
  const seen = new Set<string>();
  let current: Unvalidated<KubernetesObject> = jobSet;
  let topmost: Unvalidated<KubernetesObject> | undefined;
  for (;;) {
    if (seen.has(getUid(current))) return failResult("InvalidOwners", "cyclic ownership");
    seen.add(getUid(current));
    const reference = getControllerOf(current);
    if (reference === undefined || !isKnown(reference, config)) return { ok: true, value: topmost };
    const owner = getOwner(jobSet, reference, owners);
    if (owner === undefined) {
      const lookup = notFoundMessage(getResource(reference), asString(reference.name));
      const { refusal } = failResult("NotFound", `workload owner not found\n${lookup}`);
      return { ok: false, refusal: { ...refusal, lookup } };
    }
    if (getUid(owner) !== asString(reference.uid)) return { ok: true, value: topmost };
    const isQueued =
      config?.manageJobsWithoutQueueName === true || (getLabel(owner, QUEUE_NAME_KEY) ?? "") !== "";
    if (isQueued && isEnabled(reference, config)) topmost = owner;
    if (seen.size > MAX_OWNERS) {
      return failResult("InvalidOwners", "managed owner chain limit reached", {
        type: "Warning",
        reason: "JobNestingTooDeep",
        message: `Terminated search for Kueue-managed Job because ancestor depth exceeded limit of ${MAX_OWNERS}`,
      });
    }
    current = owner;
  }
}

function getOwner(
  jobSet: Unvalidated<JobSet>,
  { apiVersion, kind, name }: Unvalidated<OwnerReference>,
  owners: readonly Unvalidated<KubernetesObject>[],
): Unvalidated<KubernetesObject> | undefined {
  return listObjects(owners).find(
    (owner) =>
      owner.apiVersion === apiVersion &&
      owner.kind === kind &&
      asString(owner.metadata?.name) === asString(name) &&
      getNamespace(owner) === getNamespace(jobSet),
  );
}

/** The integrations whose kinds Kueue knows even if they are disabled. */
const integrations: ReadonlyMap<string, string> = new Map([
  [kindKey({ apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND }), "jobset.x-k8s.io/jobset"],
  [kindKey({ apiVersion: "batch/v1", kind: "Job" }), "batch/job"],
]);

/** Kueue skips a ReplicaSet and continues with the Deployment that may own it. */
const REPLICA_SET = kindKey({ apiVersion: "apps/v1", kind: "ReplicaSet" });

function isKnown(reference: Unvalidated<OwnerReference>, config: KueueConfig): boolean {
  const key = kindKey(reference);
  return integrations.has(key) || key === REPLICA_SET || isExternal(reference, config);
}

/** Reports whether Kueue or an external integration manages a kind. */
export function isEnabled(reference: Unvalidated<OwnerReference>, config: KueueConfig): boolean {
  const integration = integrations.get(kindKey(reference));
  const isOn =
    integration !== undefined && asArray(config?.enabledFrameworks).includes(integration);
  return isOn || isExternal(reference, config);
}

function isExternal(reference: Unvalidated<OwnerReference>, config: KueueConfig): boolean {
  const { group, version } = getGroupVersion(reference);
  const name = [asString(reference.kind), version, group].filter((part) => part !== "").join(".");
  return asArray(config?.externalFrameworks).includes(name);
}

function kindKey({ apiVersion, kind }: Unvalidated<OwnerReference>): string {
  return `${asString(apiVersion)} ${asString(kind)}`;
}

/** Returns the resource of a kind as the API server's "not found" errors name it, such as `jobs.batch`. */
function getResource(reference: Unvalidated<OwnerReference>): string {
  const { group } = getGroupVersion(reference);
  const plural = pluralize(asString(reference.kind).toLowerCase());
  return group === "" ? plural : `${plural}.${group}`;
}

/** @see Kubernetes `meta.UnsafeGuessKindToResource` */
function pluralize(kind: string): string {
  if (kind.endsWith("endpoints")) return kind;
  if (kind.endsWith("s")) return `${kind}es`;
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

function getGroupVersion({ apiVersion }: Unvalidated<OwnerReference>) {
  const parts = asString(apiVersion).split("/");
  const version = parts.at(-1) ?? "";
  return { group: parts.length > 1 ? (parts[0] ?? "") : "", version };
}
