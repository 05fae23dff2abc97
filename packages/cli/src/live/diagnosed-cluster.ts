import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asRecord,
  asString,
  type Event,
  getName,
  getNamespace,
  getUid,
  isObject,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import type { Redactor } from "@jobset-ts/api/redaction";
import { getNames, isSelected } from "../input/jobset-selector.ts";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { keepForDiagnosis } from "./keep-for-diagnosis.ts";
import type { Kubectl } from "./kubectl.ts";
import type { ClusterFailure } from "./kubectl-errors.ts";
import { type LiveQuery, listKinds, resolveScope } from "./list-kinds.ts";
import { createLiveCluster, getScope, type LiveCluster, type LiveOptions } from "./live-cluster.ts";

/** The kinds besides JobSets that a diagnosis uses, those with many objects first. */
const diagnosedKinds = [
  "Pod",
  "Event",
  "Job",
  "Service",
  "PersistentVolumeClaim",
  "EndpointSlice",
  "ResourceQuota",
  "LimitRange",
  "Node",
  "Namespace",
  "PersistentVolume",
  "StorageClass",
  "PriorityClass",
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "CustomResourceDefinition",
  "Deployment",
  "ResourceClaim",
  "ResourceClaimTemplate",
  "NodeClaim",
  "NodePool",
  "Workload",
  "LocalQueue",
  "ClusterQueue",
  "Cohort",
  "AdmissionCheck",
  "ResourceFlavor",
  "Topology",
  "ProvisioningRequest",
  "TrainJob",
  "TrainingRuntime",
  "ClusterTrainingRuntime",
] as const satisfies LiveQuery["kinds"];

/** The kinds of the control plane that are read in the namespaces of controllers and webhooks. */
const controllerKinds = ["Pod", "Service", "EndpointSlice", "Event"] as const;

/** The maximum number of namespaces of controllers and webhooks that are read. */
const MAX_CONTROLLER_NAMESPACES = 8;

/** The names of controllers that a JobSet depends on. */
const CONTROLLERS = /jobset|kueue|trainer|training-operator/;

/**
 * Reads everything that a diagnosis uses: the namespaces of the options, the cluster-scoped objects, and the namespaces
 * of the controllers and webhooks. If the options name JobSets, it reads only the Pods that can affect them. Never reads
 * Secrets.
 */
export async function readDiagnosedCluster(
  options: LiveOptions,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<LiveCluster | ClusterFailure> {
  const scope = await resolveScope(getScope(options), options, kubectl);
  if (scope.failure !== undefined) return scope;
  const { namespaces } = scope;
  const list = (query: Omit<LiveQuery, "keep">) =>
    listKinds({ ...query, keep: keepForDiagnosis }, options, kubectl);
  const jobSets = await list({ kinds: ["JobSet"], namespaces, needed: "JobSet" });
  if (jobSets.failure !== undefined) return jobSets;
  const named = jobSets.values.filter(
    (value) => options.names?.length && isSelected(getNames(value), { names: options.names }),
  );
  if (options.names?.length && named.length === 0)
    return createLiveCluster(["JobSet"], jobSets, redactor);
  const pods = selectPods(named);
  const others = await list({
    kinds: diagnosedKinds,
    namespaces,
    everywhere: ["Deployment"],
    isLoggedIn: true,
    ...(pods !== undefined && { podSelector: pods }),
  });
  if (others.failure !== undefined) return others;
  const controllers = listControllerNamespaces(others.values);
  const isRead = (namespace: string) =>
    pods === undefined && (namespaces === "all" || namespaces.includes(namespace));
  const unread = controllers.filter((namespace) => !isRead(namespace));
  const more = await list({ kinds: controllerKinds, namespaces: unread, isLoggedIn: true });
  if (more.failure !== undefined) return more;
  const all = [...jobSets.values, ...others.values, ...more.values];
  const isAboutUnreadPod = pods === undefined ? () => false : createUnreadPodTest(all, named);
  const values = all.filter((value) =>
    value.kind === "Deployment"
      ? controllers.includes(getNamespace(value))
      : !isAboutUnreadPod(value),
  );
  const hidden: Diagnostic = {
    severity: "warning",
    message: `the controllers in ${unread.join(", ")} cannot be read; this hides whether they run`,
  };
  return {
    ...createLiveCluster(["JobSet", ...diagnosedKinds], { ...others, values }, redactor),
    notes: Object.keys(more.readErrors).length > 0 ? [hidden] : [],
  };
}

/** The maximum number of names in a label selector. */
const MAX_SELECTED = 20;

/**
 * Returns the label selector of the Pods that can affect JobSets. Under exclusive placement, these are the Pods of all
 * JobSets.
 *
 * @returns undefined without JobSets, for all Pods
 */
function selectPods(jobSets: readonly Unvalidated<JobSet>[]): string | undefined {
  if (jobSets.length === 0) return undefined;
  const isExclusive = jobSets.some(({ metadata, spec }) =>
    JSON.stringify([metadata?.annotations, spec]).includes(EXCLUSIVE_TOPOLOGY_KEY),
  );
  if (isExclusive || jobSets.length > MAX_SELECTED) return JOBSET_NAME_KEY;
  return `${JOBSET_NAME_KEY} in (${[...new Set(jobSets.map(getName))].join(",")})`;
}

/**
 * Returns a function that reports whether a value is an Event about a Pod that was not read. An Event about a deleted Pod
 * of a JobSet does not count.
 */
function createUnreadPodTest(
  values: readonly InputObject["value"][],
  jobSets: readonly Unvalidated<JobSet>[],
): (value: InputObject["value"]) => boolean {
  const uids = new Set(values.filter(({ kind }) => kind === "Pod").map(getUid));
  const prefixes = jobSets.map((jobSet) => `${getName(jobSet)}-`);
  return (value) => {
    if (value.kind !== "Event") return false;
    const { kind, uid, name } = asRecord((value as Unvalidated<Event>).involvedObject);
    if (kind !== "Pod" || uids.has(asString(uid))) return false;
    return !prefixes.some((prefix) => asString(name).startsWith(prefix));
  };
}

/** Returns the namespaces of the webhooks for Jobs, Pods and JobSets, and of the controllers that a JobSet depends on. */
function listControllerNamespaces(values: readonly InputObject["value"][]): readonly string[] {
  const namespaces = values.flatMap((value) => {
    const object = value as Unvalidated<KubernetesObject>;
    if (value.kind === "Deployment")
      return CONTROLLERS.test(asString(getName(object))) ? [getNamespace(object)] : [];
    return listWebhooks(value).flatMap(({ clientConfig, rules }) => {
      const isRelevant = asArray(rules).some((rule) =>
        asArray(asRecord(rule).resources).some((resource) =>
          reviewedResources.test(asString(resource)),
        ),
      );
      return isRelevant ? [asString(asRecord(asRecord(clientConfig).service).namespace)] : [];
    });
  });
  const unique = new Set(namespaces.filter((name) => name !== ""));
  return [...unique].slice(0, MAX_CONTROLLER_NAMESPACES);
}

const reviewedResources = /^(?:\*|\*\/\*|jobs|jobsets|pods|services|workloads)(?:\/.*)?$/;

interface Webhook {
  readonly clientConfig?: Unvalidated<{
    readonly service: Unvalidated<{ readonly namespace: string }>;
  }>;
  readonly rules?: readonly Unvalidated<{ readonly resources: readonly string[] }>[];
}

function listWebhooks({ kind, webhooks }: InputObject["value"]): readonly Webhook[] {
  if (kind !== "ValidatingWebhookConfiguration" && kind !== "MutatingWebhookConfiguration")
    return [];
  return Array.isArray(webhooks) ? (webhooks.filter(isObject) as readonly Webhook[]) : [];
}
