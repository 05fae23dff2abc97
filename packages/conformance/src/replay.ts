import type { Release } from "@jobset-ts/releases";
import { type Difference, findDifferences } from "./compare.ts";
import { textComparisonFor } from "./decoder-messages.ts";
import type { Family, QuirkMode, ReplayContext } from "./families/family.ts";
import { withoutGoArtefacts } from "./normalise.ts";
import type { RecordedCase } from "./read-cases.ts";
import { comparableOutputs, toReleaseCase } from "./releases/release-case.ts";
import type { ReleaseOutput } from "./releases/release-outputs.ts";
import { getSetAsideTag } from "./set-aside.ts";
import type { FamilyTally, Tally } from "./tally.ts";

/** The settings of a replay. */
export interface ReplayOptions {
  readonly families: ReadonlyMap<string, Family>;
  readonly notYetCovered: ReadonlySet<string>;
  readonly quirks: QuirkMode;
  /** The number of differing cases to keep per family. */
  readonly differences: number;
}

/** A release, and its recorded output for a case if it differs from main's. */
export interface ReleaseCase {
  readonly release: Release;
  readonly recorded?: ReleaseOutput;
}

/**
 * Replays one recorded decision and counts the result.
 *
 * @param ofRelease - replays the decision of a release instead of main's
 */
export function replayCase(
  main: RecordedCase,
  options: ReplayOptions,
  tally: Tally,
  ofRelease?: ReleaseCase,
) {
  const recorded = ofRelease === undefined ? main : toReleaseCase(main, ofRelease);
  const family = options.families.get(recorded.family);
  if (family === undefined) {
    const isAwaited = options.notYetCovered.has(recorded.family);
    tally.of(recorded.family, isAwaited ? "NotYetCovered" : "Unknown").unanswered += 1;
    return;
  }
  const name = ofRelease?.release.name;
  const counts = tally.of(name ? `${recorded.family} ${name}` : recorded.family, "Answered");
  const comparison = judge(family, recorded, options.quirks, ofRelease?.release);
  const tag = getSetAsideTag(recorded.tags);
  if (tag !== undefined) {
    tally.countSetAside(tag, comparison.differences.length === 0);
  } else {
    count(recorded, comparison, counts, options.differences);
  }
}

interface Comparison {
  readonly differences: readonly Difference[];
  /** The quirks that explain the differences. Empty if none do. */
  readonly explainedBy: readonly string[];
}

/** A function that throws is as wrong as one that returns a different result. */
function judge(
  family: Family,
  recorded: RecordedCase,
  quirks: QuirkMode,
  release: Release | undefined,
): Comparison {
  const context: ReplayContext = { quirks: release?.quirks ?? quirks, tags: recorded.tags };
  try {
    const replayed = family.replay(recorded.input, context);
    const compare = family.compare ?? compareOutputs;
    const { expected, actual } = release
      ? comparableOutputs(recorded, replayed.output, release)
      : { expected: recorded.output, actual: replayed.output };
    return {
      differences: compare(expected, actual, recorded),
      explainedBy: quirks === "none" ? (replayed.explainedBy ?? []) : [],
    };
  } catch (error) {
    return {
      differences: [{ path: "replay", text: `threw ${errorText(error)}` }],
      explainedBy: [],
    };
  }
}

/** The default comparison: without the additions of Go's encoder, and exact except for decoder messages. */
function compareOutputs(
  expected: unknown,
  actual: unknown,
  { tags }: Pick<RecordedCase, "tags">,
): readonly Difference[] {
  return findDifferences(withoutGoArtefacts(expected), withoutGoArtefacts(actual), {
    sameText: textComparisonFor(tags),
  });
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function count(recorded: RecordedCase, comparison: Comparison, counts: FamilyTally, keep: number) {
  if (comparison.differences.length === 0) {
    counts.agreeing += 1;
  } else if (comparison.explainedBy.length > 0) {
    const quirks = comparison.explainedBy.join(" and ");
    counts.explained.set(quirks, (counts.explained.get(quirks) ?? 0) + 1);
  } else {
    counts.differing += 1;
    if (counts.shown.length < keep) {
      const { id, tags } = recorded;
      counts.shown.push({ id, tags, differences: comparison.differences });
    }
  }
}
