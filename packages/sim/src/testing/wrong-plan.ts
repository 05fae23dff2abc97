import type { JobSet, JobSetStatus } from "@jobset-ts/api";
import type { ObjectMeta } from "@jobset-ts/api/kubernetes";
import type { DeleteEffect, Effect, Plan, Step } from "@jobset-ts/core";

const IDLE: Partial<Plan> = { steps: [], events: [], metrics: [], decisions: [] };

/** Without what a plan does, and without the status that it would write. */
export function idle({ status: _, ...plan }: Plan): Plan {
  return { ...plan, ...IDLE };
}

/** A plan that does nothing but write a status. */
export function saying(plan: Plan, { metadata }: JobSet, status: JobSetStatus): Plan {
  const { apiVersion, kind, namespace, name } = plan.jobSet;
  const effect = {
    verb: "updateStatus",
    target: { apiVersion, kind, namespace, name },
    object: { apiVersion, kind, metadata, status },
    changes: [{ path: ["status"], value: status }],
  } as Effect;
  return { ...plan, status, steps: [{ ...getStep([effect]), phase: "write-status" } as Step] };
}

/** A plan that writes another status, if it writes any. */
export function copyStatus(plan: Plan, status: JobSetStatus): Plan {
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

/** A step that does something to what the JobSet `train` has, in a phase that deletes. */
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

/** A creation of something that gets other metadata. */
export function madeWith(
  effect: Effect & { verb: "create" },
  change: (metadata: ObjectMeta) => ObjectMeta,
): Effect {
  const { object } = effect;
  return { ...effect, object: { ...object, metadata: change(object.metadata) } as typeof object };
}

/** What deletes an object in the background, whatever has its name unless a UID is given. */
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

/** The same in the foreground: what is deleted stays until all is gone that it controls. */
export function foreground(effect: DeleteEffect): DeleteEffect {
  return { ...effect, propagationPolicy: "Foreground" };
}

/** An object whose spec asks for another number of completions. */
export function withCompletions(object: object, completions: number): object {
  return { ...object, spec: { ...(object as { spec: object }).spec, completions } };
}
