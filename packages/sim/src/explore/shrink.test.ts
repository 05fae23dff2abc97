import type { JobSet } from "@jobset-ts/api";
import { asRecord, type Node, type PodStatus } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { SafetyLaw } from "../laws/law.ts";
import type { Fault } from "../scenario/fault.ts";
import { missingSubject } from "../scenario/fault-subject.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SimulationResult, simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { EXCLUSIVE, getJobSet, withAnnotations, withJobSet, withSpec } from "./scenario-edits.ts";
import { shrink, shrinkAsync } from "./shrink.ts";

/** Violated by each cordoned node. */
const noNodeIsCordoned: SafetyLaw = {
  name: "noNodeIsCordoned",
  sentence: "No node is cordoned.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Node"],
  onChange: ({ after }) =>
    (after?.spec as { unschedulable?: boolean } | undefined)?.unschedulable ? "one is" : undefined,
};

/** Returns a function that shrinks with a number of tries. All calls share the results of simulated scenarios. */
function shrinkWithTries(scenario: Scenario, settings: SimulationOptions) {
  const results = new Map<string, SimulationResult>();
  const simulateOnce = async (candidate: Scenario) => {
    const key = JSON.stringify(candidate);
    const result = results.get(key) ?? simulate(candidate, settings);
    results.set(key, result);
    return result;
  };
  return async (tries: number) =>
    (await shrinkAsync(scenario, simulateOnce, tries))?.scenario ?? scenario;
}

describe("shrink", () => {
  const drain: Fault = { fault: "Drain", node: "node-0", from: 1_526, until: 9_000 };
  const scenario = {
    ...(typicalScenarios.failure as Scenario),
    faults: [
      drain,
      { fault: "LoseReply", request: 3 },
      { fault: "DelayRequest", request: 4, ms: 100 },
    ] satisfies readonly Fault[],
  };
  const settings = { safetyLaws: [noNodeIsCordoned], livenessLaws: [], steadyStateLaws: [] };

  it("shrink keeps only the fault that matters, as early and as short as possible", () => {
    const shrunk = shrink(scenario, settings);
    expect(shrunk?.scenario.faults).toEqual([{ ...drain, from: 1, until: 2 }]);
    expect(shrunk?.scenario.actions).toEqual([]);
    expect(shrunk?.result.violations[0]?.law).toBe("noNodeIsCordoned");
  });

  it("shrink keeps the required members of a JobSet and those that the violation needs", () => {
    const decorated = withJobSet(scenario, (jobSet) =>
      withSpec(withAnnotations(jobSet, EXCLUSIVE), {
        failurePolicy: {
          maxRestarts: 3,
          rules: [
            { name: "hosts", action: "FailJobSet", onJobFailureReasons: ["PodFailurePolicy"] },
          ],
        },
        network: { enableDNSHostnames: true },
        ttlSecondsAfterFinished: 600,
        startupPolicy: { startupPolicyOrder: "InOrder" },
      }),
    );
    const isExclusive: SafetyLaw = {
      ...noNodeIsCordoned,
      kinds: ["JobSet"],
      onChange: ({ after }) => (after?.metadata.annotations ? "it has annotations" : undefined),
    };
    const shrunk = shrink(decorated, { ...settings, safetyLaws: [isExclusive] });
    const { metadata, spec } = getJobSet(shrunk?.scenario as Scenario);
    expect(metadata.annotations).toEqual(EXCLUSIVE);
    expect(Object.keys(spec)).toEqual(["replicatedJobs"]);
  });

  it("shrink keeps only the webhook outages that matter", () => {
    const { onChange: _, kinds: __, ...rest } = noNodeIsCordoned;
    const noPodIsDenied: SafetyLaw = {
      ...rest,
      onRejection: ({ rejection: { message } }) =>
        message.includes('webhook "mpod.kb.io"') ? "one is" : undefined,
    };
    const outage: Fault = { fault: "WebhookOutage", from: 1, until: 9_000 };
    const [left] =
      shrink({ ...scenario, faults: [outage] }, { ...settings, safetyLaws: [noPodIsDenied] })
        ?.scenario.faults ?? [];
    expect(left).toMatchObject({ fault: "WebhookOutage", webhooks: ["mpod.kb.io"] });
  });

  it("shrink removes faults about nodes that it removes", async () => {
    const spare = { kind: "Node", metadata: { name: "node-9" } };
    const relabelled: Fault = { fault: "Relabel", node: "node-9", label: "x", from: 0, until: 99 };
    const nodeIsPlain: SafetyLaw = {
      ...noNodeIsCordoned,
      kinds: ["Job"],
      onChange: (_, { objects }) => {
        const node = objects.get<Node>("Node", "", "node-9");
        return node === undefined || "x" in asRecord(node.metadata.labels)
          ? "it is not"
          : undefined;
      },
    };
    const large = {
      ...scenario,
      objects: [...scenario.objects, spare],
      faults: [{ ...relabelled, value: "y" }],
    };
    const shrinkLarge = shrinkWithTries(large, { ...settings, safetyLaws: [nodeIsPlain] });
    const without: number[] = [];
    for (let tries = 1; tries <= 30; tries++) {
      const left = await shrinkLarge(tries);
      expect(left.faults.filter((fault) => missingSubject(fault, left) !== undefined)).toEqual([]);
      if (!left.objects.includes(spare)) without.push(tries);
    }
    expect(without.length).toBeGreaterThan(0);
  });

  it("shrink removes faults about Jobs that it removes", async () => {
    const kill: Fault = { fault: "KillContainers", job: "train-workers-1", at: 2_000 };
    const getWorkers = (jobSet: object | undefined) =>
      (jobSet as JobSet | undefined)?.spec.replicatedJobs?.find(({ name }) => name === "workers");
    const noPodIsKilled: SafetyLaw = {
      ...noNodeIsCordoned,
      kinds: ["JobSet", "Pod"],
      onChange: ({ after }) => {
        const isFewer = after?.kind === "JobSet" && (getWorkers(after)?.replicas ?? 1) < 2;
        const { containerStatuses = [] } = (after?.status ?? {}) as PodStatus;
        const isKilled = containerStatuses.some(({ state }) => state?.terminated?.exitCode === 137);
        return isFewer || isKilled ? "one is" : undefined;
      },
    };
    const large = { ...scenario, faults: [kill] };
    const shrinkLarge = shrinkWithTries(large, { ...settings, safetyLaws: [noPodIsKilled] });
    const without: number[] = [];
    for (let tries = 1; tries <= 20; tries++) {
      const left = await shrinkLarge(tries);
      expect(left.faults.filter((fault) => missingSubject(fault, left) !== undefined)).toEqual([]);
      if (getWorkers(left.objects.at(-1))?.replicas !== 2) without.push(tries);
    }
    expect(without.length).toBeGreaterThan(0);
  });

  it("shrink simulates at most the maximum number of scenarios", () => {
    expect(shrink(scenario, settings, 3)?.runCount).toBe(3);
  });

  it("shrink returns undefined if no law is violated", () => {
    expect(shrink({ ...scenario, faults: [] }, settings)).toBeUndefined();
  });
});
