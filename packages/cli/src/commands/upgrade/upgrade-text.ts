import { escapeLine, truncate } from "../../output/escape.ts";
import { type Cell, formatTable } from "../../output/table.ts";
import type { BehaviorChange, FeatureGateChange } from "./general-changes.ts";
import type { JobSetDifferences, VersionDifference } from "./version-difference.ts";

/** The result of a comparison of two versions. */
export interface UpgradeComparison {
  readonly jobSets: readonly JobSetDifferences[];
  readonly featureGates: readonly FeatureGateChange[];
  readonly behaviors: readonly BehaviorChange[];
  /** The names of the versions. */
  readonly from: string;
  readonly to: string;
}

/** Formats a comparison: the JobSets, their differences without repetition, the feature gates, and all behaviors. */
export function* formatComparison({
  jobSets,
  featureGates,
  behaviors,
  from,
  to,
}: UpgradeComparison): Generator<string, void, undefined> {
  yield* formatTable(["JOBSET", "CREATION", "RUNNING", "DIFFERENCES"], jobSets.map(formatJobSet));
  const groups = groupDifferences(jobSets);
  if (groups.length > 0) {
    yield "\n";
    yield* formatTable(
      ["WHAT", "WHEN", "OBJECT", "FIELD", from, to, "JOBSETS"],
      groups.map(formatGroup),
    );
  }
  if (featureGates.length > 0) {
    yield "\n";
    yield* formatTable(
      ["FEATURE GATE", from, to],
      featureGates.map((gate) => [gate.name, gate.from, gate.to]),
    );
  }
  if (behaviors.length > 0) yield `\nBehaviors that differ between ${from} and ${to}:\n`;
  for (const one of behaviors) {
    const changes = one.pullRequests.map((number) => `#${number}`).join(", ");
    yield escapeLine(`  ${one.name}${changes === "" ? "" : ` (${changes})`}`);
    yield `\n    ${escapeLine(`${from}: ${one.from}`)}\n    ${escapeLine(`${to}: ${one.to}`)}\n`;
  }
}

function formatJobSet(one: JobSetDifferences): readonly Cell[] {
  const { namespace, name, isRejected, isRestarted, isAffected, differences } = one;
  const running = isRestarted ? "restarts" : isAffected ? "affected" : "unaffected";
  return [
    `${namespace}/${name}`,
    isRejected ? "rejected" : "admitted",
    running,
    differences.length,
  ];
}

interface DifferenceGroup {
  readonly difference: VersionDifference;
  readonly jobSets: readonly string[];
}

/** Groups differences that are equal except for the names of the JobSet and of the ReplicatedJob that fails. */
function groupDifferences(jobSets: readonly JobSetDifferences[]): readonly DifferenceGroup[] {
  const groups = new Map<string, { difference: VersionDifference; jobSets: Set<string> }>();
  for (const { namespace, name, differences } of jobSets) {
    for (const one of differences) {
      const difference = { ...one, situation: formatSituations(one) };
      const key = getGroupKey(difference).replaceAll(name, "*");
      const group = groups.get(key) ?? { difference, jobSets: new Set() };
      group.jobSets.add(`${namespace}/${name}`);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map((group) => ({ ...group, jobSets: [...group.jobSets] }));
}

/** Returns the situations without the ReplicatedJobs whose Jobs fail. */
function formatSituations({ situation }: VersionDifference): string {
  return [...new Set(situation.split(", ").map((one) => one.replace(/ of .*/, "")))].join(", ");
}

/** Texts of conditions and Events quote names of Jobs, so they are not compared. Only their existence matters. */
function getGroupKey({ from, to, ...rest }: VersionDifference): string {
  const isText = rest.category === "Condition" || rest.category === "Event";
  const values = isText ? [from !== undefined, to !== undefined] : [from, to];
  return JSON.stringify([rest, values]);
}

function formatGroup({ difference, jobSets }: DifferenceGroup): readonly Cell[] {
  const { category, situation, object, field, from, to } = difference;
  const [first = ""] = jobSets;
  const more = jobSets.length > 1 ? ` and ${jobSets.length - 1} more` : "";
  return [
    category,
    truncate(situation, MAX_TEXT),
    object,
    field,
    formatValue(from),
    formatValue(to),
    `${first}${more}`,
  ];
}

/** The maximum number of characters of a cell. */
const MAX_TEXT = 60;

function formatValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return truncate(text, MAX_TEXT);
}
