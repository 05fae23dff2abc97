import { type FieldError, internal, invalid } from "../field-error.ts";
import { quote } from "../quote.ts";
import { isJsonObject, type JsonObject } from "../typed/json-object.ts";
import {
  type CelBoolean,
  type CelValue,
  elementsOf,
  equals,
  every,
  has,
  isCelError,
  not,
  select,
  some,
  typed,
} from "./cel-value.ts";
import { CLAIM_NAMESPACE_RULE, IMMUTABLE_RULE, STARTUP_ORDER_RULE } from "./constraints.ts";
import { badValueText } from "./go-text.ts";
import { isArray, jsonKind } from "./json-kind.ts";
import { elementPath, fieldText, mapKeyPath, memberPath, type Path } from "./path.ts";
import { mayHavePast, type OldValue, type Ratchet } from "./ratchet.ts";
import { isMapKey, memberNode, nodeOf, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** What the rules of a schema say about an object. */
export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** What would be an error, but was so before and did not change. */
  readonly warnings: readonly FieldError[];
}

/**
 * Evaluates the rules (`x-kubernetes-validations`) of a schema.
 *
 * A rule that compares with the old value is asked only where there is one and there is a new one, and is never
 * forgiven; any other rule that fails is forgiven with a warning where the value did not change. A rule that cannot be
 * evaluated is an error. So is one whose text is not among those of JobSet's CRD: it is not known what it asks.
 *
 * @see Kubernetes `apiextensions-apiserver/pkg/apiserver/schema/cel`
 */
export function ruleFindings(
  value: unknown,
  schema: StructuralSchema,
  before?: { readonly old: OldValue; readonly ratchet: Ratchet },
): RuleFindings {
  const evaluation: Evaluation = {
    errors: [],
    warnings: [],
    ratchet: before?.ratchet,
    outOfBudget: false,
  };
  const node = nodeOf(schema);
  const place = { value, node, path: undefined, oldSelf: before?.old };
  const past = { value, old: before?.old, node };
  evaluateBelow(place, before ? { here: past, nearest: undefined } : noPast, evaluation);
  return evaluation;
}

interface Evaluation {
  readonly errors: FieldError[];
  readonly warnings: FieldError[];
  readonly ratchet: Ratchet | undefined;
  outOfBudget: boolean;
}

interface Place {
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly path: Path;
  /** What the rules here call `oldSelf`; undefined or null when there is none. */
  readonly oldSelf: unknown;
}

/** A value and what it was before. */
interface Past {
  readonly value: unknown;
  readonly old: OldValue;
  readonly node: SchemaNode;
}

/** Which value must be unchanged for a failure to be forgiven: the one here, or else the nearest above with a past. */
interface Pasts {
  readonly here: Past | undefined;
  readonly nearest: Past | undefined;
}

const noPast: Pasts = { here: undefined, nearest: undefined };

function evaluateBelow(place: Place, pasts: Pasts, evaluation: Evaluation) {
  const { value, node } = place;
  if (jsonKind(value) === "null" || !node.holdsRules || evaluation.outOfBudget) return;
  for (const rule of node.schema["x-kubernetes-validations"] ?? []) {
    evaluateRule(rule, place, pasts, evaluation);
    if (evaluation.outOfBudget) return;
  }
  if (isArray(value)) evaluateElements(value, place, pasts, evaluation);
  else if (isJsonObject(value)) evaluateMembers(value, place, pasts, evaluation);
}

function evaluateElements(
  list: readonly unknown[],
  { node, path, oldSelf }: Place,
  pasts: Pasts,
  evaluation: Evaluation,
) {
  const { items } = node;
  if (items?.holdsRules !== true) return;
  const { ratchet } = evaluation;
  for (const [index, element] of list.entries()) {
    const old = ratchet?.oldElement(oldSelf, element, node);
    const below = { value: element, node: items, path: elementPath(path, index), oldSelf: old };
    const past = ratchet?.oldElement(pasts.here?.old, element, node);
    evaluateBelow(below, pastsBelow(pasts, below, past), evaluation);
  }
}

function evaluateMembers(
  object: JsonObject,
  { node, path, oldSelf }: Place,
  pasts: Pasts,
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
      oldSelf: isJsonObject(oldSelf) && Object.hasOwn(oldSelf, name) ? oldSelf[name] : undefined,
    };
    const past = ratchet?.oldMember(pasts.here?.old, name, node);
    const hasPast = mayHavePast(name, path === undefined);
    evaluateBelow(below, hasPast ? pastsBelow(pasts, below, past) : noPast, evaluation);
  }
}

function pastsBelow(pasts: Pasts, below: Place, old: OldValue): Pasts {
  if (pasts.here === undefined) return pasts;
  const { value, node } = below;
  return { here: old === undefined ? undefined : { value, old, node }, nearest: pasts.here };
}

function evaluateRule(
  rule: ValidationRule,
  { value, node, path, oldSelf }: Place,
  pasts: Pasts,
  evaluation: Evaluation,
) {
  const { errors, warnings, ratchet } = evaluation;
  const field = fieldText(path);
  const known = implementations.get(rule.rule);
  if (known === undefined) {
    errors.push(internal(`no implementation of the rule: ${rule.rule}`, field));
    return;
  }
  if (known.comparesOld && jsonKind(oldSelf) === "null") return;
  const self = typed(value, node);
  const text = (rule.message ?? rule.rule).trim();
  const refuse = (detail: string) => {
    errors.push(invalid(field, value, detail, quote(node.schema.type ?? "")));
  };
  if (known.exceedsCost?.(self) === true) {
    refuse(
      `'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
    );
    evaluation.outOfBudget = true;
    return;
  }
  const holds = known.holds(self, known.comparesOld ? typed(oldSelf, node) : self);
  if (holds === true) return;
  if (holds !== false) {
    refuse(`${holds.error} evaluating rule: ${text}`);
    return;
  }
  const past = pasts.here ?? pasts.nearest;
  const isForgiven =
    !known.comparesOld &&
    past !== undefined &&
    ratchet?.isUnchanged(past.value, past.old, past.node) === true;
  (isForgiven ? warnings : errors).push(ruleError(field, value, node.schema, rule));
}

/** Objects and lists are not shown. */
function ruleError(
  field: string,
  value: unknown,
  schema: StructuralSchema,
  rule: ValidationRule,
): FieldError {
  const detail =
    rule.message === undefined ? `failed rule: ${rule.rule.trim()}` : rule.message.trim();
  if (schema.type === "object" || schema.type === "array") {
    return { type: "FieldValueInvalid", field, body: `Invalid value: ${detail}` };
  }
  return invalid(field, value, detail, badValueText(value));
}

/** What a rule asks, in JavaScript. */
interface Implementation {
  /** Whether the rule names `oldSelf`. */
  readonly comparesOld: boolean;
  readonly holds: (self: CelValue, oldSelf: CelValue) => CelBoolean;
  /** Whether upstream gives up the evaluation for its cost. */
  readonly exceedsCost?: (self: CelValue) => boolean;
}

/** By the text of the rule, which is all that a schema holds of it. */
const implementations: ReadonlyMap<string, Implementation> = new Map([
  [
    STARTUP_ORDER_RULE.rule,
    { comparesOld: false, holds: hasOneStartupOrder, exceedsCost: hasTooManyReplicatedJobs },
  ],
  [IMMUTABLE_RULE.rule, { comparesOld: true, holds: equals }],
  [CLAIM_NAMESPACE_RULE.rule, { comparesOld: false, holds: templatesHaveNoNamespace }],
]);

function hasOneStartupOrder(self: CelValue): CelBoolean {
  const conditions = [has(self, "startupPolicy"), isInOrder(self)];
  if (conditions.includes(false)) return true;
  return not(every([...conditions, hasDependencies(self)]));
}

function isInOrder(self: CelValue): CelBoolean {
  const order = select(select(self, "startupPolicy"), "startupPolicyOrder");
  return isCelError(order) ? order : order.value === "InOrder";
}

function hasDependencies(self: CelValue): CelBoolean {
  const replicatedJobs = elementsOf(select(self, "replicatedJobs"));
  if ("error" in replicatedJobs) return replicatedJobs;
  return some(replicatedJobs.map(hasDependsOn));
}

function hasDependsOn(replicatedJob: CelValue): CelBoolean {
  return has(replicatedJob, "dependsOn");
}

// What one evaluation of a rule may cost, and what this one does, as measured with Kubernetes v1.36 (`cel.PerCallLimit`).
// The other rules look at lists that are short, or do nothing for each element.
const COST_LIMIT = 1_000_000;
const COST_PER_REPLICATED_JOB = 5;
const COST_BESIDE_REPLICATED_JOBS = 9;

function hasTooManyReplicatedJobs(self: CelValue): boolean {
  const replicatedJobs = elementsOf(select(self, "replicatedJobs"));
  if ("error" in replicatedJobs || isInOrder(self) === false) return false;
  const most = (COST_LIMIT - COST_BESIDE_REPLICATED_JOBS) / COST_PER_REPLICATED_JOB;
  if (replicatedJobs.length <= most) return false;
  const first = replicatedJobs.findIndex((replicatedJob) => hasDependsOn(replicatedJob) === true);
  return first === -1 || first >= most;
}

function templatesHaveNoNamespace(self: CelValue): CelBoolean {
  const templates = elementsOf(select(self, "templates"));
  if ("error" in templates) return templates;
  return every(templates.map(hasNoNamespace));
}

function hasNoNamespace(template: CelValue): CelBoolean {
  const metadata = select(template, "metadata");
  return some([not(has(metadata, "namespace")), isEmptyText(select(metadata, "namespace"))]);
}

function isEmptyText(text: CelValue): CelBoolean {
  return isCelError(text) ? text : text.value === "";
}
