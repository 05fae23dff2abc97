import { truncateText } from "@jobset-ts/api/text";
import type { Check, CheckFailure, CheckResult } from "./check.ts";
import type { Evidence, Finding } from "./finding.ts";
import { shortKey } from "./short-key.ts";

/**
 * Runs a check safely. Returns its finding, or `undefined` if it passes. If the check throws or returns anything else,
 * its result is unknown. A missing fact is transient, a bug in a check is not. The finding has no causes yet:
 * `evaluateChecks` links the findings of one view, and {@link buildCausalGraph} those of many.
 *
 * @example
 * const run = () => ({ outcome: "Fail", message: "no node", transient: true });
 * runCheck({ id: "leader-scheduled", causes: [], run }, {})?.message // => "no node"
 */
export function runCheck<View, Id extends string>(
  check: Check<View, Id>,
  view: View,
): Finding<Id> | undefined {
  try {
    return createResultFinding(check, check.run(view));
  } catch (thrown) {
    return createCheckError(check, `check "${check.id}" threw: ${formatThrown(thrown)}`);
  }
}

function createResultFinding<View, Id extends string>(
  check: Check<View, Id>,
  result: CheckResult,
): Finding<Id> | undefined {
  switch (result?.outcome) {
    case "Pass":
      return undefined;
    case "Fail":
      return createFinding(check, "Fail", result);
    case "Unknown":
      return createFinding(check, "Unknown", { ...result, transient: true });
    default:
      return createCheckError(check, `check "${check.id}" returned neither Pass, Fail nor Unknown`);
  }
}

/** The limits of one finding. Names and annotations may have any length, and hundreds of Pods may match a leader. */
const MAX_TEXT_BYTES = 4 * 1024;
const MAX_OBJECTS = 100;

function createFinding<View, Id extends string>(
  { id, texts }: Check<View, Id>,
  outcome: Finding["outcome"],
  failure: CheckFailure & Pick<Finding, "missing">,
): Finding<Id> {
  const { message, statement, transient, objects = [], evidence = [], fieldError } = failure;
  const { missing, since, status, group, advice } = failure;
  // Members are assigned one by one for speed: a diagnosis creates tens of thousands of findings.
  const finding: { -readonly [Member in keyof Finding<Id>]: Finding<Id>[Member] } = {
    id,
    outcome,
    message: truncateText(message, MAX_TEXT_BYTES),
    objects: shorten(objects, shortKey),
    evidence: shorten(evidence, truncateEvidence),
    transient,
    causedBy: [],
  };
  if (statement !== undefined) finding.statement = truncateText(statement, MAX_TEXT_BYTES);
  if (missing !== undefined) finding.missing = missing;
  if (fieldError !== undefined) finding.fieldError = fieldError;
  if (since !== undefined && Number.isFinite(since)) finding.since = since;
  if (status !== undefined) finding.status = status;
  if (group !== undefined) finding.group = group;
  if (advice !== undefined) finding.texts = { ...texts, advice };
  else if (texts !== undefined) finding.texts = texts;
  return finding;
}

/** Returns the same list if nothing in it is long, as in most findings. */
function shorten<One>(all: readonly One[], change: (one: One) => One): readonly One[] {
  const first = all.length > MAX_OBJECTS ? all.slice(0, MAX_OBJECTS) : all;
  return first.every((one) => change(one) === one) ? first : first.map(change);
}

function truncateEvidence(evidence: Evidence): Evidence {
  const object = shortKey(evidence.object);
  const at = evidence.at === undefined ? undefined : truncateText(evidence.at, MAX_TEXT_BYTES);
  const text = truncateText(evidence.text, MAX_TEXT_BYTES);
  const isShort = object === evidence.object && at === evidence.at && text === evidence.text;
  return isShort ? evidence : { ...evidence, object, ...(at !== undefined && { at }), text };
}

function createCheckError<View, Id extends string>(
  check: Check<View, Id>,
  message: string,
): Finding<Id> {
  return createFinding(check, "Unknown", { message, transient: false });
}

/** Any value can be thrown, even one that cannot be converted to text. */
function formatThrown(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "a value without a message";
  }
}
