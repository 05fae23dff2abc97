import { createContext } from "@jobset-ts/core";
import { aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import {
  type AnyObject,
  invalid,
  jobSet,
  plain,
  replicatedJob,
} from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  createErrors,
  emptyCluster,
  getDenial,
  updateErrors,
  validateCreation,
  withGates,
} from "./testing/denials.ts";

describe("the failure policy", () => {
  const length = (bytes: number) =>
    plain(
      `invalid failure policy rule name of length ${bytes}, the rule name must be at least 1 characters long and at most 128 characters long`,
    );
  const syntax = (name: string) =>
    plain(
      `invalid failure policy rule name '${name}', a failure policy rule name must start with an alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'`,
    );
  const notUnique = (indexes: string, name: string) =>
    plain(
      `rule names are not unique, rules with indices [${indexes}] all have the same name '${name}'`,
    );
  const rules = (...list: readonly AnyObject[]) => jobSet({ failurePolicy: { rules: list } });
  const rule = (rest: AnyObject = {}) => ({ name: "r", action: "FailJobSet", ...rest });

  it.each<[string, AnyObject, readonly string[]]>([
    ["has 128 bytes", "a".repeat(128), []],
    ["ends in an underscore", "a_", []],
    ["has 129 bytes", "a".repeat(129), [length(129)]],
    ["is empty", "", [length(0), syntax("")]],
    ["is absent", undefined, [length(0), syntax("")]],
    ["starts with a digit", "1ruleToRuleThemAll", [syntax("1ruleToRuleThemAll")]],
    ["ends in a comma", "ruleToRuleThemAll,", [syntax("ruleToRuleThemAll,")]],
    ["contains a line break", "a\n", [syntax("a\n")]],
  ])("a failure policy rule's name is denied if it %s", (_, name, errors) => {
    expect(createErrors(rules(rule({ name })))).toEqual(errors);
  });

  it("duplicate rule names are reported once each, in order of first occurrence", () => {
    const named = ["b", "a", "b", "a", "b"].map((name) => rule({ name }));
    expect(createErrors(rules(...named))).toEqual([notUnique("0 2 4", "b"), notUnique("1 3", "a")]);
  });

  it("a default rule name counts as a name", () => {
    const named = [rule({ name: "failurePolicyRule0" }), rule({ name: "failurePolicyRule0" })];
    expect(createErrors(rules(...named))).toEqual([notUnique("0 1", "failurePolicyRule0")]);
  });

  it("rules without names are reported for the missing and for the duplicate name", () => {
    expect(createErrors(rules(rule({ name: undefined }), rule({ name: "" })))).toEqual([
      length(0),
      syntax(""),
      length(0),
      syntax(""),
      notUnique("0 1", ""),
    ]);
  });

  it("each unknown target and failure reason is reported", () => {
    const target = plain(
      "invalid replicatedJob name 'fakeReplicatedJob' in failure policy does not appear in .spec.ReplicatedJobs",
    );
    const reason = plain(
      "invalid job failure reason 'fakeReason' in failure policy is not a recognized job failure reason",
    );
    const bad = rule({
      targetReplicatedJobs: ["fakeReplicatedJob", "fakeReplicatedJob"],
      onJobFailureReasons: ["fakeReason", "DeadlineExceeded", "DeadlineExceeded"],
    });
    expect(createErrors(rules(bad))).toEqual([target, target, reason]);
  });

  it.each(["RestartJob", "RestartJobAndIgnoreMaxRestarts"])(
    "the actions %s need their gate, without which rules are not checked",
    (action) => {
      const gate = plain(
        "RestartJob and RestartJobAndIgnoreMaxRestarts failure policy actions are not allowed when RestartJob feature gate is disabled",
      );
      expect(createErrors(rules(rule({ name: "" }), rule({ action, name: "" })))).toEqual([gate]);
      expect(createErrors(rules(rule({ action })), withGates("RestartJob"))).toEqual([]);
    },
  );

  it("RestartJob is limited to 1024 Jobs, reported once", () => {
    const tooMany = plain(
      "JobSet cannot have a failure policy rule with RestartJob or RestartJobAndIgnoreMaxRestarts action and a replicated job with replicas > 1024",
    );
    const jobSetWithReplicas = (...replicas: readonly number[]) => ({
      failurePolicy: { rules: [rule({ action: "RestartJob" })] },
      replicatedJobs: replicas.map((count, index) =>
        aReplicatedJob(`w${index}`, { replicas: count }),
      ),
    });
    const on = withGates("RestartJob");
    expect(createErrors(jobSet(jobSetWithReplicas(1024)), on)).toEqual([]);
    expect(createErrors(jobSet(jobSetWithReplicas(1025, 2000)), on)).toEqual([tooMany]);
  });

  it("invalid message patterns are denied by default and admitted by upstream", () => {
    const bad = rules(rule({ onJobFailureMessagePatterns: ["ok", "a(b"] }));
    expect(createErrors(bad)).toEqual([]);
    expect(createErrors(bad, contextWithoutQuirk("InvalidPatternAdmitted"))).toEqual([
      invalid(
        "spec.failurePolicy.rules[0].onJobFailureMessagePatterns[1]",
        '"a(b"',
        "error parsing regexp: missing closing ): `a(b`",
      ),
    ]);
  });
});

describe("the work of message patterns", () => {
  /** JobSets in which each rule has one list of these patterns. */
  const jobSetWithPatterns = (...patterns: readonly (readonly string[])[]) =>
    jobSet({
      replicatedJobs: [replicatedJob("w")],
      failurePolicy: {
        rules: patterns.map((onJobFailureMessagePatterns, index) => ({
          name: `r${index}`,
          action: "FailJobSet",
          onJobFailureMessagePatterns,
        })),
      },
    });
  const tooMuch = (path: string, pattern: string, needed: number) =>
    invalid(
      path,
      JSON.stringify(pattern),
      `the message patterns up to this one need ${needed} units of work, and those of a JobSet may need 50000 together`,
    );
  const bounded = contextWithoutQuirk("PatternWorkUnbounded");

  it("the work budget of patterns applies to all rules together, and is reported once", () => {
    const long = "a".repeat(50_000 - 4 - 9);
    expect(createErrors(jobSetWithPatterns([long], ["exit!"]), bounded)).toEqual([]);
    expect(createErrors(jobSetWithPatterns([long], ["exit 1", "b"], ["c"]), bounded)).toEqual([
      tooMuch("spec.failurePolicy.rules[1].onJobFailureMessagePatterns[0]", "exit 1", 50_001),
    ]);
    expect(createErrors(jobSetWithPatterns([long], ["exit 1", "b"], ["c"]))).toEqual([]);
  });

  it("an expensive pattern is reported by another rule than an invalid one", () => {
    const bad = jobSetWithPatterns(["("], ["a".repeat(60_000)]);
    const { roots } = getDenial(validateCreation(bad, emptyCluster, createContext({ now: 0 })));
    expect(roots.map(({ id }) => id)).toEqual([
      "message-pattern-valid",
      "message-pattern-work-bounded",
    ]);
  });

  it.each([8_000, 20_000])("%d patterns are not compiled during admission", (count) => {
    const hostile = jobSetWithPatterns(Array<string>(count).fill("\\pL{1000}"), ["("]);
    const path = "spec.failurePolicy.rules[0].onJobFailureMessagePatterns[30]";
    const error = tooMuch(path, "\\pL{1000}", 31 * 1664);
    expect(createErrors(hostile, bounded)).toEqual([error]);
    expect(createErrors(hostile, createContext({ now: 0 }))).toEqual([error]);
    // A pattern that is not compiled because of its cost is not rejected for any other reason.
    expect(createErrors(hostile, contextWithoutQuirk("InvalidPatternAdmitted"))).toEqual([]);
    expect(createErrors(hostile)).toEqual([]);
  });

  it("the work budget of patterns does not deny an update of an existing JobSet", () => {
    const stored = jobSetWithPatterns(["a".repeat(60_000)]);
    const suspended = { ...stored, spec: { ...stored.spec, suspend: true } };
    const context = createContext({ now: 0 });
    expect(updateErrors(stored, suspended, context)).toEqual([]);
    expect(updateErrors(jobSetWithPatterns(), stored, context)).not.toEqual([]);
  });
});
