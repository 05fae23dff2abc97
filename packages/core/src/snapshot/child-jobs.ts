import type { Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { asArray } from "../jobset-members.ts";
import { type ChildJob, createChildJob, type JobSummary, sameTraits } from "./child-job.ts";

/** Child Jobs with equal summaries: a pass decides for all of them at once, except for their indexes. */
export interface JobGroup {
  readonly traits: JobSummary;
  /** In list order. Never empty. */
  readonly jobs: readonly ChildJob[];
  readonly lowestIndex: number;
  readonly highestIndex: number;
}

/** Consecutive Jobs of a list, or those of some of their groups. */
export interface JobRun {
  /** All Jobs of that part of the list. */
  readonly within: readonly ChildJob[];
  /** In the order of their first Jobs. */
  readonly groups: readonly JobGroup[];
}

/**
 * A list of child Jobs in short runs. Jobs of one run with equal summaries form a group, so that a pass over thousands
 * of Jobs reads a few groups. An unchanged run is not read again after a change.
 *
 * @example
 * const jobs: ChildJobs = readChildJobs([{ metadata: { name: "train-w-0" } }, { metadata: { name: "train-w-1" } }]);
 * [jobs.size, jobs.groups.length, jobs.list()[1]?.nameIndex] // => [2, 1, 1]
 */
export class ChildJobs {
  readonly #runs: readonly JobRun[];
  readonly groups: readonly JobGroup[];
  readonly size: number;
  #list: readonly ChildJob[] | undefined;

  private constructor(runs: readonly JobRun[]) {
    const groups: JobGroup[] = [];
    let size = 0;
    for (const run of runs) {
      for (const group of run.groups) {
        groups.push(group);
        size += group.jobs.length;
      }
    }
    this.#runs = runs;
    this.groups = groups;
    this.size = size;
  }

  /** @param runs - in the order of the list */
  static of(runs: readonly JobRun[]): ChildJobs {
    return new ChildJobs(runs);
  }

  /** Returns all Jobs in list order. */
  list(): readonly ChildJob[] {
    const [only, ...others] = this.#runs;
    this.#list ??= only && others.length === 0 ? listJobs(only) : joinRuns(this.#runs);
    return this.#list;
  }

  /** Returns the Jobs of the matching groups. */
  filter(isWanted: (group: JobGroup) => boolean): ChildJobs {
    return this.groups.every(isWanted) ? this : this.split(isWanted)(true);
  }

  /** Partitions the groups by a key. */
  split<Sort>(sortOf: (group: JobGroup) => Sort): (sort: Sort) => ChildJobs {
    const sorts = this.groups.map(sortOf);
    const [first] = sorts;
    if (sorts.every((sort) => sort === first)) {
      return (sort) => (sort === first ? this : new ChildJobs([]));
    }
    const runsOfSort = new Map<Sort, JobRun[]>();
    let place = 0;
    for (const { within, groups } of this.#runs) {
      const groupsOfSort = new Map<Sort, JobGroup[]>();
      for (const group of groups) append(groupsOfSort, sorts[place++] as Sort, group);
      for (const [sort, some] of groupsOfSort) append(runsOfSort, sort, { within, groups: some });
    }
    return (sort) => new ChildJobs(runsOfSort.get(sort) ?? []);
  }

  /** Returns the same Jobs. In runs with a group that cannot be decided as a whole, groups are split into single Jobs. */
  apart(isOne: (group: JobGroup) => boolean): ChildJobs {
    if (this.groups.every(isOne)) return this;
    return new ChildJobs(
      this.#runs.map((run) =>
        run.groups.every(isOne)
          ? run
          : { within: run.within, groups: listJobs(run).map((child) => getGroup([child], child)) },
      ),
    );
  }

  /** Returns the same Jobs with some replaced by versions with the same summary. */
  map(versionOf: (child: ChildJob) => ChildJob): ChildJobs {
    return new ChildJobs([createRun(this.list().map(versionOf))]);
  }
}

/**
 * Reads Jobs, as `Snapshot.readChildJobs` does.
 *
 * @param jobs - of one JobSet, with distinct names
 * @example readChildJobs([{ metadata: { name: "train-w-0" } }]).size // => 1
 */
export function readChildJobs(jobs: readonly Unvalidated<Job>[]): ChildJobs {
  return ChildJobs.of([readRun(asArray(jobs))]);
}

/**
 * Reads consecutive Jobs of a list.
 *
 * @param before - the earlier result, before Jobs were added, changed or removed: the others are not read again
 * @param preceding - the result for the preceding Jobs, which probably have the same traits
 */
export function readRun(
  jobs: readonly Unvalidated<Job>[],
  before?: JobRun,
  preceding?: JobRun,
): JobRun {
  const known = new Map(before?.within.map((child) => [child.job, child]));
  let last = preceding?.within.at(-1);
  return createRun(
    // A typed client's list may have holes, which map would keep.
    Array.from(jobs, (job) => {
      last = known.get(job) ?? createChildJob(job, last);
      return last;
    }),
  );
}

function createRun(within: readonly ChildJob[]): JobRun {
  const groups: ChildJob[][] = [];
  let traits: JobSummary | undefined;
  let group: ChildJob[] = [];
  for (const child of within) {
    if (traits === undefined || !sameTraits(traits, child.traits)) {
      traits = child.traits;
      const known = findNearbyGroup(groups, traits);
      group = known ?? [];
      if (known === undefined) groups.push(group);
    }
    group.push(child);
  }
  return { within, groups: groups.flatMap((jobs) => (jobs[0] ? getGroup(jobs, jobs[0]) : [])) };
}

/** The number of recent groups that are searched for a Job's summary. Two groups with the same summary do no harm. */
const NEAR_GROUPS = 8;

function findNearbyGroup(
  groups: readonly ChildJob[][],
  traits: JobSummary,
): ChildJob[] | undefined {
  return groups
    .slice(-NEAR_GROUPS)
    .find(([first]) => first !== undefined && sameTraits(first.traits, traits));
}

function getGroup(jobs: readonly ChildJob[], { traits, nameIndex }: ChildJob): JobGroup {
  let [lowestIndex, highestIndex] = [nameIndex, nameIndex];
  for (const { nameIndex } of jobs) {
    lowestIndex = Math.min(lowestIndex, nameIndex);
    highestIndex = Math.max(highestIndex, nameIndex);
  }
  return { traits, jobs, lowestIndex, highestIndex };
}

/** Returns the Jobs of a run's groups in list order. */
function listJobs({ within, groups }: JobRun): readonly ChildJob[] {
  const [first] = groups;
  if (groups.length === 1 && first) return first.jobs;
  const grouped = new Set(groups.flatMap(({ jobs }) => jobs));
  return within.filter((child) => grouped.has(child));
}

function joinRuns(runs: readonly JobRun[]): readonly ChildJob[] {
  const list: ChildJob[] = [];
  for (const run of runs) for (const child of listJobs(run)) list.push(child);
  return list;
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
