import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from "@jobset-ts/api/errors";
import { asArray, asInteger, type JobSpec, validateQualifiedName } from "@jobset-ts/api/kubernetes";
import { countIndexes, findIndexListError } from "./index-set.ts";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS = ["In", "NotIn"];
const STATUSES = ["False", "True", "Unknown"];

/** Validates `spec.podFailurePolicy`. */
export function validatePodFailurePolicy(spec: JobSpec): readonly FieldError[] {
  const field = "spec.podFailurePolicy.rules";
  const rules: readonly PodFailureRule[] = asArray(spec.podFailurePolicy?.rules);
  const errors = rules.length > MAX_RULES ? [tooMany(field, rules.length, MAX_RULES)] : [];
  for (const [at, rule] of rules.entries())
    errors.push(...validateFailureRule(spec, rule, `${field}[${at}]`));
  return errors;
}

interface PodFailureRule {
  readonly action?: string;
  readonly onExitCodes?: OnExitCodes;
  readonly onPodConditions?: readonly { readonly type?: string; readonly status?: string }[];
}

interface OnExitCodes {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[];
}

function validateFailureRule(
  spec: JobSpec,
  rule: PodFailureRule,
  field: string,
): readonly FieldError[] {
  const { action, onExitCodes } = rule;
  const patterns = asArray(rule.onPodConditions);
  const errors = validateChoice(`${field}.action`, action, ACTIONS);
  if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(`${field}.action`, action, "requires the backoffLimitPerIndex to be set"));
  }
  if (onExitCodes !== undefined) {
    errors.push(...validateExitCodes(spec, onExitCodes, `${field}.onExitCodes`));
  }
  if (patterns.length > MAX_PATTERNS) {
    errors.push(tooMany(`${field}.onPodConditions`, patterns.length, MAX_PATTERNS));
  }
  for (const [at, { type = "", status }] of patterns.entries()) {
    const pattern = `${field}.onPodConditions[${at}]`;
    for (const text of validateQualifiedName(type)) {
      errors.push(invalid(`${pattern}.type`, type, text));
    }
    errors.push(...validateChoice(`${pattern}.status`, status, STATUSES));
  }
  if (onExitCodes !== undefined && patterns.length > 0) {
    errors.push(
      createErrorWithoutValue(
        field,
        "specifying both OnExitCodes and OnPodConditions is not supported",
      ),
    );
  }
  if (onExitCodes === undefined && patterns.length === 0) {
    errors.push(
      createErrorWithoutValue(
        field,
        "specifying one of OnExitCodes and OnPodConditions is required",
      ),
    );
  }
  return errors;
}

function validateExitCodes(
  { template }: JobSpec,
  { containerName, operator, values }: OnExitCodes,
  field: string,
): readonly FieldError[] {
  const errors = validateChoice(`${field}.operator`, operator, OPERATORS);
  const { containers, initContainers } = template.spec ?? {};
  const known = [...asArray(containers), ...asArray(initContainers)].map(({ name = "" }) => name);
  if (containerName !== undefined && !known.includes(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(`${field}.containerName`, containerName, detail));
  }
  const codes = asArray(values);
  if (codes.length === 0) {
    errors.push(invalid(`${field}.values`, codes, "at least one value is required"));
  } else if (codes.length > MAX_EXIT_CODES) {
    errors.push(tooMany(`${field}.values`, codes.length, MAX_EXIT_CODES));
  }
  const seen = new Set<number>();
  for (const [at, code] of codes.entries()) {
    const own = `${field}.values[${at}]`;
    if (operator === "In" && code === 0) {
      errors.push(invalid(own, code, "must not be 0 for the In operator"));
    }
    if (seen.has(code)) errors.push(duplicate(own, code));
    seen.add(code);
  }
  if (codes.some((code, at) => (codes[at - 1] ?? code) > code)) {
    errors.push(invalid(`${field}.values`, codes, "must be ordered"));
  }
  return errors;
}

/** Validates `spec.successPolicy`. */
export function validateSuccessPolicy(spec: JobSpec): readonly FieldError[] {
  if (spec.completionMode !== "Indexed") {
    return [invalid("spec.successPolicy", spec.successPolicy, "requires indexed completion mode")];
  }
  const field = "spec.successPolicy.rules";
  const rules: readonly SuccessRule[] = asArray(spec.successPolicy?.rules);
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    errors.push(required(field, detail));
  }
  if (rules.length > MAX_RULES) errors.push(tooMany(field, rules.length, MAX_RULES));
  const completions = asInteger(spec.completions, 0);
  for (const [at, rule] of rules.entries()) {
    errors.push(...validateSuccessRule(rule, completions, `${field}[${at}]`));
  }
  return errors;
}

interface SuccessRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

function validateSuccessRule(
  { succeededIndexes, succeededCount }: SuccessRule,
  completions: number,
  field: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (succeededIndexes === undefined && succeededCount === undefined) {
    const detail = "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(required(field, detail));
  }
  const fault = findIndexListError(succeededIndexes, completions);
  if (fault !== undefined) {
    const detail = `error parsing succeededIndexes: ${fault}`;
    errors.push(invalid(`${field}.succeededIndexes`, succeededIndexes, detail));
  }
  if (succeededCount === undefined) return errors;
  const count = `${field}.succeededCount`;
  if (succeededCount < 0) {
    errors.push(invalid(count, succeededCount, "must be greater than or equal to 0"));
  }
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalid(count, succeededCount, detail));
  }
  if (succeededIndexes === undefined) return errors;
  const total = fault === undefined ? countIndexes(succeededIndexes) : 0;
  if (succeededCount > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalid(count, succeededCount, detail));
  }
  return errors;
}

function validateChoice(
  field: string,
  value: string | undefined,
  choices: readonly string[],
): FieldError[] {
  if (!value) {
    const listed = choices.map((choice) => `"${choice}"`).join(" ");
    return [required(field, `valid values: [${listed}]`)];
  }
  return choices.includes(value) ? [] : [notSupported(field, value, choices)];
}

/** Returns an error whose message does not contain the value. */
export function createErrorWithoutValue(field: string, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, body: `Invalid value: ${detail}` };
}
