import {
  type CelBoolean,
  type CelValue,
  equals,
  every,
  getElements,
  has,
  isCelError,
  not,
  select,
  some,
} from "./cel-value.ts";
import { CLAIM_NAMESPACE_RULE, IMMUTABLE_RULE, STARTUP_ORDER_RULE } from "./constraints.ts";
import type { ValidationRule } from "./structural-schema.ts";

/** The rule as a JavaScript function. */
export interface RuleImplementation {
  /** Whether the rule names `oldSelf`. */
  readonly comparesOld: boolean;
  readonly evaluate: (self: CelValue, oldSelf: CelValue) => CelBoolean;
  /** Whether upstream aborts the evaluation because of its cost. */
  readonly exceedsCost?: (self: CelValue) => boolean;
}

/**
 * Returns the implementation of a rule of JobSet's CRD. The rule's text identifies it, because a schema has no
 * other identifier.
 *
 * @returns `undefined` for any other rule
 */
export function ruleImplementation({ rule }: ValidationRule): RuleImplementation | undefined {
  return implementations.get(rule);
}

const implementations: ReadonlyMap<string, RuleImplementation> = new Map([
  [
    STARTUP_ORDER_RULE.rule,
    { comparesOld: false, evaluate: hasOneStartupOrder, exceedsCost: hasTooManyReplicatedJobs },
  ],
  [IMMUTABLE_RULE.rule, { comparesOld: true, evaluate: equals }],
  [CLAIM_NAMESPACE_RULE.rule, { comparesOld: false, evaluate: templatesHaveNoNamespace }],
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
  const replicatedJobs = getElements(select(self, "replicatedJobs"));
  if ("error" in replicatedJobs) return replicatedJobs;
  return some(replicatedJobs.map(hasDependsOn));
}

function hasDependsOn(replicatedJob: CelValue): CelBoolean {
  return has(replicatedJob, "dependsOn");
}

// The cost limit of one evaluation, and the cost of this rule, as measured with Kubernetes v1.36 (`cel.PerCallLimit`).
// The other rules read short lists, or do nothing for each element.
const COST_LIMIT = 1_000_000;
const COST_PER_REPLICATED_JOB = 5;
const BASE_COST = 9;

function hasTooManyReplicatedJobs(self: CelValue): boolean {
  const replicatedJobs = getElements(select(self, "replicatedJobs"));
  if ("error" in replicatedJobs || isInOrder(self) === false) return false;
  const most = (COST_LIMIT - BASE_COST) / COST_PER_REPLICATED_JOB;
  if (replicatedJobs.length <= most) return false;
  const first = replicatedJobs.findIndex((replicatedJob) => hasDependsOn(replicatedJob) === true);
  return first === -1 || first >= most;
}

function templatesHaveNoNamespace(self: CelValue): CelBoolean {
  const templates = getElements(select(self, "templates"));
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
