import type { Unvalidated } from "@jobset-ts/api";
import { getName, type KubernetesObject, type Pod } from "@jobset-ts/api/kubernetes";
import { type Context, createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { type PlacementPlan, reconcilePlacement } from "@jobset-ts/core/placement";
import { type Placement, placements } from "../arbitraries/arbitrary-placements.ts";
import { TestApiServer } from "./api-server.ts";
import { type CheckOptions, checkController } from "./check-controller.ts";
import { type ControllerSubject, executePlan, type ReconcileRequest } from "./controller.ts";
import type { ControllerCase } from "./controller-case.ts";
import { createControllerLaws } from "./controller-laws.ts";
import { type ExpectedRequests, getExpectedFromPlan } from "./expected-requests.ts";
import { formatParts, formatTable } from "./format-case.ts";
import type { Laws } from "./law.ts";
import type { RequestViolation, ViolationCode } from "./violation.ts";

const lawTexts = {
  followersGetAConditionBeforeDeletion: {
    sentence: "A follower gets the condition DisruptionTarget before it is deleted.",
    defects: [],
  },
  misplacedFollowersAreDeletedTogether: {
    sentence:
      "If a follower selects a different topology domain than its leader's, the controller deletes all followers of the leader; otherwise, none.",
    defects: ["#341", "#1269"],
  },
  placementConverges: {
    sentence: "After the followers are deleted, reconciliation converges.",
    defects: [],
  },
  otherPodsAreLeftAlone: {
    sentence: "The controller changes only the followers of the leader, and no other Pods.",
    defects: ["#433"],
  },
} as const;

/** The name of a law about exclusive placement. */
export type PlacementLawName = keyof typeof lawTexts;

/** Options for the cases and checks of the laws. */
export interface PlacementLawOptions extends CheckOptions {
  /** Default `placements()`. */
  readonly cases?: ReturnType<typeof placements>;
}

/**
 * The laws for a controller that keeps the Pods of a Job in the topology domain of their leader. Each is a property of
 * a {@link ControllerSubject}. A pass reconciles one leader Pod by name.
 */
export const placementLaws: Laws<ControllerSubject> = createPlacementLaws();

/** Creates {@link placementLaws} with other cases or check options. */
function createPlacementLaws(options: PlacementLawOptions = {}): Laws<ControllerSubject> {
  const { cases = placements(), ...judging } = options;
  return createControllerLaws(lawTexts, {
    generateCases: () => cases,
    lawFor: placementLawForViolation,
    checkCase: (controller, placement) => findPlacementViolations(controller, placement, judging),
    shown: formatCase,
  });
}

/** The laws that violations break, by code. All other violations break `otherPodsAreLeftAlone`. */
const lawsByCode: Readonly<Partial<Record<ViolationCode, PlacementLawName>>> = {
  DisruptionTargetMember: "followersGetAConditionBeforeDeletion",
  PodDeletion: "misplacedFollowersAreDeletedTogether",
  NoConvergence: "placementConverges",
};

/** Returns the law that a violation breaks. */
function placementLawForViolation({ code }: RequestViolation): PlacementLawName {
  return lawsByCode[code] ?? "otherPodsAreLeftAlone";
}

/** Returns all violations of a controller that manages the followers of a leader. */
export function findPlacementViolations(
  controller: ControllerSubject,
  placement: Placement,
  options: CheckOptions = {},
): ReturnType<typeof checkController> {
  return checkController(controller, getQuestion(placement), options);
}

/** Creates a controller from a function that returns a {@link PlacementPlan}. `PlanExecution` executes the plan. */
export function createPlacementController(
  planFor: (snapshot: Snapshot, leader: Unvalidated<Pod>, context: Context) => PlacementPlan,
): ControllerSubject {
  return async (client, pass) => {
    const [pods, nodes] = await Promise.all([client.list("Pod"), client.list("Node")]);
    const leader = pods.find(
      ({ metadata }) => metadata.name === pass.name && metadata.namespace === pass.namespace,
    );
    if (leader === undefined) return;
    const snapshot = createSnapshot([...pods, ...nodes], { kinds: "all" });
    await executePlan(planFor(snapshot, leader as Pod, createContext({ now: pass.now })), client);
  };
}

function getQuestion({ leader, pods, nodes, context }: Placement): ControllerCase {
  const { namespace = "default", name = "" } = leader.metadata;
  return {
    objects: [...nodes, ...pods, leader],
    pass: { namespace, name, now: new Date(context.now).toISOString(), features: [] },
    dueAt: getExpected,
    getStage: () => "Alive",
    kind: "Pod",
    deletesTogether: true,
  };
}

function getExpected(state: readonly KubernetesObject[], pass: ReconcileRequest): ExpectedRequests {
  const server = new TestApiServer(state, pass.namespace);
  const leader = server.get("Pod", pass.namespace, pass.name) as Pod | undefined;
  if (leader === undefined) return { exchanges: [], events: [] };
  const snapshot = createSnapshot(state, { kinds: "all" });
  return getExpectedFromPlan(
    reconcilePlacement(snapshot, leader, createContext({ now: pass.now })),
    server,
  );
}

function formatCase(
  { leader, pods, nodes }: Placement,
  requests: readonly string[],
  violations: readonly RequestViolation[],
): string {
  const heading = ["POD", "NODE", "SENT TO", "PHASE"];
  return formatParts([
    [
      "the leader and the Pods beside it",
      formatTable([heading, ...[leader, ...pods].map(createRow)]),
    ],
    [
      "nodes",
      nodes.map((node) => `${getName(node)}: rack ${node.metadata.labels?.rack ?? "none"}`),
    ],
    ["requests", requests],
    ["violations", violations.slice(0, 4).map(({ message }) => message)],
  ]);
}

function createRow(pod: Pod): readonly string[] {
  const { nodeName = "", nodeSelector } = pod.spec ?? {};
  return [getName(pod), nodeName, nodeSelector?.rack ?? "", pod.status?.phase ?? ""];
}
