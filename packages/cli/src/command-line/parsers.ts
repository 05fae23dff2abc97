import { type EpochMillis, parseTime } from "@jobset-ts/api";
import { validateDNS1123Label, validateLabelValue } from "@jobset-ts/api/kubernetes";
import { suggestName } from "@jobset-ts/api/text";
import { InvalidArgumentError } from "commander";
import type { FieldValidation } from "../admission/field-validation.ts";
import type { Shard } from "../commands/explore/explore-all.ts";
import type { JobFailure } from "../commands/simulation/job-failure.ts";
import type { TimedFailure } from "../commands/simulation/timed-failures.ts";
import type { QuirksName } from "../jobset-version/quirks.ts";
import { parseJsonPath } from "../output/jsonpath.ts";
import type { Output } from "../output/report.ts";

/** Collects the values of a repeatable option. */
export function collect(file: string, before: readonly string[] = []): readonly string[] {
  return [...before, file];
}

/** Parses one of the formats, or `jsonpath=` and a template. */
export function parseOutput(formats: readonly string[]): (text: string) => Output {
  return (text) => {
    const [, template] = /^jsonpath=(.*)$/s.exec(text) ?? [];
    if (template !== undefined) {
      const read = parseJsonPath(template);
      if (read.ok) return { jsonPath: read.value };
      throw new InvalidArgumentError(`${read.message}.`);
    }
    if (formats.includes(text)) return text as Exclude<Output, object>;
    throw new InvalidArgumentError(
      `Allowed choices are ${formats.join(", ")}.${suggestName(text, formats)}`,
    );
  };
}

/** Parses an RFC 3339 time. */
export function parseNow(text: string): EpochMillis {
  const now = parseTime(text);
  if (now !== undefined) return now;
  throw new InvalidArgumentError("A time is like 2026-02-07T06:56:19Z.");
}

/** Parses a rate, which is not negative. 0 means no limit. */
export function parseRate(text: string): number {
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("A rate is a number like 500 or 0.5.");
}

/** Parses `workers=16`, and adds it to the previous values. */
export function parseScale(
  text: string,
  before: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, name = "", podCount] = /^([^=]+)=(\d{1,9})$/.exec(text) ?? [];
  if (podCount !== undefined) return { ...before, [name]: Number(podCount) };
  throw new InvalidArgumentError(
    "The value must be the name of a ReplicatedJob and a number, as in workers=16.",
  );
}

/** Parses `upstream` or `none`. */
export function parseQuirks(text: string): QuirksName {
  if (text === "upstream" || text === "none") return text;
  throw new InvalidArgumentError("Quirks are either upstream or none.");
}

/** Parses `train-w-0@2026-02-07T06:56:19Z=PodFailurePolicy:exit code 3`, and adds it to the previous values. */
export function parseFailure(
  text: string,
  before: readonly JobFailure[] = [],
): readonly JobFailure[] {
  const form = /^(?<job>[^@=]+)(?:@(?<time>[^=]+))?(?:=(?<reason>[^:]*)(?::(?<message>.*))?)?$/s;
  const { job, time, reason, message = "" } = form.exec(text)?.groups ?? {};
  const at = time === undefined ? undefined : parseTime(time);
  if (job === undefined || reason === "" || (time !== undefined && at === undefined)) {
    throw new InvalidArgumentError(
      "A failure is JOB[@TIME][=REASON[:MESSAGE]], as in train-w-0@2026-02-07T06:56:19Z=PodFailurePolicy.",
    );
  }
  // The default reason of a failure: too many Pods have failed.
  const failure = { job, reason: reason ?? "BackoffLimitExceeded", message };
  return [...before, at === undefined ? failure : { ...failure, at }];
}

/** Parses the values that kubectl's flag `--validate` accepts. */
export function parseValidate(text: string): FieldValidation {
  const validations = new Map<string, FieldValidation>([
    ["strict", "strict"],
    ["true", "strict"],
    ["warn", "warn"],
    ["ignore", "ignore"],
    ["false", "ignore"],
  ]).get(text);
  if (validations !== undefined) return validations;
  throw new InvalidArgumentError("The value must be strict (or true), warn, or ignore (or false).");
}

/** A namespace is a DNS-1123 label. */
export function parseNamespace(text: string): string {
  if (validateDNS1123Label(text).length === 0) return text;
  throw new InvalidArgumentError(
    "A namespace is up to 63 of a-z, 0-9 and -, and does not start or end with -.",
  );
}

/** A UID becomes a label value, so it must be a valid one. */
export function parseUid(text: string): string {
  if (text !== "" && validateLabelValue(text).length === 0) return text;
  throw new InvalidArgumentError(
    "A UID is up to 63 letters, digits, -, _ and ., and starts and ends with a letter or digit.",
  );
}

/** Parses `workers-1@40s`, and adds it to the previous values. */
export function parseTimedFailure(
  text: string,
  before: readonly TimedFailure[] = [],
): readonly TimedFailure[] {
  const at = text.lastIndexOf("@");
  const [job, millis] = [text.slice(0, at), parseDuration(text.slice(at + 1))];
  if (at > 0 && millis !== undefined) return [...before, { job, at: millis }];
  throw new InvalidArgumentError("The value must be a Job and a time, as in workers-1@40s.");
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `1m30s` or `500ms`, in milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(ms|s|m|h)/g);
  let sum = 0;
  for (const [, count, unit = ""] of parts) sum += Number(count) * (UNITS[unit] ?? 0);
  return Math.round(sum);
}

/** Returns a parser of integers from `least` to `most`. */
export function parseCount(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d{1,9}$/.test(text) && count >= least && count <= most) return count;
    throw new InvalidArgumentError(`The value must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses `0/8`. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (count !== undefined && Number(index) < Number(count)) {
    return { index: Number(index), count: Number(count) };
  }
  throw new InvalidArgumentError("A shard is like 0/8. The last of these shards is 7/8.");
}

/**
 * Returns the shard of a Pod of an Indexed Job: its completion index and the number of shards in `JOBSET_SHARDS`.
 *
 * @returns `undefined` if the variables are not set or are invalid
 */
export function readPodShard(env: Readonly<Record<string, string | undefined>>): Shard | undefined {
  const { JOB_COMPLETION_INDEX: index, JOBSET_SHARDS: count } = env;
  if (index === undefined || count === undefined) return undefined;
  try {
    return parseShard(`${index}/${count}`);
  } catch {
    return undefined;
  }
}
