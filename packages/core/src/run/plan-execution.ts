import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { getUid } from "../jobset-members.ts";
import type { Phase } from "../plan/decision-rules.ts";
import type { Effect, EffectError, EffectResult } from "../plan/effects.ts";
import { applyChanges } from "../plan/field-changes.ts";
import type { PlacementPlan, Plan, PlannedEvent, PlannedMetric, Step } from "../plan/plan.ts";
import { toWire } from "../plan/wire-form.ts";
import { EffectQueue, keyText } from "./effect-queue.ts";

/** The next action in the execution of a plan. */
export type RunAction =
  /** Send this request, and pass its result to {@link PlanExecution.settle}. Several requests may be in flight. */
  | { readonly action: "Perform"; readonly request: RunRequest }
  /**
   * Emit this Event now, whatever the outcome: about the JobSet that the status write returned, or about the observed
   * one.
   */
  | {
      readonly action: "Emit";
      readonly event: PlannedEvent;
      readonly jobSet?: Unvalidated<KubernetesObject>;
    }
  /** Wait until a request in flight is settled. */
  | { readonly action: "Wait" }
  | { readonly action: "Done"; readonly outcome: RunOutcome };

/** One request of an execution. */
export interface RunRequest {
  readonly id: number;
  readonly phase: Phase;
  readonly effect: Effect;
}

/** The outcome of an execution. */
export type RunOutcome =
  | {
      readonly ok: true;
      /** The Events to emit now, in this order. */
      readonly events: readonly PlannedEvent[];
      /** The JobSet that the status write returned. The Events are about it. */
      readonly jobSet?: Unvalidated<KubernetesObject>;
      readonly metrics: readonly PlannedMetric[];
      readonly requeueAfterSeconds?: number;
    }
  | {
      readonly ok: false;
      readonly phase: Phase;
      /** All errors, one per line. */
      readonly message: string;
      /**
       * Whether the status write failed with a conflict. This is not a problem: the next pass reads the newer
       * JobSet.
       */
      readonly conflict: boolean;
      /** The metrics to count although the status was not written. */
      readonly metrics: readonly PlannedMetric[];
    };

/**
 * Executes a plan without I/O. It returns the requests that may be sent now, accepts their results, and returns the
 * next requests. Steps run in order. Effects of one step run concurrently up to its limit, and those on one object run
 * one after the other until one fails. After a failed step, only steps that do not depend on it run, and the status and
 * Events of `onFailure` replace those of the plan. A create succeeds if the object exists and may exist. A delete
 * succeeds if the object does not exist or another object has its name. So a plan can be executed twice, or on a newer
 * cluster, without harm.
 *
 * @example
 * const jobSet = { metadata: { name: "train", namespace: "ml", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w", replicas: 1, template: { spec: {} } }] } };
 * const run = new PlanExecution(reconcile(createSnapshot([], { kinds: "all" }), jobSet, createContext({ now: 0 })));
 * const first = run.next();
 * if (first.action === "Perform") run.settle(first.request.id, { ok: false, error: { message: "no" } });
 * const second = run.next();
 * second.action === "Perform" && second.request.phase // => "write-status"
 * if (second.action === "Perform") run.settle(second.request.id, { ok: true });
 * run.next().action // => "Emit"
 * run.next().action // => "Done"
 */
export class PlanExecution {
  readonly #plan: Plan | PlacementPlan;
  /** The objects that the server returned, for later effects on the same object. */
  readonly #returned = new Map<string, Unvalidated<KubernetesObject>>();
  /** The Events that are emitted even if the run fails. */
  readonly #pendingEvents: PlannedEvent[] = [];
  /** The current step and later ones. */
  #steps: Step[];
  #queue: EffectQueue;
  #ids = 0;
  #underWay = new Map<number, number>();
  /** The objects whose change or deletion has failed. */
  readonly #failedObjects = new Set<string>();
  /** The errors of the current step, by effect. */
  #errors = new Map<number, EffectError>();
  /** The phase of the first failed step, and all errors so far. */
  #failed:
    | { readonly phase: Phase; readonly messages: readonly string[]; readonly conflict: boolean }
    | undefined;
  /** Whether an ignored failure suppresses the Events. */
  #isSilent = false;
  /** The metrics to count although the execution failed. */
  #counted: readonly PlannedMetric[] = [];

  constructor(plan: Plan | PlacementPlan) {
    this.#plan = plan;
    this.#steps = [...plan.steps];
    this.#queue = this.#newQueue();
  }

  /** Returns the next action. Each request and each Event is returned once. `Done` is final. */
  next(): RunAction {
    for (;;) {
      const step = this.#steps[0];
      if (step === undefined) return this.#nextEmit() ?? this.#finish();
      const request = this.#nextRequest(step);
      if (request !== undefined) return { action: "Perform", request };
      if (this.#underWay.size > 0) return { action: "Wait" };
      this.#endStep(step);
    }
  }

  /** Records the result of a request. A result without a request in flight is ignored. */
  settle(id: number, result: EffectResult): void {
    const position = this.#underWay.get(id);
    const effect = this.#steps[0]?.effects[position ?? -1];
    if (position === undefined || effect === undefined) return;
    this.#underWay.delete(id);
    if (!result.ok && !isDesiredState(effect, result.error)) {
      this.#errors.set(position, result.error);
      // A create may be repeated, because two policies may request the same PersistentVolumeClaim.
      if (effect.verb !== "create") this.#failedObjects.add(keyText(effect.target));
      return;
    }
    if (result.ok && result.object !== undefined) {
      this.#returned.set(keyText(effect.target), result.object);
    }
    this.#queue.release(position);
  }

  #nextRequest(step: Step): RunRequest | undefined {
    const skips = step.onError === "Stop" && this.#errors.size > 0;
    if (skips || this.#underWay.size >= step.concurrency) return undefined;
    const position = this.#queue.take();
    const effect = step.effects[position ?? -1];
    if (position === undefined || effect === undefined) return undefined;
    this.#ids += 1;
    this.#underWay.set(this.#ids, position);
    return { id: this.#ids, phase: step.phase, effect: this.#rebaseEffect(effect) };
  }

  /** Returns an effect, based on the object that an earlier effect on the same object returned. */
  #rebaseEffect(effect: Effect): Effect {
    if (effect.verb !== "update" && effect.verb !== "updateStatus") return effect;
    const { target, changes } = effect;
    const returned = this.#returned.get(keyText(target));
    if (returned === undefined) return effect;
    // A patch without a precondition may have changed a new object with the same name. Later changes must not apply
    // to that object. They are sent as planned, with the state of the old object, so the server rejects them.
    const [observedUid, uid] = [getUid(effect.object), getUid(returned)];
    if (observedUid !== "" && uid !== "" && uid !== observedUid) return effect;
    // A client may return times as Date, and an object without its kind. The effect is in wire form.
    const { apiVersion, kind } = target;
    const object = { ...applyChanges(returned, changes), apiVersion, kind };
    return { ...effect, object: toWire(object) } as Effect;
  }

  #endStep(step: Step): void {
    this.#steps.shift();
    const { onFailure } = createPass(this.#plan);
    if (step.onError === "Ignore" && this.#errors.size > 0 && !this.#isConflict()) {
      this.#isSilent = true;
    } else if (this.#errors.size > 0) this.#fail(step);
    else if (this.#failed !== undefined && step === onFailure?.step) {
      this.#pendingEvents.unshift(...onFailure.events);
      this.#counted = onFailure.metrics;
    }
    this.#errors = new Map();
    this.#queue = this.#newQueue();
  }

  #fail(step: Step): void {
    const { onFailure, metrics } = createPass(this.#plan);
    const isStatus = step.phase === "write-status";
    const errors = [...this.#errors.entries()]
      .sort(([one], [other]) => one - other)
      .map(([position, { reason, message }]) => {
        return { reason, text: errorText(step, step.effects[position], message) };
      });
    const messages = errors.map(({ text }) => text);
    if (isStatus && this.#failed === undefined) this.#counted = metrics;
    this.#failed = {
      phase: this.#failed?.phase ?? step.phase,
      messages: [...(this.#failed?.messages ?? []), ...messages],
      conflict: isStatus && this.#failed === undefined && this.#isConflict(),
    };
    const { failureEventReason, failureEventText = "<error>", ignoredErrorReasons = [] } = step;
    const reported = errors.filter(({ reason = "" }) => !ignoredErrorReasons.includes(reason));
    if (failureEventReason !== undefined && reported.length > 0) {
      const text = failureEventText.replace("<error>", () =>
        reported.map((error) => error.text).join("\n"),
      );
      this.#pendingEvents.push({ type: "Warning", reason: failureEventReason, message: text });
    }
    this.#steps = this.#steps.filter(({ dependsOn }) => !dependsOn.includes(step.phase));
    if (onFailure === undefined || isStatus || this.#steps.includes(onFailure.step)) return;
    this.#steps.push(onFailure.step);
  }

  /** Reports whether all errors of the current step are conflicts. */
  #isConflict(): boolean {
    return [...this.#errors.values()].every(({ reason }) => reason === "Conflict");
  }

  #newQueue(): EffectQueue {
    return new EffectQueue(this.#steps[0]?.effects ?? [], this.#failedObjects);
  }

  /**
   * Returns the next Event, if any. Events are emitted after the status write: if the next pass reports the same
   * failure about the same version of the JobSet, its Event is the same.
   */
  #nextEmit(): RunAction | undefined {
    const event = this.#pendingEvents.shift();
    const jobSet = this.#getWrittenJobSet();
    return event && { action: "Emit", event, ...(jobSet && { jobSet }) };
  }

  /** Returns the JobSet that the status write returned. A client may return an object without its kind. */
  #getWrittenJobSet(): Unvalidated<KubernetesObject> | undefined {
    const { jobSet } = createPass(this.#plan);
    const written = jobSet && this.#returned.get(keyText(jobSet));
    return written && { ...written, apiVersion: jobSet.apiVersion, kind: jobSet.kind };
  }

  /** All steps are finished or skipped. */
  #finish(): RunAction {
    const { error } = this.#plan;
    // A placement plan consists of steps only.
    const { events, metrics, requeueAfterSeconds } = createPass(this.#plan);
    if (this.#failed !== undefined) {
      const { phase, messages, conflict } = this.#failed;
      return failure({ phase, message: messages.join("\n"), conflict, metrics: this.#counted });
    }
    if (error !== undefined) {
      const { phase, message } = error;
      return failure({ phase, message, conflict: false, metrics: [] });
    }
    const jobSet = this.#getWrittenJobSet();
    return success({
      events: this.#isSilent ? [] : events,
      ...(jobSet && { jobSet }),
      metrics,
      ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }),
    });
  }
}

function createPass(plan: Plan | PlacementPlan): Pick<Plan, "events" | "metrics"> & Partial<Plan> {
  return "jobSet" in plan ? plan : { events: [], metrics: [] };
}

function success(outcome: Omit<Extract<RunOutcome, { ok: true }>, "ok">): RunAction {
  return { action: "Done", outcome: { ok: true, ...outcome } };
}

function failure(outcome: Omit<Extract<RunOutcome, { ok: false }>, "ok">): RunAction {
  return { action: "Done", outcome: { ok: false, ...outcome } };
}

/** Reports whether an error means that the desired state already exists. */
function isDesiredState(effect: Effect, { reason }: EffectError): boolean {
  switch (effect.verb) {
    case "create":
      return effect.onExists === "Succeed" && reason === "AlreadyExists";
    case "delete":
      // A conflict is about the UID: the intended object is gone.
      return (
        effect.onNotFound === "Succeed" &&
        (reason === "NotFound" || (effect.uid !== undefined && reason === "Conflict"))
      );
    default:
      return false;
  }
}

function errorText(step: Step, effect: Effect | undefined, error: string): string {
  const values: Readonly<Record<string, string>> = { name: effect?.target.name ?? "", error };
  return (step.errorText ?? "<error>").replace(
    /<(name|error)>/g,
    (_, key: string) => values[key] ?? "",
  );
}
