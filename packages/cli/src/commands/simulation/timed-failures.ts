import { asArray, getControllerOf, type Pod, type PodStatus } from "@jobset-ts/api/kubernetes";
import { START_TIME, type StepResult } from "@jobset-ts/sim/kernel";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { toSeconds } from "./virtual-time.ts";

/** A Job and when its first Pod fails, in milliseconds since the run began. */
export interface TimedFailure {
  readonly job: string;
  readonly at: number;
}

/** What is seen of the Pods of a Job that is to fail. */
interface PodObservations {
  /** When the first one ran, and when the last change of one was that has run; in milliseconds since 1970. */
  ran?: { readonly from: number; readonly until: number };
  /** When containers of one failed. */
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

  /** Which of them did not, and when they could have. */
  unmet(): readonly Diagnostic[] {
    return this.#failures.flatMap(({ job, at }): readonly Diagnostic[] => {
      const { ran, failedAt } = this.#jobs.get(job) as PodObservations;
      if (failedAt.has(START_TIME + at)) return [];
      const when =
        ran === undefined
          ? "none ever did"
          : `they did from ${toSeconds(ran.from)} to ${toSeconds(ran.until)}`;
      const message = `--fail ${job}@${toSeconds(START_TIME + at)}: no Pod of it ran then; ${when}`;
      return [{ severity: "error", message }];
    });
  }
}

/** Whether a container has ended with an error, and may be started again. */
function hasFailed(before: Pod | undefined, { status }: Pod): boolean {
  return (
    countRestarts(status) > countRestarts(before?.status) ||
    asArray(status?.containerStatuses).some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  );
}

function countRestarts(status: PodStatus | undefined): number {
  return asArray(status?.containerStatuses).reduce((sum, one) => sum + (one.restartCount ?? 0), 0);
}
