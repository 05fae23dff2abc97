import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import {
  newWorkload,
  podSetsInfoFromAdmission,
  resolveKueueFeatureGates,
  runWithPodSetsInfo,
  type Workload,
} from "@jobset-ts/kueue";
import type { UserAction } from "@jobset-ts/sim";

/** A Kueue flavor: its name, and the labels of its nodes. */
export interface Flavor {
  readonly name: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
}

/** A JobSet with quota. */
export interface AdmittedJobSet {
  /** The admitted Workload. */
  readonly workload: Unvalidated<Workload>;
  /** The running JobSet. */
  readonly jobSet: Unvalidated<JobSet>;
  /** Kueue's requests to the API server. */
  readonly actions: readonly UserAction[];
}

const features = resolveKueueFeatureGates();
const priorities = { workloadPriorityClasses: [{ metadata: { name: "best-effort" }, value: -10 }] };

/**
 * Admits a suspended JobSet with all requested quota from one flavor. The time is in milliseconds since the start of
 * the run.
 */
export function admitWithQuota(
  jobSet: Unvalidated<JobSet>,
  { name, nodeLabels }: Flavor,
  at: number,
): AdmittedJobSet {
  const result = newWorkload(jobSet, priorities, {}, features);
  if (!result.ok) throw new Error(result.refusal.message);
  const podSetAssignments = (result.value.spec.podSets ?? []).map((podSet) => ({
    name: podSet.name,
    count: podSet.count,
    flavors: { cpu: name, memory: name, "nvidia.com/gpu": name },
  }));
  const workload = {
    ...result.value,
    status: { admission: { clusterQueue: "ml", podSetAssignments } },
  };
  const infos = podSetsInfoFromAdmission(
    workload,
    [{ metadata: { name }, spec: { nodeLabels } }],
    features,
  );
  const admitted = infos.ok ? runWithPodSetsInfo(jobSet, infos.value, features) : infos;
  if (!admitted.ok) throw new Error(admitted.refusal.message);
  return { workload, jobSet: admitted.value, actions: [createSpecPatch(admitted.value, at)] };
}

/** Creates the update of a JobSet's spec. */
export function createSpecPatch(jobSet: Unvalidated<JobSet>, at: number): UserAction {
  const metadata = { namespace: getNamespace(jobSet), name: getName(jobSet) };
  const { spec } = jobSet;
  return { at, request: { verb: "patch", object: { kind: "JobSet", metadata, spec } as never } };
}
