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

/** From where Kueue gives quota, and how the nodes are labelled that it stands for. */
export interface Flavor {
  readonly name: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
}

/** A JobSet to which quota is given. */
export interface Given {
  /** The Workload that asked for it, as Kueue has admitted it. */
  readonly workload: Unvalidated<Workload>;
  /** The JobSet as it runs then. */
  readonly jobSet: Unvalidated<JobSet>;
  /** What Kueue asks of the API server. */
  readonly actions: readonly UserAction[];
}

const features = resolveKueueFeatureGates();
const priorities = { workloadPriorityClasses: [{ metadata: { name: "best-effort" }, value: -10 }] };

/** Gives a suspended JobSet all that it asks for, out of one flavor, at milliseconds since the run began. */
export function resumed(
  jobSet: Unvalidated<JobSet>,
  { name, nodeLabels }: Flavor,
  at: number,
): Given {
  const asked = newWorkload(jobSet, priorities, {}, features);
  if (!asked.ok) throw new Error(asked.refusal.message);
  const podSetAssignments = (asked.value.spec.podSets ?? []).map((podSet) => ({
    name: podSet.name,
    count: podSet.count,
    flavors: { cpu: name, memory: name, "nvidia.com/gpu": name },
  }));
  const workload = {
    ...asked.value,
    status: { admission: { clusterQueue: "ml", podSetAssignments } },
  };
  const infos = podSetsInfoFromAdmission(
    workload,
    [{ metadata: { name }, spec: { nodeLabels } }],
    features,
  );
  const admitted = infos.ok ? runWithPodSetsInfo(jobSet, infos.value, features) : infos;
  if (!admitted.ok) throw new Error(admitted.refusal.message);
  return { workload, jobSet: admitted.value, actions: [patched(admitted.value, at)] };
}

/** The update of a JobSet's spec. */
export function patched(jobSet: Unvalidated<JobSet>, at: number): UserAction {
  const metadata = { namespace: getNamespace(jobSet), name: getName(jobSet) };
  const { spec } = jobSet;
  return { at, request: { verb: "patch", object: { kind: "JobSet", metadata, spec } as never } };
}
