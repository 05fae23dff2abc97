import type { FailurePolicyRule, Unvalidated } from "@jobset-ts/api";
import { jobFailureReasons } from "@jobset-ts/api/conditions";
import { duplicate, forbidden, invalid, notSupported } from "@jobset-ts/api/errors";
import { asArray } from "@jobset-ts/api/kubernetes";
import { byteLength } from "@jobset-ts/api/text";
import { findInvalidMessagePatterns, type InvalidMessagePattern } from "@jobset-ts/core/policies";
import { errorWithoutPath } from "./error-without-path.ts";
import { type JobSetView, listObjects, listTexts, namesText } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks the failure policy: its actions, each rule, and the rules together. */
export function failurePolicyRules(view: JobSetView, found: Violations): void {
  const rules = listObjects<Unvalidated<FailurePolicyRule>>(view.spec.failurePolicy?.rules).map(
    (rule, index): RuleView => ({
      rule,
      name: namesText(rule.name),
      field: `spec.failurePolicy.rules[${index}]`,
    }),
  );
  const restartsJobs = view.quirks.has("RestartJobUnchecked")
    ? undefined
    : rules.find(({ rule }) => jobRestartActions.has(namesText(rule.action)));
  if (restartsJobs !== undefined) {
    if (!view.features.has("RestartJob")) {
      // Upstream skips the rules in this case.
      restartJobGateRules(view, restartsJobs, found);
      return;
    }
    restartJobRules(view, found);
  }
  const rejected = findInvalidPatternsByRule(view, rules);
  for (const [index, one] of rules.entries()) {
    if (found.isFull) return;
    ruleNameRules(view, one, found);
    targetRules(view, one, found);
    reasonRules(view, one, found);
    patternRules(one, rejected.get(index) ?? [], found);
  }
  uniqueNameRules(view, rules, found);
}

interface RuleView {
  readonly rule: Unvalidated<FailurePolicyRule>;
  readonly name: string;
  /** `spec.failurePolicy.rules[<index>]` */
  readonly field: string;
}

const jobRestartActions: ReadonlySet<string> = new Set([
  "RestartJob",
  "RestartJobAndIgnoreMaxRestarts",
]);

function restartJobGateRules(view: JobSetView, { field }: RuleView, found: Violations): void {
  const detail =
    "RestartJob and RestartJobAndIgnoreMaxRestarts failure policy actions are not allowed when RestartJob feature gate is disabled";
  const error = errorWithoutPath(view, detail, forbidden(`${field}.action`, detail));
  found.add("restart-job-enabled", error);
}

/** The maximum number of Jobs with a restart count in the status. */
const MAX_COUNTED_JOBS = 1024;

function restartJobRules(view: JobSetView, found: Violations): void {
  const tooMany = view.replicatedJobs.find(({ replicas }) => replicas > MAX_COUNTED_JOBS);
  if (tooMany === undefined) return;
  const detail = `JobSet cannot have a failure policy rule with RestartJob or RestartJobAndIgnoreMaxRestarts action and a replicated job with replicas > ${MAX_COUNTED_JOBS}`;
  const pathed = invalid(`${tooMany.field}.replicas`, tooMany.replicas, detail);
  found.add("restart-job-countable", errorWithoutPath(view, detail, pathed));
}

const MAX_NAME_BYTES = 128;
const isRuleName = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** A rule's name becomes part of a condition's reason, which has this syntax. */
function ruleNameRules(view: JobSetView, { name, field }: RuleView, found: Violations): void {
  const length = byteLength(name);
  const details = [
    ...(length < 1 || length > MAX_NAME_BYTES
      ? [
          `invalid failure policy rule name of length ${length}, the rule name must be at least 1 characters long and at most ${MAX_NAME_BYTES} characters long`,
        ]
      : []),
    ...(isRuleName.test(name)
      ? []
      : [
          `invalid failure policy rule name '${name}', a failure policy rule name must start with an alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'`,
        ]),
  ];
  for (const detail of details) {
    const error = errorWithoutPath(view, detail, invalid(`${field}.name`, name, detail));
    found.add("rule-name-valid", error);
  }
}

function targetRules(view: JobSetView, { rule, field }: RuleView, found: Violations): void {
  for (const [index, target] of listTexts(rule.targetReplicatedJobs).entries()) {
    if (found.isFull) return;
    if (view.replicatedJobNamed.has(target)) continue;
    const detail = `invalid replicatedJob name '${target}' in failure policy does not appear in .spec.ReplicatedJobs`;
    const pathed = invalid(`${field}.targetReplicatedJobs[${index}]`, target, detail);
    found.add("failure-targets-exist", errorWithoutPath(view, detail, pathed));
  }
}

function reasonRules(view: JobSetView, { rule, field }: RuleView, found: Violations): void {
  const known: readonly string[] = jobFailureReasons;
  for (const [index, reason] of listTexts(rule.onJobFailureReasons).entries()) {
    if (found.isFull) return;
    if (known.includes(reason)) continue;
    const detail = `invalid job failure reason '${reason}' in failure policy is not a recognized job failure reason`;
    const pathed = notSupported(`${field}.onJobFailureReasons[${index}]`, reason, known);
    found.add("failure-reason-known", errorWithoutPath(view, detail, pathed));
  }
}

/**
 * Upstream does not compile patterns here, and one that does not compile never matches. It does not limit their work,
 * either. Here the first pattern that exceeds the limit is reported, and later ones are not compiled.
 */
function findInvalidPatternsByRule(
  { quirks }: JobSetView,
  rules: readonly RuleView[],
): ReadonlyMap<number, readonly InvalidMessagePattern[]> {
  const rejected = new Map<number, InvalidMessagePattern[]>();
  const mayBeInvalid = quirks.has("InvalidPatternAdmitted");
  const mayTakeAnyWork = quirks.has("PatternWorkUnbounded");
  if (mayBeInvalid && mayTakeAnyWork) return rejected;
  for (const one of findInvalidMessagePatterns(rules.map(({ rule }) => rule))) {
    if (one.kind === "Malformed" ? mayBeInvalid : mayTakeAnyWork) continue;
    const before = rejected.get(one.rule);
    if (before === undefined) rejected.set(one.rule, [one]);
    else before.push(one);
  }
  return rejected;
}

function patternRules(
  { rule, field }: RuleView,
  rejected: readonly InvalidMessagePattern[],
  found: Violations,
): void {
  for (const { pattern, kind, message } of rejected) {
    if (found.isFull) return;
    const text = namesText(asArray(rule.onJobFailureMessagePatterns)[pattern]);
    const error = invalid(`${field}.onJobFailureMessagePatterns[${pattern}]`, text, message);
    const isMalformed = kind === "Malformed";
    found.add(isMalformed ? "message-pattern-valid" : "message-pattern-work-bounded", error);
  }
}

/** Reports one error per name, in the order of first occurrence. Upstream's order is random. */
function uniqueNameRules(view: JobSetView, rules: readonly RuleView[], found: Violations): void {
  const indexesByName = new Map<string, number[]>();
  for (const [index, { name }] of rules.entries()) {
    const indexes = indexesByName.get(name);
    if (indexes === undefined) indexesByName.set(name, [index]);
    else indexes.push(index);
  }
  for (const [name, indexes] of indexesByName) {
    const [, second] = indexes;
    if (found.isFull) return;
    if (second === undefined) continue;
    const detail = `rule names are not unique, rules with indices [${indexes.join(" ")}] all have the same name '${name}'`;
    const pathed = duplicate(`spec.failurePolicy.rules[${second}].name`, name);
    found.add("rule-names-unique", errorWithoutPath(view, detail, pathed));
  }
}
