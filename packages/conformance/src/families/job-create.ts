import type { Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { validateJob } from "@jobset-ts/crd/job";
import { type Difference, findDifferences } from "../compare.ts";
import type { Family, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";

interface Input {
  readonly job: Unvalidated<Job>;
}

interface FoundError {
  readonly type: string;
  readonly field: string;
  readonly detail: string;
}

interface Output {
  /** The HTTP status: 201 if the server accepts the Job. */
  readonly code: number;
  readonly errors: readonly FoundError[];
  /** The number of errors that our response omits. */
  readonly omitted?: number;
}

/** Replays the validation of a new Job by the API server. `npm run e2e -- record-jobs` records it. */
export const jobCreate: Family = { family: "job.create", replay, compare };

function replay(recorded: unknown): ReplayResult {
  const { job } = readRecordedInput<Input>(recorded, ["job"]);
  const { errors: told, omitted, count } = validateJob(job);
  const errors = told.map(({ type, field, body }) => ({ type, field, detail: body }));
  return { output: { code: count === 0 ? 201 : 422, errors, omitted } };
}

function compare(expected: unknown, actual: unknown): readonly Difference[] {
  const [recorded, { omitted = 0, ...ours }] = [expected as Output, actual as Output];
  const shown = recorded.errors.slice(0, recorded.errors.length - omitted);
  return findDifferences(
    { ...recorded, errors: sortMapErrors(shown).map(withoutLongValue) },
    { ...ours, errors: sortMapErrors(ours.errors).map(withoutLongValue) },
  );
}

const MAX_DETAIL = 10_000;

/** Our messages contain only the start of a very long value. */
function withoutLongValue(error: FoundError): FoundError {
  const { detail } = error;
  if (detail.length <= MAX_DETAIL) return error;
  return { ...error, detail: detail.slice(detail.lastIndexOf(": ")) };
}

/** Go visits the keys of a map in a random order, so the errors about one map are sorted. */
function sortMapErrors(errors: readonly FoundError[]): readonly FoundError[] {
  const sorted: FoundError[] = [];
  for (let start = 0; start < errors.length; ) {
    let end = start + 1;
    while (end < errors.length && getMapPath(errors[end]) === getMapPath(errors[start])) end += 1;
    const run = errors.slice(start, end);
    if (getMapPath(errors[start]) !== undefined) {
      run.sort((one, other) => compareBytes(JSON.stringify(one), JSON.stringify(other)));
    }
    sorted.push(...run);
    start = end;
  }
  return sorted;
}

const maps =
  /^.*?\.(annotations|labels|limits|matchLabels|nodeSelector|options|overhead|requests)(?=[.[]|$)/;

/** Returns the path of the map that contains the field of an error. */
function getMapPath(error: FoundError | undefined): string | undefined {
  return maps.exec(error?.field ?? "")?.[0];
}
