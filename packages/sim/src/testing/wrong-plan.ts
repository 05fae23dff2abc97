import type { JobSet, JobSetStatus } from "@jobset-ts/api";
import type { ObjectMeta } from "@jobset-ts/api/kubernetes";
import type { DeleteEffect, Effect, Plan, Step } from "@jobset-ts/core";

const IDLE: Partial<Plan> = { steps: [], events: [], metrics: [], decisions: [] };

/** Removes the steps and the status of a plan. */
export function withoutActions({ status: _, ...plan }: Plan): Plan {
  return { ...plan, ...IDLE };
}

/** Returns a plan that only writes a status. */
export function withStatusOnly(plan: Plan, { metadata }: JobSet, status: JobSetStatus): Plan {
  const { apiVersion, kind, namespace, name } = plan.jobSet;
  const effect = {
    verb: "updateStatus",
    target: { apiVersion, kind, namespace, name },
    object: { apiVersion, kind, metadata, status },
    changes: [{ path: ["status"], value: status }],
  } as Effect;
  return { ...plan, status, steps: [{ ...getStep([effect]), phase: "write-status" } as Step] };
}

/** Replaces the status that a plan writes, if it writes one. */
export function replaceStatus(plan: Plan, status: JobSetStatus): Plan {
  return {
    ...plan,
    status,
    steps: plan.steps.map((step) =>
      step.phase === "write-status"
        ? {
            ...step,
            effects: step.effects.map(
              (one) =>
                ({ ...one, object: { ...(one as { object: object }).object, status } }) as Effect,
            ),
          }
        : step,
    ),
  };
}

/** Returns a step with effects on the JobSet `train`, in a phase that deletes. */
export function getStep(effects: readonly Effect[]): Step {
  return {
    phase: "delete-previous",
    rule: "EarlierRestartAttempt",
    object: { kind: "JobSet", name: "train" },
    message: "",
    effects,
    concurrency: 1,
    onError: "Continue",
    dependsOn: [],
  };
}

/** Returns a create effect with changed metadata. */
export function changeMetadata(
  effect: Effect & { verb: "create" },
  change: (metadata: ObjectMeta) => ObjectMeta,
): Effect {
  const { object } = effect;
  return { ...effect, object: { ...object, metadata: change(object.metadata) } as typeof object };
}

/** Returns an effect that deletes an object in the background. Without a UID, it deletes any object with the name. */
export function createDeletion({
  uid,
  ...target
}: Effect["target"] & { uid?: string }): DeleteEffect {
  return {
    verb: "delete",
    target,
    propagationPolicy: "Background",
    onNotFound: "Succeed",
    ...(uid !== undefined && { uid }),
  };
}

/**
 * Returns the effect with foreground deletion: the object remains until all its dependents are
 * deleted.
 */
export function withForegroundDeletion(effect: DeleteEffect): DeleteEffect {
  return { ...effect, propagationPolicy: "Foreground" };
}

/** Returns an object with another number of completions in its spec. */
export function withCompletions(object: object, completions: number): object {
  return { ...object, spec: { ...(object as { spec: object }).spec, completions } };
}
