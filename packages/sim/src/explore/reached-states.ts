import type { JobSet } from "@jobset-ts/api";
import { asArray } from "@jobset-ts/api/kubernetes";
import type { StepResult } from "../kernel/advance.ts";

/**
 * Returns the kinds of states that JobSets reach by a turn: their conditions, the number of restarts, and for each
 * ReplicatedJob whether no Job, one or several are ready, active and so on.
 */
export function listReachedStates({ changes }: StepResult): readonly string[] {
  return changes.flatMap(({ after }) =>
    after?.kind === "JobSet" ? [getState(after as unknown as JobSet)] : [],
  );
}

function getState({ metadata, spec, status }: JobSet): string {
  const conditions = asArray(status?.conditions).map(
    ({ type, status: value, reason }) => `${type}=${value}/${reason}`,
  );
  const jobs = asArray(status?.replicatedJobsStatus).map(
    ({ ready = 0, succeeded = 0, failed = 0, active = 0, suspended = 0 }) =>
      [ready, succeeded, failed, active, suspended].map((count) => Math.min(count, 2)).join(""),
  );
  const flags = [spec.suspend === true, metadata.deletionTimestamp !== undefined];
  return [status?.restarts ?? 0, ...flags, ...conditions, ...jobs].join(" ");
}
