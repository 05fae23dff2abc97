import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { TestApiRequest } from "./api-request.ts";
import type { ReconcileRequest } from "./controller.ts";
import type { ExpectedRequests } from "./expected-requests.ts";
import type { ReconcileStage, ViolationCode } from "./violation.ts";

/** The cluster that a controller reconciles, and how to check it. */
export interface ControllerCase {
  readonly objects: readonly KubernetesObject[];
  readonly pass: ReconcileRequest;
  readonly dueAt: (state: readonly KubernetesObject[], pass: ReconcileRequest) => ExpectedRequests;
  /** Returns the state of the object that the passes reconcile. */
  readonly getStage: (object: KubernetesObject | undefined) => ReconcileStage;
  /** Returns the unmet prerequisite of a request that creates or resumes an object, if any. */
  readonly waitsFor?: (
    state: readonly KubernetesObject[],
    request: TestApiRequest,
  ) => Prerequisite | undefined;
  /** The kind of the reconciled object. */
  readonly kind: "JobSet" | "Pod";
  /** Reports whether a new object is unknown to JobSet. */
  readonly isAdditional?: (object: KubernetesObject, state: readonly KubernetesObject[]) => boolean;
  /** Returns the owner of a field, by the kind and the path of a leaf. */
  readonly getOwner?: (kind: string, path: string) => MemberOwner;
  /** Whether all objects that are due for deletion must be deleted in one pass, each after its required update. */
  readonly deletesTogether: boolean;
}

/** What a Job waits for before it may start. */
export interface Prerequisite {
  /** The code of a violation by a Job that does not wait. */
  readonly code: ViolationCode;
  /** What the Job waits for, as part of a message. */
  readonly text: string;
}

/**
 * The owner of a field: JobSet decides about it, another client does, or any client may add the field and then owns it.
 */
export type MemberOwner = "JobSet" | "Others" | "Anybody";
