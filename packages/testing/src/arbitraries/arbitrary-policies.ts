import type {
  DependsOn,
  FailurePolicy,
  FailurePolicyAction,
  FailurePolicyRule,
  JobSetSpec,
} from "@jobset-ts/api";
import fc from "fast-check";
import type { Traits } from "./situations.ts";

/** The names that ReplicatedJobs have in these clusters. */
const replicatedJobNames = ["driver", "workers", "b"] as const;

/**
 * The policies of a JobSet: what it does when Jobs fail, complete and start, and when it has ended.
 *
 * @param wedged - whether now and then a rule asks for what cannot be done
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

/** What one ReplicatedJob waits for. */
export function dependencies({ dependsOn }: Traits): fc.Arbitrary<DependsOn[]> {
  return fc.array(
    fc.record({
      name: fc.constantFrom(...replicatedJobNames),
      status: fc.constantFrom("Ready" as const, "Complete" as const),
    }),
    { minLength: dependsOn === "Always" ? 1 : 0, maxLength: 1 },
  );
}

function targets(): fc.Arbitrary<string[]> {
  return fc.subarray([...replicatedJobNames, "nobody"]);
}

function failurePolicies(wedged: boolean, traits: Traits): fc.Arbitrary<FailurePolicy> {
  const { actions, features = [], restartStrategies = usualStrategies } = traits;
  // Without the gate nobody can restart single Jobs.
  const possible = (all: readonly FailurePolicyAction[]) =>
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
        : fc.array(rulesThatFit(possible(actions)), { minLength: 1, maxLength: 3 }),
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

/** Rules that ask for any number of things at once, and so apply to few Jobs. */
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

/** Rules that ask for one thing at most, and apply to some Jobs and not to others. */
function rulesThatFit(actions: readonly FailurePolicyAction[]): fc.Arbitrary<FailurePolicyRule> {
  const only = <Value>(...values: Value[]) => fc.constantFrom(...values).map((one) => [one]);
  const conditions: fc.Arbitrary<Partial<FailurePolicyRule>> = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: only("BackoffLimitExceeded", "DeadlineExceeded").map((reasons) => ({
        onJobFailureReasons: reasons,
      })),
    },
    {
      weight: 3,
      arbitrary: only("^exit [0-9]+$", "^oom", "node").map((patterns) => ({
        onJobFailureMessagePatterns: patterns,
      })),
    },
    {
      weight: 2,
      arbitrary: only(...replicatedJobNames, "nobody", "nobody").map((names) => ({
        targetReplicatedJobs: names,
      })),
    },
  );
  const asked = fc.record({
    name: fc.constantFrom("one", "two"),
    action: fc.constantFrom(...actions),
  });
  return fc.tuple(asked, conditions).map(([rule, condition]) => ({ ...rule, ...condition }));
}

const unknownAction = "Explode" as FailurePolicyAction;
