import type { Unvalidated } from "@jobset-ts/api";
import { asString, getName, isBeingDeleted } from "@jobset-ts/api/kubernetes";
import { findTrueCondition } from "@jobset-ts/core/status";
import {
  conditionEvidence,
  createKey,
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  pass,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { findObject, type ObjectWithConditions } from "../../view/cluster-facts.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { adviseOnWebhook } from "./webhook-advice.ts";

/** The checks of the namespace of a JobSet. */
export const namespaceChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "namespace-deleting",
    causes: ["jobset-finalizer", "owned-object-kept", "pod-finalizer", "pod-not-ended"],
    run: (view) => {
      const { facts, thresholds } = view;
      const namespace = findObject(facts, "Namespace", "", { name: view.namespace });
      if (namespace === undefined || !isBeingDeleted(namespace)) return pass;
      const object = createKey("Namespace", namespace);
      const { deletionTimestamp } = namespace.metadata ?? {};
      const age = ageOf(view, deletionTimestamp, thresholds.deletionSeconds, "Waiting");
      const obstacle = findObstacle(namespace);
      const why =
        obstacle === undefined
          ? ""
          : `, ${obstacle.isError ? "but its deletion fails" : "which waits"}: ${obstacle.text}`;
      const evidence =
        obstacle === undefined
          ? fieldEvidence(object, "metadata.deletionTimestamp", "is set")
          : conditionEvidence(object, obstacle.type, obstacle.text);
      // The objects of a namespace may take a while to end. A JobSet that is not deleted shows that nothing happens.
      const isOnItsWay = obstacle?.isError !== true && isBeingDeleted(view.jobSet);
      return fail(`namespace ${getName(namespace)} is being deleted${why}`, {
        objects: [object],
        evidence: [evidence],
        ...age,
        ...(isOnItsWay && { status: "Waiting" }),
        advice: [
          ...(obstacle?.advise(obstacle.text, view.namespace) ?? [
            `wait until its objects are deleted: kubectl describe namespace ${view.namespace}`,
          ]),
          ...(isBeingDeleted(view.jobSet)
            ? []
            : [`recreate JobSet ${view.name} in a namespace that is not being deleted`]),
        ],
      });
    },
  },
];

/** A condition of a namespace that says why it is not deleted yet. */
interface Obstacle {
  readonly type: string;
  /** Whether the deletion fails, instead of waiting for objects. */
  readonly isError: boolean;
  readonly advise: (text: string, namespace: string) => readonly string[];
}

/** In the order in which they matter. */
const obstacles: readonly Obstacle[] = [
  {
    type: "NamespaceDeletionDiscoveryFailure",
    isError: true,
    advise: () => [
      "repair the API service in the message, or delete its APIService if its component was removed: kubectl get apiservices",
    ],
  },
  {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    isError: true,
    advise: () => ["check the API service in the message: kubectl get apiservices"],
  },
  {
    type: "NamespaceDeletionContentFailure",
    isError: true,
    advise: (text) =>
      adviseOnWebhook(text) ?? ["fix the error in the message; the namespace controller retries"],
  },
  {
    type: "NamespaceFinalizersRemaining",
    isError: false,
    advise: (_, namespace) => [
      `check the controllers that set these finalizers, and that remove them after their work: kubectl describe namespace ${namespace}`,
    ],
  },
  {
    type: "NamespaceContentRemaining",
    isError: false,
    advise: (_, namespace) => [
      `wait until these objects are deleted: kubectl describe namespace ${namespace}`,
    ],
  },
];

/** Returns the most important reason why a namespace is not deleted yet. */
function findObstacle({ status }: Unvalidated<ObjectWithConditions>) {
  for (const obstacle of obstacles) {
    const condition = findTrueCondition(status?.conditions, obstacle.type);
    if (condition !== undefined) return { ...obstacle, text: asString(condition.message) };
  }
  return undefined;
}
