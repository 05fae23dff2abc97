import {
  type FieldError,
  internalError,
  invalid,
  NO_FIELD,
  type TruncatedErrors,
  truncateErrors,
} from "@jobset-ts/api/errors";
import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";

import { typed } from "./cel-value.ts";
import { badValueText } from "./go-text.ts";
import { ruleImplementation } from "./jobset-rules.ts";
import { isArray, jsonKind } from "./json-kind.ts";
import { elementPath, fieldText, mapKeyPath, memberPath, type Path } from "./path.ts";
import { mayHavePast, type OldValue, type Ratchet } from "./ratchet.ts";
import { createNode, isMapKey, memberNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** The results of a schema's rules for an object. */
export interface RuleFindings {
  readonly errors: TruncatedErrors<FieldError>;
  /** Failed rules that also failed for the old value, which did not change. */
  readonly warnings: TruncatedErrors<FieldError>;
}

/**
 * Evaluates the rules (`x-kubernetes-validations`) of a schema.
 *
 * A transition rule runs only if there are an old and a new value, and ratcheting does not apply to it. Any other rule
 * that fails becomes a warning if the value did not change. A rule that cannot be evaluated is an error, and so is a
 * rule whose text is not in JobSet's CRD, because its meaning is unknown.
 *
 * @see Kubernetes `apiextensions-apiserver/pkg/apiserver/schema/cel`
 */
export function ruleFindings(
  value: unknown,
  schema: StructuralSchema,
  before?: { readonly old: OldValue; readonly ratchet: Ratchet },
): RuleFindings {
  const evaluation: Evaluation = {
    errors: truncateErrors(),
    warnings: truncateErrors(),
    ratchet: before?.ratchet,
    outOfBudget: false,
  };
  const node = createNode(schema);
  const place = { value, node, path: undefined, oldSelf: before?.old };
  const past = { value, old: before?.old, node };
  evaluateBelow(place, before ? { oldValue: past, nearest: undefined } : noPast, evaluation);
  return evaluation;
}

interface Evaluation {
  readonly errors: TruncatedErrors<FieldError>;
  readonly warnings: TruncatedErrors<FieldError>;
  readonly ratchet: Ratchet | undefined;
  outOfBudget: boolean;
}

interface ValuePosition {
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly path: Path;
  /** The value of `oldSelf` in rules. Undefined or null if there is none. */
  readonly oldSelf: unknown;
}

/** A value and its old value. */
interface OldValueLookup {
  readonly value: unknown;
  readonly old: OldValue;
  readonly node: SchemaNode;
}

/** The value that must be unchanged to tolerate a failure: this one or the nearest parent with an old value. */
interface OldValueLookups {
  readonly oldValue: OldValueLookup | undefined;
  readonly nearest: OldValueLookup | undefined;
}

const noPast: OldValueLookups = { oldValue: undefined, nearest: undefined };

function evaluateBelow(place: ValuePosition, pasts: OldValueLookups, evaluation: Evaluation) {
  const { value, node } = place;
  if (jsonKind(value) === "null" || !node.holdsRules || evaluation.outOfBudget) return;
  for (const rule of node.schema["x-kubernetes-validations"] ?? []) {
    evaluateRule(rule, place, pasts, evaluation);
    if (evaluation.outOfBudget) return;
  }
  if (isArray(value)) evaluateElements(value, place, pasts, evaluation);
  else if (isObject(value)) evaluateMembers(value, place, pasts, evaluation);
}

function evaluateElements(
  list: readonly unknown[],
  { node, path, oldSelf }: ValuePosition,
  pasts: OldValueLookups,
  evaluation: Evaluation,
) {
  const { items } = node;
  if (items?.holdsRules !== true) return;
  const { ratchet } = evaluation;
  for (const [index, element] of list.entries()) {
    const old = ratchet?.oldElement(oldSelf, element, node);
    const below = { value: element, node: items, path: elementPath(path, index), oldSelf: old };
    const past = ratchet?.oldElement(pasts.oldValue?.old, element, node);
    evaluateBelow(below, listOldValues(pasts, below, past), evaluation);
  }
}

function evaluateMembers(
  object: JsonObject,
  { node, path, oldSelf }: ValuePosition,
  pasts: OldValueLookups,
  evaluation: Evaluation,
) {
  const { ratchet } = evaluation;
  for (const name of Object.keys(object)) {
    const member = memberNode(node, name);
    if (member?.holdsRules !== true) continue;
    const below = {
      value: object[name],
      node: member,
      path: isMapKey(node, name) ? mapKeyPath(path, name) : memberPath(path, name),
      oldSelf: isObject(oldSelf) && Object.hasOwn(oldSelf, name) ? oldSelf[name] : undefined,
    };
    const past = ratchet?.oldMember(pasts.oldValue?.old, name, node);
    const hasPast = mayHavePast(name, path === undefined);
    evaluateBelow(below, hasPast ? listOldValues(pasts, below, past) : noPast, evaluation);
  }
}

function listOldValues(
  pasts: OldValueLookups,
  below: ValuePosition,
  old: OldValue,
): OldValueLookups {
  if (pasts.oldValue === undefined) return pasts;
  const { value, node } = below;
  return {
    oldValue: old === undefined ? undefined : { value, old, node },
    nearest: pasts.oldValue,
  };
}

function evaluateRule(
  rule: ValidationRule,
  { value, node, path, oldSelf }: ValuePosition,
  pasts: OldValueLookups,
  evaluation: Evaluation,
) {
  const { errors, warnings, ratchet } = evaluation;
  const known = ruleImplementation(rule);
  if (known === undefined) {
    errors.add(() => internalError(`no implementation of the rule: ${rule.rule}`, getField(path)));
    return;
  }
  if (known.comparesOld && jsonKind(oldSelf) === "null") return;
  const self = typed(value, node);
  const text = (rule.message || rule.rule).trim();
  const addRuleError = (detail: string) => {
    errors.add(() => invalid(getField(path), value, detail, goQuote(node.schema.type ?? "")));
  };
  if (known.exceedsCost?.(self) === true) {
    addRuleError(
      `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
    );
    evaluation.outOfBudget = true;
    return;
  }
  const holds = known.evaluate(self, known.comparesOld ? typed(oldSelf, node) : self);
  if (holds === true) return;
  if (holds !== false) {
    addRuleError(`${holds.error} evaluating rule: ${text}`);
    return;
  }
  const past = pasts.oldValue ?? pasts.nearest;
  const isForgiven =
    !known.comparesOld &&
    past !== undefined &&
    ratchet?.isUnchanged(past.value, past.old, past.node) === true;
  const detail = rule.message ? text : `failed rule: ${text}`;
  (isForgiven ? warnings : errors).add(() => ruleError(getField(path), value, node.schema, detail));
}

/** Objects and lists are not printed. */
function ruleError(
  field: string,
  value: unknown,
  { type }: StructuralSchema,
  detail: string,
): FieldError {
  if (type === "object" || type === "array") {
    return { type: "FieldValueInvalid", field, body: `Invalid value: ${detail}` };
  }
  return invalid(field, value, detail, badValueText(value));
}

function getField(path: Path): string {
  return fieldText(path) || NO_FIELD;
}
