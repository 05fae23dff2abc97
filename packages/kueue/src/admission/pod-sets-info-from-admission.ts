import type { Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  getAnnotation,
  getLabel,
  getName,
  isObject,
  type PodSchedulingGate,
  type Toleration,
  validateDNS1123Label,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { KueueFeatureGates } from "../features.ts";
import {
  CLUSTER_QUEUE_NAME_KEY,
  ELASTIC_JOB_KEY,
  LOCAL_QUEUE_NAME_KEY,
  MULTIKUEUE_ORIGIN_KEY,
  MULTIKUEUE_WORKER_POD_KEY,
  POD_SET_KEY,
  TOPOLOGY_GATE,
  UNCONSTRAINED_TOPOLOGY_KEY,
  WORKLOAD_KEY,
  WORKLOAD_SLICE_NAME_KEY,
} from "../keys.ts";
import { findNamed, type ResourceFlavor } from "../objects/cluster.ts";
import {
  failPermanently,
  failResult,
  type KueueResult,
  notFoundMessage,
} from "../objects/kueue-error.ts";
import { getStringMap, listObjects, withoutEmpty } from "../objects/members.ts";
import type { PodSet, PodSetAssignment, PodSetInfo, Workload } from "../objects/workload.ts";
import { mergePodSetInfo } from "./pod-set-info.ts";

/**
 * Returns the directives that an admission adds to the Pod templates: node labels and tolerations of the flavors, queue
 * and Workload names, the topology scheduling gate, and the updates of admission checks.
 *
 * Assignments and Pod sets correspond by index. Kueue crashes on a reservation without an admission and on an
 * assignment without a Pod set. This function ignores both.
 *
 * @param flavors - all existing ResourceFlavors
 * @returns an error if a flavor does not exist, which a retry can resolve; a permanent error for a conflict
 * @example
 * const admission = { clusterQueue: "cq", podSetAssignments: [{ name: "w", count: 2, flavors: { cpu: "spot" } }] };
 * const workload = { spec: { podSets: [{ name: "w", count: 2, template: {} }] }, status: { admission } };
 * const flavors = [{ metadata: { name: "spot" }, spec: { nodeLabels: { pool: "spot" } } }];
 * const infos = podSetsInfoFromAdmission(workload, flavors, new Set());
 * infos.ok && infos.value // => [{ name: "w", count: 2, labels: { "kueue.x-k8s.io/podset": "w" }, nodeSelector: { pool: "spot" } }]
 */
export function podSetsInfoFromAdmission(
  workload: Unvalidated<Workload>,
  flavors: readonly Unvalidated<ResourceFlavor>[],
  features: KueueFeatureGates,
): KueueResult<readonly PodSetInfo[]> {
  const sets = listObjects(workload?.spec?.podSets);
  const infos: PodSetInfo[] = [];
  const assignments = listObjects(workload?.status?.admission?.podSetAssignments);
  for (const [index, assignment] of assignments.entries()) {
    const info = createInfo({ workload, assignment, set: sets[index], flavors, features });
    if (!info.ok) return info;
    infos.push(info.value);
  }
  return { ok: true, value: infos };
}

interface AssignedPodSet {
  readonly workload: Unvalidated<Workload>;
  readonly assignment: Unvalidated<PodSetAssignment>;
  readonly set: Unvalidated<PodSet> | undefined;
  readonly flavors: readonly Unvalidated<ResourceFlavor>[];
  readonly features: KueueFeatureGates;
}

function createInfo(assigned: AssignedPodSet): KueueResult<PodSetInfo> {
  const { assignment, set } = assigned;
  const fromFlavors = flavorDirectives(assigned);
  if (!fromFlavors.ok) return fromFlavors;
  const info = withoutEmpty({
    name: asString(assignment.name),
    count: asInteger(assignment.count, asInteger(set?.count, 0)),
    labels: labels(assigned),
    annotations: annotations(assigned),
    ...fromFlavors.value,
    schedulingGates: schedulingGates(assigned),
  });
  return withCheckUpdates(info, assigned.workload);
}

function schedulingGates(assigned: AssignedPodSet): PodSchedulingGate[] {
  return isTopologyPending(assigned) ? [{ name: TOPOLOGY_GATE }] : [];
}

function isTopologyPending({ assignment, features }: AssignedPodSet): boolean {
  return features.has("TopologyAwareScheduling") && isObject(assignment.topologyAssignment);
}

function annotations(assigned: AssignedPodSet): Record<string, string> {
  const { workload, set, features } = assigned;
  const { required, preferred, unconstrained } = set?.topologyRequest ?? {};
  const asksForNone = [required, preferred, unconstrained].every((level) => level == null);
  const isElastic =
    features.has("ElasticJobsViaWorkloadSlices") &&
    getAnnotation(workload, ELASTIC_JOB_KEY) === "true";
  return {
    ...(isTopologyPending(assigned) && asksForNone && { [UNCONSTRAINED_TOPOLOGY_KEY]: "true" }),
    ...(features.has("TopologyAwareScheduling") && { [WORKLOAD_KEY]: getName(workload) }),
    ...(isElastic && {
      [WORKLOAD_SLICE_NAME_KEY]:
        getAnnotation(workload, WORKLOAD_SLICE_NAME_KEY) ?? getName(workload),
    }),
  };
}

function labels({ workload, assignment, features }: AssignedPodSet): Record<string, string> {
  const clusterQueue = asString(workload?.status?.admission?.clusterQueue);
  return {
    [POD_SET_KEY]: asString(assignment.name),
    ...(getLabel(workload, MULTIKUEUE_ORIGIN_KEY) !== undefined && {
      [MULTIKUEUE_WORKER_POD_KEY]: "true",
    }),
    ...(features.has("AssignQueueLabelsForPods") && {
      [LOCAL_QUEUE_NAME_KEY]: asString(workload?.spec?.queueName),
      // A name with dots is a valid object name but not a DNS label. Kueue sets the label only for DNS labels.
      ...(validateDNS1123Label(clusterQueue).length === 0 && {
        [CLUSTER_QUEUE_NAME_KEY]: clusterQueue,
      }),
    }),
  };
}

/** Returns the directives of all flavors, each flavor once, sorted by resource name. Kueue iterates in random order. */
function flavorDirectives({
  assignment,
  flavors,
}: AssignedPodSet): KueueResult<Pick<PodSetInfo, "nodeSelector" | "tolerations">> {
  const flavorOfResource = getStringMap(assignment.flavors);
  const names = Object.keys(flavorOfResource)
    .sort(compareBytes)
    .map((resource) => asString(flavorOfResource[resource]));
  let nodeSelector: Record<string, string> = {};
  const tolerations: Toleration[] = [];
  for (const name of new Set(names)) {
    const flavor = findNamed(flavors, name);
    if (flavor === undefined) {
      return failResult("NotFound", notFoundMessage("resourceflavors.kueue.x-k8s.io", name));
    }
    nodeSelector = { ...nodeSelector, ...getStringMap(flavor.spec?.nodeLabels) };
    tolerations.push(...(listObjects(flavor.spec?.tolerations) as Toleration[]));
  }
  return { ok: true, value: { nodeSelector, tolerations } };
}

function withCheckUpdates(
  info: PodSetInfo,
  workload: Unvalidated<Workload>,
): KueueResult<PodSetInfo> {
  let updated = info;
  for (const check of listObjects(workload?.status?.admissionChecks)) {
    const update = listObjects(check.podSetUpdates).find(
      ({ name }) => asString(name) === info.name,
    );
    if (update === undefined) continue;
    const merged = mergePodSetInfo(updated, update);
    if (!merged.ok) {
      const message = `in admission check "${asString(check.name)}": ${merged.refusal.message}`;
      return failPermanently("Conflict", message);
    }
    updated = merged.value;
  }
  return { ok: true, value: updated };
}
