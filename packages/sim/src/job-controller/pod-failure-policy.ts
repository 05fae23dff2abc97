import {
  asArray,
  findCondition,
  getName,
  getNamespace,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";

/** The result of a Job's `podFailurePolicy` for one failed Pod. */
export interface PodFailureOutcome {
  /** The action of the first matching rule. Undefined if no rule matches. */
  readonly action?: "FailJob" | "FailIndex" | "Ignore" | "Count";
  /** The message of the Job's failure, for `FailJob`. */
  readonly message?: string;
}

interface PodFailureRule {
  readonly action: NonNullable<PodFailureOutcome["action"]>;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: "In" | "NotIn";
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

/** @see KEP-3329; rules are tried from the first one on */
export function matchPodFailurePolicy({ spec }: Job, pod: Pod): PodFailureOutcome {
  const rules: readonly PodFailureRule[] = asArray(spec.podFailurePolicy?.rules);
  for (const [at, rule] of rules.entries()) {
    const match = matchRule(rule, pod);
    if (match === undefined) continue;
    const { action } = rule;
    if (action !== "FailJob") return { action };
    return { action, message: `${match} matching FailJob rule at index ${at}` };
  }
  return {};
}

/** Returns whether the failure of a Pod counts toward the limits of its Job. */
export function countsTowardsLimits(job: Job, pod: Pod): boolean {
  return matchPodFailurePolicy(job, pod).action !== "Ignore";
}

/** Returns a description of the Pod state that a rule matches. */
function matchRule({ onExitCodes, onPodConditions }: PodFailureRule, pod: Pod): string | undefined {
  const name = `${getNamespace(pod)}/${getName(pod)}`;
  if (onExitCodes !== undefined) {
    const statuses = [
      ...asArray(pod.status?.containerStatuses),
      ...asArray(pod.status?.initContainerStatuses),
    ];
    for (const { name: container, state } of statuses) {
      const { containerName = container, operator, values } = onExitCodes;
      const exitCode: unknown = state?.terminated?.exitCode;
      if (containerName !== container || typeof exitCode !== "number" || exitCode === 0) continue;
      if (values.includes(exitCode) !== (operator === "In")) continue;
      return `Container ${container} for pod ${name} failed with exit code ${exitCode}`;
    }
  }
  for (const { type, status = "True" } of asArray(onPodConditions)) {
    if (findCondition(pod.status?.conditions, type)?.status === status) {
      return `Pod ${name} has condition ${type}`;
    }
  }
  return undefined;
}
