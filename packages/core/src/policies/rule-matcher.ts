import { type FailurePolicyRule, parseTime, type Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job, JobCondition } from "@jobset-ts/api/kubernetes";
import type { ParsedPattern } from "@jobset-ts/go-regexp";
import { compileProgram, PatternBudget, Search, type SearchAllowance } from "@jobset-ts/go-regexp";
import { asArray, asString, getLabel, isObject } from "../jobset-members.ts";

/** A failed Job with the members that failure policy rules read. */
export interface Failure {
  readonly job: Unvalidated<Job>;
  readonly reason: string;
  readonly message: string;
  /** Empty if the Job does not name its ReplicatedJob. */
  readonly replicatedJob: string;
}

/**
 * Returns the failures in the order in which they happened. Times have a precision of one second, so Jobs of one JobSet
 * often fail at equal times. The first Job in the list then counts as the earlier one.
 */
export function failuresInOrder(jobs: readonly Unvalidated<Job>[]): readonly Failure[] {
  const timed = asArray(jobs).map((job) => {
    const condition = getFailure(job);
    return {
      job,
      reason: asString(condition?.reason),
      message: asString(condition?.message),
      replicatedJob: getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "",
      // A failure without a time counts as the earliest.
      time: parseTime(condition?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY,
    };
  });
  return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}

/** Returns the condition with the failure of a Job and its reason. */
function getFailure(job: Unvalidated<Job>): Unvalidated<JobCondition> | undefined {
  return asArray(job?.status?.conditions).find(
    (condition) =>
      isObject(condition) && condition.type === JOB_CONDITION_FAILED && condition.status === "True",
  );
}

/** The work budget of all searches in one pass. */
const MAX_SEARCH_WORK = 30_000_000;

/**
 * Finds the first failed Job to which each rule of a failure policy applies, rule by rule. Reason, message and
 * ReplicatedJob must match.
 */
export class RuleMatcher {
  /** Patterns that do not compile, and rules that exceeded the budget. */
  readonly warnings: string[] = [];
  readonly #failures: readonly Failure[];
  /** The first failure of each kind. Failures of one kind differ only in their message. */
  readonly #kinds: readonly Failure[];
  readonly #kindOf: ReadonlyMap<Failure, Failure>;
  /** A number for each failure's message. */
  #messageNumbers: readonly number[] | undefined;
  readonly #budget = new PatternBudget();
  readonly #allowance: SearchAllowance = { left: MAX_SEARCH_WORK };
  /**
   * The patterns of rules that needed no search. They count towards the budget, and are read when a later rule needs a
   * search.
   */
  #unread: (readonly string[])[] = [];
  #outOfWork = false;

  constructor(failures: readonly Failure[]) {
    this.#failures = failures;
    const kinds = new Map<string, Failure>();
    const kindOf = new Map<Failure, Failure>();
    for (const failure of failures) {
      const key = JSON.stringify([failure.reason, failure.replicatedJob]);
      const kind = kinds.get(key) ?? failure;
      kinds.set(key, kind);
      kindOf.set(failure, kind);
    }
    this.#kinds = [...kinds.values()];
    this.#kindOf = kindOf;
  }

  /** Returns the first failure that the next rule applies to. Call it with the rules in their order. */
  next(rule: Unvalidated<FailurePolicyRule>): Failure | undefined {
    const reasons = new Set<string>(asArray(rule.onJobFailureReasons));
    const targets = new Set<string>(asArray(rule.targetReplicatedJobs));
    const patterns = asArray(rule.onJobFailureMessagePatterns);
    const fitting = this.#kinds.filter(
      ({ reason, replicatedJob }) =>
        (reasons.size === 0 || reasons.has(reason)) &&
        // A Job that does not name its ReplicatedJob matches no rule, not even one without targets.
        replicatedJob !== "" &&
        (targets.size === 0 || targets.has(replicatedJob)),
    );
    if (patterns.length === 0) return fitting[0];
    this.#unread.push(patterns);
    if (fitting.length === 0 || this.#outOfWork) return undefined;
    const search = this.#getSearch(asString(rule.name));
    return search && this.#find(search, new Set(fitting), asString(rule.name));
  }

  /** Returns a search for any of the last patterns in {@link #unread}; `undefined` if none of them needs a search. */
  #getSearch(rule: string): Search | undefined {
    const read: ParsedPattern[] = [];
    for (const [index, patterns] of this.#unread.entries()) {
      const isOfRule = index === this.#unread.length - 1;
      for (const text of patterns) {
        const pattern = this.#budget.read(asString(text));
        if ("needed" in pattern) {
          this.#reportExhaustion(rule, pattern.message);
          return undefined;
        }
        if (!isOfRule) continue;
        if (pattern.ok) read.push(pattern);
        else this.warnings.push(`failure policy rule ${rule}: ${pattern.message}`);
      }
    }
    this.#unread = [];
    return read.length === 0
      ? undefined
      : new Search(compileProgram(read.map(({ parts }) => parts)));
  }

  /** Returns the first failure of these kinds whose message matches. */
  #find(search: Search, kinds: ReadonlySet<Failure>, rule: string): Failure | undefined {
    this.#messageNumbers ??= parseNumbers(this.#failures.map(({ message }) => message));
    const searched = new Set<number>();
    for (const [index, failure] of this.#failures.entries()) {
      const number = this.#messageNumbers[index] ?? index;
      // Iterating over many Jobs for many rules counts as work, too.
      this.#allowance.left--;
      if (!kinds.has(this.#kindOf.get(failure) ?? failure) || searched.has(number)) continue;
      searched.add(number);
      const result = search.find(failure.message.toWellFormed(), this.#allowance);
      if (result === "Found") return failure;
      if (result === "OutOfWork") {
        const limit = `searching the messages of failed Jobs takes more than ${MAX_SEARCH_WORK} units of work`;
        this.#reportExhaustion(rule, limit);
        return undefined;
      }
    }
    return undefined;
  }

  #reportExhaustion(rule: string, why: string): void {
    this.#outOfWork = true;
    this.warnings.push(
      `failure policy rule ${rule} and all later rules with message patterns do not apply to any Job: ${why}`,
    );
  }
}

/** Returns a number for each text. Equal texts have the same number, except for long texts, which may have two. */
function parseNumbers(texts: readonly string[]): readonly number[] {
  const numberByText = new Map<string, number>();
  const firstOfLength = new Map<number, number>();
  return texts.map((text, index) => {
    if (text.length <= MAX_KEY_LENGTH) {
      const number = numberByText.get(text) ?? index;
      numberByText.set(text, number);
      return number;
    }
    const first = firstOfLength.get(text.length) ?? index;
    firstOfLength.set(text.length, first);
    return texts[first] === text ? first : index;
  });
}

/**
 * The maximum length of map keys. V8 hashes longer strings by length only, so that a map would compare each with all
 * others.
 */
const MAX_KEY_LENGTH = 4_096;
