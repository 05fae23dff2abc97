import { suggestName } from "@jobset-ts/api/text";
import { type Fault, faultNames } from "@jobset-ts/sim";
import { InvalidArgumentError } from "commander";
import type { Shard } from "../commands/explore/explore-all.ts";
import type { TimedFailure } from "../commands/simulation/timed-failures.ts";

/** Reads `workers-1@40s`, and adds it to those before. */
export function parseTimedFailure(
  text: string,
  before: readonly TimedFailure[] = [],
): readonly TimedFailure[] {
  const at = text.lastIndexOf("@");
  const [job, millis] = [text.slice(0, at), durationOf(text.slice(at + 1))];
  if (at > 0 && millis !== undefined) return [...before, { job, at: millis }];
  throw new InvalidArgumentError("It is a Job and a time, as in workers-1@40s.");
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a text such as `1m30s` or `500ms`. */
function durationOf(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(ms|s|m|h)/g);
  let sum = 0;
  for (const [, count, unit = ""] of parts) sum += Number(count) * (UNITS[unit] ?? 0);
  return Math.round(sum);
}

/** Reads a whole number from `least` up to `most`. */
export function parseCount(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (/^\d{1,9}$/.test(text) && count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** Reads `0/8`. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (count !== undefined && Number(index) < Number(count)) {
    return { index: Number(index), count: Number(count) };
  }
  throw new InvalidArgumentError("A shard is like 0/8, and the last one of these is 7/8.");
}

/**
 * The shard of a Pod of an Indexed Job: its completion index, of as many as `JOBSET_SHARDS` says.
 *
 * @returns `undefined` where the environment says neither, or what is no shard
 */
export function shardOfPod(env: Readonly<Record<string, string | undefined>>): Shard | undefined {
  const { JOB_COMPLETION_INDEX: index, JOBSET_SHARDS: count } = env;
  if (index === undefined || count === undefined) return undefined;
  try {
    return parseShard(`${index}/${count}`);
  } catch {
    return undefined;
  }
}

/** Reads `Crash,HoldBack`. */
export function parseFaults(text: string): readonly Fault["fault"][] {
  const names = text.split(",");
  const known = faultNames.filter((name) => names.includes(name));
  if (known.length === new Set(names).size) return known;
  const unknown = names.find((name) => !faultNames.some((fault) => fault === name)) ?? "";
  throw new InvalidArgumentError(
    `Faults are ${faultNames.join(", ")}.${suggestName(unknown, faultNames)}`,
  );
}
