import type { Diagnosis } from "./diagnose.ts";

/**
 * How long to wait for a JobSet to come to rest, in seconds. Pods that were refused are made again up to 60 s later, so that
 * a deadline for exclusive placement lies above that.
 */
export interface SettleOptions {
  /** At least 0. */
  readonly deadlineSeconds: number;
  /** At least 1, lest no time pass. */
  readonly intervalSeconds: number;
}

/** Where the wait for a JobSet stands. */
export type JobSetSettleState =
  /** A diagnosis of a new snapshot is wanted. */
  | (SettleCounts & { readonly phase: "AwaitDiagnosis" })
  /** `intervalSeconds` are to pass. */
  | (SettleCounts & { readonly phase: "AwaitTick" })
  | (SettleCounts & {
      readonly phase: "Done";
      readonly because: SettleEnd;
      /** The last one, and no other. */
      readonly diagnosis?: Diagnosis;
      readonly message?: string;
    });

interface SettleCounts {
  readonly options: SettleOptions;
  /** The intervals waited for, whatever the clock did. */
  readonly waitedSeconds: number;
  /** The diagnoses received. */
  readonly attempt: number;
}

/** Why a wait ended: it came to rest, failed for good, took too long, could not be looked at, or never made sense. */
type SettleEnd = "Settled" | "Failed" | "Deadline" | "SnapshotError" | "BadOptions";

/** What may happen during a wait. */
export type JobSetSettleInput =
  | { readonly input: "Diagnosis"; readonly diagnosis: Diagnosis }
  | { readonly input: "SnapshotError"; readonly message: string }
  /** An interval has passed. */
  | { readonly input: "Tick" };

/**
 * The start of a wait.
 *
 * @returns `Done` with `BadOptions` where the wait would never end or never begin
 * @example startSettling({ deadlineSeconds: 60, intervalSeconds: 0 }).phase // => "Done"
 */
export function startSettling(options: SettleOptions): JobSetSettleState {
  const counts = { options, waitedSeconds: 0, attempt: 0 };
  const { deadlineSeconds, intervalSeconds } = options ?? {};
  const areGood =
    Number.isFinite(deadlineSeconds) &&
    Number.isFinite(intervalSeconds) &&
    deadlineSeconds >= 0 &&
    intervalSeconds >= 1;
  if (areGood) return { ...counts, phase: "AwaitDiagnosis" };
  const message = "deadlineSeconds must be at least 0, and intervalSeconds at least 1";
  return { ...counts, phase: "Done", because: "BadOptions", message };
}

/**
 * The wait after something has happened: a state machine that keeps neither clock nor snapshots.
 *
 * It ends when the JobSet has finished or failed, when it is on its way with every Pod there, or at the deadline. So at most
 * `ceil(deadlineSeconds / intervalSeconds) + 1` diagnoses are asked for.
 *
 * @returns the same state for what cannot happen in it, and for anything once the wait is over
 * @example
 * import { contextOf, snapshotOf } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } };
 * const diagnosis = diagnose(snapshotOf([jobSet], { kinds: "all" }), jobSet, contextOf({ now: 0 }));
 * const start = startSettling({ deadlineSeconds: 5, intervalSeconds: 5 });
 * const waiting = settleJobSet(start, { input: "Diagnosis", diagnosis });
 * const again = settleJobSet(waiting, { input: "Tick" });
 * const end = settleJobSet(again, { input: "Diagnosis", diagnosis });
 * [waiting.phase, again.phase, end.phase, end.waitedSeconds] // => ["AwaitTick", "AwaitDiagnosis", "Done", 5]
 */
export function settleJobSet(
  state: JobSetSettleState,
  input: JobSetSettleInput,
): JobSetSettleState {
  const { options, waitedSeconds, attempt } = state;
  switch (state.phase) {
    case "Done":
      return state;
    case "AwaitTick":
      if (input?.input !== "Tick") return state;
      return {
        options,
        attempt,
        phase: "AwaitDiagnosis",
        waitedSeconds: waitedSeconds + options.intervalSeconds,
      };
    case "AwaitDiagnosis": {
      const counts = { options, waitedSeconds, attempt: attempt + 1 };
      if (input?.input === "SnapshotError") {
        return { ...counts, phase: "Done", because: "SnapshotError", message: input.message };
      }
      if (input?.input !== "Diagnosis") return state;
      const { diagnosis } = input;
      const because = endOf(diagnosis, waitedSeconds >= options.deadlineSeconds);
      return because === undefined
        ? { ...counts, phase: "AwaitTick" }
        : { ...counts, phase: "Done", because, diagnosis };
    }
  }
}

function endOf(diagnosis: Diagnosis, isOver: boolean): SettleEnd | undefined {
  const { status, numbers } = diagnosis;
  if (status === "failed") return "Failed";
  if (status === "finished") return "Settled";
  if (status === "progressing" && numbers.missing === 0) return "Settled";
  return isOver ? "Deadline" : undefined;
}
