import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from "@jobset-ts/api/errors";
import { type JsonObject, validateQualifiedName } from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { badValueText } from "../go-text.ts";
import {
  elementsIn,
  hasMember,
  listIn,
  mapIn,
  objectIn,
  optionalTextIn,
  textIn,
} from "../members-of.ts";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS = ["In", "NotIn"];
const STATUSES = ["False", "True", "Unknown"];

/** Yields the errors in the Pod failure policy of a Job. */
export function* podFailurePolicyErrors(spec: JsonObject): FoundErrors {
  const policy = objectIn(spec, "podFailurePolicy");
  if (policy === undefined) return;
  const path = "spec.podFailurePolicy";
  const rules = elementsIn(policy, "rules", path);
  if (rules.length > MAX_RULES) yield tooMany(`${path}.rules`, rules.length, MAX_RULES);
  const podSpec = mapIn(mapIn(spec, "template"), "spec");
  const containers = new Set(
    ["containers", "initContainers"].flatMap((list) =>
      elementsIn(podSpec, list, "").map(([container]) => textIn(container, "name")),
    ),
  );
  for (const [rule, at] of rules) yield* ruleErrors(spec, rule, at, containers);
}

function* ruleErrors(
  spec: JsonObject,
  rule: JsonObject,
  path: string,
  containers: ReadonlySet<string>,
): FoundErrors {
  const action = textIn(rule, "action");
  const exitCodes = objectIn(rule, "onExitCodes");
  const patterns = elementsIn(rule, "onPodConditions", path);
  yield* choiceErrors(`${path}.action`, action, ACTIONS);
  if (action === "FailIndex" && !hasMember(spec, "backoffLimitPerIndex")) {
    const detail = "requires the backoffLimitPerIndex to be set";
    yield invalid(`${path}.action`, action, detail);
  }
  if (exitCodes !== undefined) {
    yield* exitCodeErrors(exitCodes, `${path}.onExitCodes`, containers);
  }
  if (patterns.length > MAX_PATTERNS) {
    yield tooMany(`${path}.onPodConditions`, patterns.length, MAX_PATTERNS);
  }
  for (const [pattern, at] of patterns) {
    const type = textIn(pattern, "type");
    yield* invalidForEach(`${at}.type`, type, validateQualifiedName(type));
    yield* choiceErrors(`${at}.status`, textIn(pattern, "status"), STATUSES);
  }
  if (exitCodes !== undefined && patterns.length > 0) {
    const detail = "specifying both OnExitCodes and OnPodConditions is not supported";
    yield invalidWithoutValue(path, detail);
  }
  if (exitCodes === undefined && patterns.length === 0) {
    const detail = "specifying one of OnExitCodes and OnPodConditions is required";
    yield invalidWithoutValue(path, detail);
  }
}

function invalidWithoutValue(field: string, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, body: `Invalid value: ${detail}` };
}

function* exitCodeErrors(
  exitCodes: JsonObject,
  path: string,
  containers: ReadonlySet<string>,
): FoundErrors {
  const operator = textIn(exitCodes, "operator");
  const name = optionalTextIn(exitCodes, "containerName");
  yield* choiceErrors(`${path}.operator`, operator, OPERATORS);
  if (name !== undefined && !containers.has(name)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    yield invalid(`${path}.containerName`, name, detail);
  }
  const field = `${path}.values`;
  const codes = listIn(exitCodes, "values").map((code) => (typeof code === "number" ? code : 0));
  if (codes.length === 0) {
    const shown = hasMember(exitCodes, "values") ? "[]" : "null";
    yield invalid(field, codes, "at least one value is required", shown);
  } else if (codes.length > MAX_EXIT_CODES) yield tooMany(field, codes.length, MAX_EXIT_CODES);
  const seen = new Set<number>();
  for (const [at, code] of codes.entries()) {
    if (operator === "In" && code === 0) {
      yield invalid(`${field}[${at}]`, code, "must not be 0 for the In operator");
    }
    if (seen.has(code)) yield duplicate(`${field}[${at}]`, code);
    seen.add(code);
  }
  if (codes.some((code, at) => (codes[at - 1] ?? code) > code)) {
    yield invalid(field, codes, "must be ordered", badValueText(codes));
  }
}

function* choiceErrors(field: string, value: string, choices: readonly string[]): FoundErrors {
  if (value === "") {
    const listed = choices.map((choice) => `"${choice}"`).join(" ");
    yield required(field, `valid values: [${listed}]`);
  } else if (!choices.includes(value)) {
    yield notSupported(field, value, choices, jsonQuote(value));
  }
}
