import type {
  DependsOn,
  FailurePolicy,
  FailurePolicyAction,
  FailurePolicyRule,
  JobSetSpec,
} from "@jobset-ts/api";
import fc from "fast-check";
import type { Traits } from "./situations.ts";

/** The names of ReplicatedJobs in these clusters. */
const replicatedJobNames = ["driver", "workers", "b"] as const;

/**
 * Generates the failure, success, startup and TTL policies of a JobSet.
 *
 * @param wedged - whether some rules request impossible actions
 */
export function policies(wedged: boolean, traits: Traits): fc.Arbitrary<Partial<JobSetSpec>> {
  const policy = failurePolicies(wedged, traits);
  const { failurePolicy, startupOrders = ["AnyOrder", "InOrder"] } = traits;
  return fc.record(
    {
      failurePolicy: fc.option(policy, {
        nil: undefined,
        freq: failurePolicy === "Always" ? 29 : failurePolicy === "Often" ? 9 : 5,
      }),
      successPolicy: fc.record(
        {
          operator: fc.constantFrom("All" as const, "Any" as const),
          targetReplicatedJobs: targets(),
        },
        { requiredKeys: ["operator"] },
      ),
      startupPolicy: fc.record({ startupPolicyOrder: fc.constantFrom(...startupOrders) }),
      ttlSecondsAfterFinished: fc.constantFrom(0, 5, 1000),
    },
    {
      requiredKeys: [
        ...(failurePolicy === undefined ? [] : ["failurePolicy" as const]),
        ...(traits.startupOrders === undefined ? [] : ["startupPolicy" as const]),
      ],
    },
  );
}

/** Generates the dependencies of one ReplicatedJob. */
export function dependencies({ dependsOn }: Traits): fc.Arbitrary<DependsOn[]> {
  return fc.array(
    fc.record({
      name: fc.constantFrom(...replicatedJobNames),
      status: fc.constantFrom("Ready" as const, "Complete" as const),
    }),
    // If there are always dependencies, there are usually as many as possible.
    dependsOn === "Always" ? { minLength: 1, maxLength: 4 } : { maxLength: 2 },
  );
}

function targets(): fc.Arbitrary<string[]> {
  return fc.subarray([...replicatedJobNames, "missing"]);
}

function failurePolicies(wedged: boolean, traits: Traits): fc.Arbitrary<FailurePolicy> {
  const { actions, features = [], restartStrategies = usualStrategies } = traits;
  // Without the feature gate, individual Jobs cannot restart.
  const filterActions = (all: readonly FailurePolicyAction[]) =>
    wedged || features.includes("RestartJob")
      ? all
      : all.filter(
          (action) => !action.startsWith("RestartJob") || action.startsWith("RestartJobSet"),
        );
  return fc.record({
    maxRestarts: fc.nat(3),
    restartStrategy: fc.constantFrom(...restartStrategies),
    rules:
      actions === undefined
        ? fc.array(rules(wedged), { maxLength: 2 })
        : arbitraryRules(filterActions(actions)),
  });
}

const usualStrategies = [
  ...Array<"Recreate">(8).fill("Recreate"),
  "BlockingRecreate",
  "BlockingRecreate",
  "BlockingRecreate",
  "InPlaceRestart",
  "InPlaceRestart",
] as const;

/** Generates rules with any number of conditions. They apply to few Jobs. */
function rules(wedged: boolean): fc.Arbitrary<FailurePolicyRule> {
  const actions: readonly FailurePolicyAction[] = wedged
    ? ["RestartJob", "RestartJobAndIgnoreMaxRestarts", unknownAction]
    : [];
  return fc.record(
    {
      name: fc.constantFrom("one", "two"),
      action: fc.constantFrom<FailurePolicyAction>(
        "FailJobSet",
        "RestartJobSet",
        "RestartJobSetAndIgnoreMaxRestarts",
        ...actions,
      ),
      onJobFailureReasons: fc.subarray(["BackoffLimitExceeded", "DeadlineExceeded"]),
      onJobFailureMessagePatterns: fc.subarray(["^exit [0-9]+$", "(", "node"]),
      targetReplicatedJobs: targets(),
    },
    { requiredKeys: ["name", "action"] },
  );
}

/** Generates one or more rules. Rarely none, and none if a counterexample needs none. */
function arbitraryRules(
  actions: readonly FailurePolicyAction[],
): fc.Arbitrary<FailurePolicyRule[]> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant<FailurePolicyRule[]>([]) },
    { weight: 19, arbitrary: fc.array(rulesThatFit(actions), { minLength: 1, maxLength: 3 }) },
  );
}

/** Generates rules with at most one condition. They apply to some Jobs and not to others. */
function rulesThatFit(actions: readonly FailurePolicyAction[]): fc.Arbitrary<FailurePolicyRule> {
  const arbitraryList = (...lists: string[][]) => fc.constantFrom(...lists);
  const conditions: fc.Arbitrary<Partial<FailurePolicyRule>> = fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant({}) },
    {
      weight: 2,
      arbitrary: arbitraryList(
        ["BackoffLimitExceeded"],
        ["Other", "DeadlineExceeded"],
        ["Other", "BackoffLimitExceeded"],
      ).map((reasons) => ({ onJobFailureReasons: reasons })),
    },
    {
      weight: 5,
      arbitrary: arbitraryList(
        ["^exit [0-9]+$"],
        ["^oom", "^exit [0-9]+$"],
        ["^oom", "node"],
        ["^oom", "^exit [0-9]+$"],
        ["^EXIT", "NODE"],
      ).map((patterns) => ({ onJobFailureMessagePatterns: patterns })),
    },
    {
      weight: 2,
      arbitrary: arbitraryList(
        ...replicatedJobNames.map((name) => [name]),
        ["missing"],
        ...replicatedJobNames.map((name) => ["missing", name]),
      ).map((names) => ({ targetReplicatedJobs: names })),
    },
  );
  const actionRules = fc.record({
    name: fc.constantFrom("one", "two"),
    action: fc.constantFrom(...actions),
  });
  return fc.tuple(actionRules, conditions).map(([rule, condition]) => ({ ...rule, ...condition }));
}

const unknownAction = "Explode" as FailurePolicyAction;
