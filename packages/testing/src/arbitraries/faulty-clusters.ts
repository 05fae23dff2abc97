import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { ClusterBuilder } from "../faults/cluster-builder.ts";
import { disruptionFaults } from "../faults/disruption-faults.ts";
import { readAt } from "../faults/event-times.ts";
import { type Fault, type ReadKind, readKinds } from "../faults/fault.ts";
import { eventObjects } from "../faults/fault-events.ts";
import { jobFaults } from "../faults/job-faults.ts";
import { jobSetFaults } from "../faults/jobset-faults.ts";
import { createShape } from "../faults/jobset-shape.ts";
import { kueueFaults } from "../faults/kueue-faults.ts";
import { leaderFaults } from "../faults/leader-faults.ts";
import { podFaults } from "../faults/pod-faults.ts";
import { type RandomChoices, randomChoices } from "../faults/random-choices.ts";
import { schedulingFaults } from "../faults/scheduling-faults.ts";
import { createUnrelatedObjects } from "../faults/unrelated-objects.ts";
import { supportObjectFaults } from "../faults/upkeep-faults.ts";

/** The objects that were read from a cluster, and when. */
export interface ReadCluster {
  /** In the format of the API, in no order. */
  readonly objects: readonly KubernetesObject[];
  /** The kinds of which all objects were read. Other kinds are unknown. */
  readonly kinds: readonly string[];
  readonly now: string;
}

/** A cluster with a JobSet whose problem is known. */
export interface FaultyCluster extends ReadCluster {
  readonly jobSet: JobSetName;
  readonly truth: ExpectedDiagnosis;
  /** The healthy JobSets of the cluster. */
  readonly others: readonly JobSetName[];
}

/** The namespace and the name of a JobSet. */
export interface JobSetName {
  readonly namespace: string;
  readonly name: string;
}

/** The known problem of a JobSet. */
export interface ExpectedDiagnosis {
  /** The finding that names the single cause, as in `insufficient-capacity`. */
  readonly cause: string;
  /** What has happened, as a sentence. */
  readonly how: string;
  /** The affected objects, as `<Kind>/<namespace>/<name>`, or `<Kind>/<name>` for nodes. */
  readonly objects: readonly string[];
  readonly status: "Failed" | "Progressing" | "Waiting" | "Stuck";
  /** Findings that are also true. A diagnosis may report them after the cause. */
  readonly besides: readonly string[];
  /** Findings that are also correct, because the objects do not distinguish them from the cause. */
  readonly equally: readonly string[];
}

const faults: readonly Fault[] = [
  ...jobSetFaults,
  ...supportObjectFaults,
  ...jobFaults,
  ...leaderFaults,
  ...schedulingFaults,
  ...podFaults,
  ...disruptionFaults,
  ...kueueFaults,
];

/** The faults of unrelated JobSets: those that need no kinds besides {@link readKinds}. */
const coreFaults = faults.filter(({ reads }) => reads === undefined);

/** The kinds of objects that may be unread. */
type UnreadKinds = "none" | "needless" | "any";

/** All findings that can be a cause. {@link faultyClusters} generates each of them. */
export const knownCauses: readonly string[] = [...new Set(faults.map(({ cause }) => cause))];

/**
 * Generates clusters with a JobSet that has exactly one problem and all its consequences. They show what JobSet's
 * controller and webhooks, the Job controller, the scheduler, the kubelets and the API server would write. They also
 * contain healthy JobSets and unrelated objects.
 *
 * @param options.unread - which kinds may be unread: those that the cause does not depend on (default), any except
 * JobSets, or none
 */
export function faultyClusters(
  options: { readonly unread?: UnreadKinds } = {},
): fc.Arbitrary<FaultyCluster> {
  const { unread = "needless" } = options;
  return fc.tuple(fc.constantFrom(...faults), randomChoices()).map(([fault, chance]) => {
    const cluster = createFaultyCluster(fault, chance, unread);
    return Object.assign(cluster, { [fc.toStringMethod]: () => formatCluster(cluster) });
  });
}

function createFaultyCluster(
  fault: Fault,
  chance: RandomChoices,
  unread: UnreadKinds,
): FaultyCluster {
  const { cause, how, needs, reads = [], requirements = {} } = fault;
  const scene = new ClusterBuilder(createShape(chance, requirements), chance);
  const { besides = [], equally = [], ...struck } = fault.apply(scene);
  const neighbours = createUnrelatedObjects(scene, chance, coreFaults);
  const needsEvents = needs.includes("Event");
  const ownEvents = !needsEvents && chance.isOneIn(4) ? [] : scene.events;
  const view = chance.pickOne("core", "events.k8s.io", "both");
  const isNeeded = (kind: ReadKind) => unread === "needless" && needs.includes(kind);
  const isLess = unread === "any" || (unread === "needless" && chance.isOneIn(3));
  const left = readKinds.filter((kind) => isLess && !isNeeded(kind) && chance.isOneIn(3));
  const objects = [
    ...scene.objects(),
    ...neighbours.objects,
    ...eventObjects([...ownEvents, ...neighbours.events], view),
  ].filter(({ kind }) => !left.some((one) => one === kind));
  const from = chance.pickBelow(objects.length);
  return {
    objects: [...objects.slice(from), ...objects.slice(0, from)],
    kinds: ["JobSet", ...reads, ...readKinds.filter((kind) => !left.includes(kind))],
    now: readAt,
    jobSet: { namespace: scene.namespace, name: scene.name },
    truth: { cause, how, ...struck, besides, equally },
    others: neighbours.jobSets,
  };
}

/** Formats a cluster for a person: the problem, the kinds that were read, and the JobSet's own objects. */
function formatCluster({ truth, jobSet, kinds, objects }: FaultyCluster): string {
  const own = objects.filter(
    ({ kind, metadata }) =>
      kind === "Node" ||
      (metadata.namespace === jobSet.namespace && metadata.name?.startsWith(jobSet.name)),
  );
  return [
    `JobSet ${jobSet.namespace}/${jobSet.name}: ${truth.how} (${truth.cause})`,
    `  at     ${truth.objects.join(", ")}`,
    `  read   ${kinds.join(", ")}`,
    ...own.map((object) => `  ${JSON.stringify(object).slice(0, 2000)}`),
  ].join("\n");
}
