// Samples that violate each rule about the success policy and the failure policy alone.
import {
  type AnyObject,
  createJobSet,
  insertAtEachIndex,
  letters,
  type RuleRow,
  replicatedJob,
  samples,
  train,
  withOthers,
} from "./rule-samples.ts";

const createSuccessPolicy = (...targets: readonly string[]) =>
  train({ successPolicy: { operator: "All", targetReplicatedJobs: targets } });

export const successRules: readonly RuleRow[] = [
  {
    rule: "success-targets-exist",
    says: "the success policy names ReplicatedJobs that exist",
    kept: samples(createSuccessPolicy("workers"), createSuccessPolicy("driver", "workers")),
    broken: samples(
      createSuccessPolicy("nope"),
      createSuccessPolicy("workers", "nope"),
      createSuccessPolicy(""),
      createSuccessPolicy("work"),
      createSuccessPolicy("Workers"),
      train({ successPolicy: { operator: "Any", targetReplicatedJobs: ["nope"] } }),
      ...insertAtEachIndex("nope", ["driver", "workers"]).map((targets) =>
        createSuccessPolicy(...targets),
      ),
    ),
  },
];

const withRules = (...rules: readonly AnyObject[]) =>
  train({
    failurePolicy: {
      maxRestarts: 1,
      rules: rules.map((rule, index) => ({ name: `rule${index}`, action: "FailJobSet", ...rule })),
    },
  });

/** The actions that the rules of other samples do not have. */
const otherActions = ["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"] as const;

/** Returns three rules, one of which is different. */
const withRuleInEachPlace = (rule: AnyObject) =>
  insertAtEachIndex(rule, [{}, {}]).map((rules) => withRules(...rules));

/** Returns three rules with an element at each position of a list. */
const withElementInEachPlace = (member: string, element: string, others: readonly string[]) =>
  insertAtEachIndex(element, others).flatMap((list) => withRuleInEachPlace({ [member]: list }));

export const failureRules: readonly RuleRow[] = [
  {
    rule: "rule-name-valid",
    says: "the name of a failure policy rule has 1 to 128 characters that are valid in a reason",
    kept: samples(
      withRules({ name: "a,b:c_" }),
      withRules({ name: "A9" }),
      withRules({ name: letters(128) }),
    ),
    broken: samples(
      withRules({ name: "1rule" }),
      ...["rule,", "rule:", "_rule", "a rule", "a.rule", "a-rule"].map((name) =>
        withRules({ name }),
      ),
      withRules({ name: "" }),
      withRules({ name: letters(129) }),
      ...otherActions.map((action) => withRules({ name: "1rule", action })),
      ...withRuleInEachPlace({ name: "1rule" }),
      ...withRuleInEachPlace({ name: letters(129) }),
    ),
  },
  {
    rule: "failure-targets-exist",
    says: "a failure policy rule names ReplicatedJobs that exist",
    kept: samples(
      withRules({ targetReplicatedJobs: ["workers"] }),
      ...withRuleInEachPlace({ targetReplicatedJobs: ["workers", "driver"] }),
    ),
    broken: samples(
      ...["nope", "work", "Workers", ""].map((name) => withRules({ targetReplicatedJobs: [name] })),
      ...otherActions.map((action) => withRules({ targetReplicatedJobs: ["nope"], action })),
      ...withElementInEachPlace("targetReplicatedJobs", "nope", ["workers", "driver"]),
    ),
  },
  {
    rule: "failure-reason-known",
    says: "a failure policy rule names failure reasons of Jobs",
    kept: samples(
      ...[
        "BackoffLimitExceeded",
        "DeadlineExceeded",
        "FailedIndexes",
        "MaxFailedIndexesExceeded",
        "PodFailurePolicy",
      ].map((reason) => withRules({ onJobFailureReasons: [reason] })),
      withRules({ onJobFailureReasons: ["BackoffLimitExceeded", "PodFailurePolicy"] }),
    ),
    broken: samples(
      withRules({ onJobFailureReasons: ["fakeReason"] }),
      withRules({ onJobFailureReasons: ["deadlineExceeded"] }),
      ...otherActions.map((action) => withRules({ onJobFailureReasons: ["fakeReason"], action })),
      withRules({ onJobFailureReasons: ["DeadlineExceeded", ""] }),
      ...withElementInEachPlace("onJobFailureReasons", "fakeReason", [
        "DeadlineExceeded",
        "PodFailurePolicy",
      ]),
    ),
  },
  {
    rule: "message-pattern-valid",
    says: "a message pattern compiles",
    kept: samples(
      withRules({ onJobFailureMessagePatterns: ["exit (code )?[0-9]+"] }),
      withRules({ onJobFailureMessagePatterns: ["(?i)oom", "(?P<code>[0-9]+)"] }),
    ),
    broken: samples(
      withRules({ onJobFailureMessagePatterns: ["("] }),
      withRules({ onJobFailureMessagePatterns: ["(a)\\1"] }),
      withRules({ onJobFailureMessagePatterns: ["a{1001}"] }),
      ...otherActions.map((action) => withRules({ onJobFailureMessagePatterns: ["("], action })),
      withRules({ onJobFailureMessagePatterns: ["exit (?!0)"] }),
      withRules({ onJobFailureMessagePatterns: ["exit", "[z-a]"] }),
      ...withElementInEachPlace("onJobFailureMessagePatterns", "(", ["exit", "oom"]),
    ),
  },
  {
    rule: "rule-names-unique",
    says: "the names of failure policy rules differ",
    kept: samples(withRules({}, {}), withRules({ name: "same" }, { name: "Same" })),
    broken: samples(
      withRules({ name: "same" }, { name: "same" }),
      withRules({ name: "same" }, {}, { name: "same" }),
      withRules({}, { name: "same" }, { name: "same" }),
    ),
  },
];

const restartRule = (action: string, at = 0) => ({
  failurePolicy: {
    maxRestarts: 1,
    rules: insertAtEachIndex(action, ["FailJobSet", "RestartJobSet"])[at]?.map((one, index) => ({
      name: `rule${index}`,
      action: one,
    })),
  },
});
const createRestartRule = (action: string, replicas = 2, at = 0) =>
  createJobSet([replicatedJob("w", {}, { replicas })], restartRule(action, at));
const singleRestarts = ["RestartJob", "RestartJobAndIgnoreMaxRestarts"] as const;

/** Which samples satisfy the rule depends on the feature gate `RestartJob`. */
export const restartJobRules: readonly RuleRow[] = [
  {
    rule: "restart-job-enabled",
    says: "restarting single Jobs needs the feature gate RestartJob",
    kept: samples(
      createRestartRule("RestartJobSet"),
      createRestartRule("RestartJobSetAndIgnoreMaxRestarts"),
    ),
    broken: samples(
      ...singleRestarts.flatMap((action) =>
        [0, 1, 2].map((at) => createRestartRule(action, 2, at)),
      ),
    ),
  },
];

/** Requirements with the feature gate `RestartJob`. */
export const restartCountRules: readonly RuleRow[] = [
  {
    rule: "restart-job-countable",
    says: "single restarts apply to at most 1024 Jobs of a ReplicatedJob",
    kept: samples(
      createRestartRule("RestartJob", 1024),
      createRestartRule("RestartJobSet", 1025),
      createRestartRule("RestartJob", 1024).withReplicatedJob("more"),
    ),
    broken: samples(
      ...singleRestarts.flatMap((action) =>
        [0, 1, 2].map((at) => createRestartRule(action, 1025, at)),
      ),
      ...withOthers(replicatedJob("w", {}, { replicas: 1025 }), {
        spec: restartRule("RestartJob"),
      }),
    ),
  },
];
