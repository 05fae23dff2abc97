import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { readAt } from "../faults/ages.ts";
import { type Dice, dice } from "../faults/dice.ts";
import { type Fault, type ReadKind, readKinds } from "../faults/fault.ts";
import { jobFaults } from "../faults/job-faults.ts";
import { jobSetFaults } from "../faults/jobset-faults.ts";
import { leaderFaults } from "../faults/leader-faults.ts";
import { getNeighbours } from "../faults/neighbours.ts";
import { podFaults } from "../faults/pod-faults.ts";
import { Scene } from "../faults/scene.ts";
import { schedulingFaults } from "../faults/scheduling-faults.ts";
import { getShape } from "../faults/shape.ts";
import { eventObjects } from "../faults/told-events.ts";
import { upkeepFaults } from "../faults/upkeep-faults.ts";

/** What of a cluster was read, and when. */
export interface ReadCluster {
  /** As the API serves them, in no order. */
  readonly objects: readonly KubernetesObject[];
  /** The kinds of which all objects were read; of another kind nothing is known. */
  readonly kinds: readonly string[];
  readonly now: string;
}

/** A cluster with a JobSet of which it is known what is wrong with it. */
export interface FaultyCluster extends ReadCluster {
  readonly jobSet: JobSetName;
  readonly truth: ExpectedDiagnosis;
  /** JobSets of the same cluster that are well. */
  readonly others: readonly JobSetName[];
}

/** What names a JobSet. */
export interface JobSetName {
  readonly namespace: string;
  readonly name: string;
}

/** What is wrong with a JobSet. */
export interface ExpectedDiagnosis {
  /** The finding that names the one cause, as in `insufficient-capacity`. */
  readonly cause: string;
  /** What has happened, in words. */
  readonly how: string;
  /** Where it lies, as `<Kind>/<namespace>/<name>`, and `<Kind>/<name>` of nodes. */
  readonly objects: readonly string[];
  readonly status: "Failed" | "Progressing" | "Waiting" | "Stuck";
  /** Findings that are true as well, and may be named behind the cause. */
  readonly besides: readonly string[];
  /** Findings that are as true: nothing that can be read tells them from the cause. */
  readonly equally: readonly string[];
}

const faults: readonly Fault[] = [
  ...jobSetFaults,
  ...upkeepFaults,
  ...jobFaults,
  ...leaderFaults,
  ...schedulingFaults,
  ...podFaults,
];

/** Which kinds of objects may be left out of what was read. */
type Unread = "none" | "needless" | "any";

/** The findings that can be a cause, each of which {@link faultyClusters} has. */
export const knownCauses: readonly string[] = [...new Set(faults.map(({ cause }) => cause))];

/**
 * Clusters with a JobSet in which exactly one thing has gone wrong, with all that comes of it, as JobSet's controller and
 * webhooks, the Job controller, the scheduler, the kubelets and the API server show it. Around it are JobSets that are well, and
 * much that has nothing to do with it.
 *
 * @param given.unread - which kinds may be left out: those without which the cause shows all the same, by default, or any but
 *   JobSets, or none
 */
export function faultyClusters(
  given: { readonly unread?: Unread } = {},
): fc.Arbitrary<FaultyCluster> {
  const { unread = "needless" } = given;
  return fc.tuple(fc.constantFrom(...faults), dice()).map(([fault, chance]) => {
    const told = troubled(fault, chance, unread);
    return Object.assign(told, { [fc.toStringMethod]: () => toldInWords(told) });
  });
}

function troubled(fault: Fault, chance: Dice, unread: Unread): FaultyCluster {
  const { cause, how, needs, wishes = {} } = fault;
  const scene = new Scene(getShape(chance, wishes), chance);
  const { besides = [], equally = [], ...struck } = fault.strike(scene);
  const neighbours = getNeighbours(scene, chance, faults);
  const needsEvents = needs.includes("Event");
  const ownEvents = !needsEvents && chance.onceIn(4) ? [] : scene.events;
  const view = chance.oneOf("core", "events.k8s.io", "both");
  const isNeeded = (kind: ReadKind) => unread === "needless" && needs.includes(kind);
  const isLess = unread === "any" || (unread === "needless" && chance.onceIn(3));
  const left = readKinds.filter((kind) => isLess && !isNeeded(kind) && chance.onceIn(3));
  const objects = [
    ...scene.objects(),
    ...neighbours.objects,
    ...eventObjects([...ownEvents, ...neighbours.events], view),
  ].filter(({ kind }) => !left.some((one) => one === kind));
  const from = chance.below(objects.length);
  return {
    objects: [...objects.slice(from), ...objects.slice(0, from)],
    kinds: ["JobSet", ...readKinds.filter((kind) => !left.includes(kind))],
    now: readAt,
    jobSet: { namespace: scene.namespace, name: scene.name },
    truth: { cause, how, ...struck, besides, equally },
    others: neighbours.jobSets,
  };
}

/** What a person needs to see of a cluster: its trouble, what was read, and the JobSet's own objects. */
function toldInWords({ truth, jobSet, kinds, objects }: FaultyCluster): string {
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
