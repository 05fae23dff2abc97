import { asArray, getControllerOf, type Pod, type PodStatus } from "@jobset-ts/api/kubernetes";
import { START_TIME, type StepResult } from "@jobset-ts/sim/kernel";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { toSeconds } from "./virtual-time.ts";

/** A Job and the time when its first Pod fails, in milliseconds since the start of the run. */
export interface TimedFailure {
  readonly job: string;
  readonly at: number;
}

/** The observed Pods of a Job that must fail. */
interface PodObservations {
  /**
   * The time at which the first Pod ran, and the time of the last change of a Pod that has run, in milliseconds since
   * 1970.
   */
  ran?: { readonly from: number; readonly until: number };
  /** The times when containers of a Pod failed. */
  readonly failedAt: Set<number>;
}

/** Checks during a run whether the requested failures happen. */
export class FailureWatch {
  readonly #failures: readonly TimedFailure[];
  readonly #jobs: ReadonlyMap<string, PodObservations>;

  /** @param failures - of Jobs by their own names */
  constructor(failures: readonly TimedFailure[]) {
    this.#failures = failures;
    this.#jobs = new Map(failures.map(({ job }) => [job, { failedAt: new Set() }]));
  }

  onTurn({ changes }: StepResult): void {
    if (this.#jobs.size === 0) return;
    for (const { at, actor, before, after } of changes) {
      if (after?.kind !== "Pod" || actor !== "kubelet") continue;
      const pod = after as unknown as Pod;
      const seen = this.#jobs.get(getControllerOf(pod)?.name ?? "");
      if (seen === undefined) continue;
      seen.ran = { from: seen.ran?.from ?? at, until: at };
      if (hasFailed(before as Pod | undefined, pod)) seen.failedAt.add(at);
    }
  }

  /** Returns the failures that did not happen, and when they were possible. */
  listMissedFailures(): readonly Diagnostic[] {
    return this.#failures.flatMap(({ job, at }): readonly Diagnostic[] => {
      const { ran, failedAt } = this.#jobs.get(job) as PodObservations;
      if (failedAt.has(START_TIME + at)) return [];
      const when =
        ran === undefined
          ? "no Pod of it ever ran"
          : `its Pods ran from ${toSeconds(ran.from)} to ${toSeconds(ran.until)}`;
      const message = `--fail ${job}@${toSeconds(START_TIME + at)}: no Pod of the Job ran at this time; ${when}`;
      return [{ severity: "error", message }];
    });
  }
}

/** Returns whether a container has ended with an error. It may be restarted. */
function hasFailed(before: Pod | undefined, { status }: Pod): boolean {
  return (
    countRestarts(status) > countRestarts(before?.status) ||
    asArray(status?.containerStatuses).some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  );
}

function countRestarts(status: PodStatus | undefined): number {
  return asArray(status?.containerStatuses).reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
}
