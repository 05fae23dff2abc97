import type { JobSet } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { clockOwners, faultNames } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { randomScenario } from "./random-scenario.ts";

/** Seeds of short scenarios that show every fault. If they no longer do, the test searches all others. */
const WITH_FAULTS = [
  87, 120, 16, 61, 6, 119, 56, 32, 95, 58, 62, 99, 107, 10, 106, 77, 115, 71, 65,
];
const MAX_TURNS_WITH_FAULTS = 500;

/** The same kind of seeds for the user actions. */
const WITH_ACTIONS = [159, 301, 331, 212, 272, 314, 152, 5, 34, 205, 165, 18, 175, 202, 1836, 2525];
const MAX_TURNS_WITH_ACTIONS = 6_000;

/** Returns some seeds, followed by all from 1. */
function listSeeds(first: readonly number[], most: number): readonly number[] {
  return [...first, ...Array.from({ length: most }, (_, index) => index + 1)];
}

describe("randomScenario", () => {
  it("a random scenario ends even if a policy restarts a JobSet without limit", () => {
    const { end, isIdle } = simulate(randomScenario(373));
    const [jobSet] = end.objects.ofKind<JobSet>("JobSet");
    expect(jobSet?.spec.failurePolicy?.rules?.[0]?.action).toBe(
      "RestartJobSetAndIgnoreMaxRestarts",
    );
    expect([isIdle, jobSet?.status?.restarts]).toEqual([true, 12]);
  });

  it("random scenarios contain every fault, with an effect", () => {
    // These have an effect once in hundreds of scenarios, and each one has a separate test.
    const rare: readonly string[] = ["RefuseObject", "SlowAgents", "StaleWebhook"];
    const unseen = new Set(faultNames.filter((name) => !rare.includes(name)));
    for (const seed of listSeeds(WITH_FAULTS, MAX_TURNS_WITH_FAULTS)) {
      if (unseen.size === 0) break;
      const scenario = randomScenario(seed);
      const names = scenario.faults.map(({ fault }) => fault);
      if (!names.some((name) => unseen.has(name))) continue;
      const whole = recordHistory(scenario);
      for (const name of names.filter((one) => unseen.has(one))) {
        const faults = scenario.faults.filter(({ fault }) => fault !== name);
        if (recordHistory({ ...scenario, faults }) !== whole) unseen.delete(name);
      }
    }
    expect([...unseen]).toEqual([]);
  });

  it("random scenarios contain an offset of each clock", () => {
    const off = new Set<string | undefined>();
    for (let seed = 1; seed <= 500; seed++) {
      for (const fault of randomScenario(seed).faults) {
        if (fault.fault === "ClockOffset" || fault.fault === "ClockJump") off.add(fault.clock);
      }
    }
    expect(off).toEqual(new Set([undefined, ...clockOwners]));
  });

  it("random scenarios contain every user action, with an effect", () => {
    const labels = [
      "restart-attempt",
      "job-restart-attempt",
      "replicatedjob-name",
      "job-index",
      "jobset-name",
    ];
    const unseen = new Set([
      ...labels.map((label) => `patch Job jobset.sigs.k8s.io/${label}`),
      "patch Pod jobset.sigs.k8s.io/jobset-name by labels",
      "patch JobSet suspend",
      "patch JobSet ttlSecondsAfterFinished",
      "patch JobSet replicatedJobs",
      "create JobSet",
      "delete Service",
      "delete PersistentVolumeClaim",
      "delete Pod by labels",
      "delete Pod by force by labels",
      ...["Foreground", "Background", "Orphan"].flatMap((policy) => [
        `delete Job ${policy}`,
        `delete JobSet ${policy}`,
      ]),
    ]);
    for (const seed of listSeeds(WITH_ACTIONS, MAX_TURNS_WITH_ACTIONS)) {
      if (unseen.size === 0) break;
      const scenario = randomScenario(seed);
      const deeds = listUserActions(scenario);
      if (!deeds.some((deed) => unseen.has(deed))) continue;
      const whole = recordHistory(scenario);
      for (const deed of deeds.filter((one) => unseen.has(one))) {
        const actions = scenario.actions.filter((_, at) => deeds[at] !== deed);
        if (recordHistory({ ...scenario, actions }) !== whole) unseen.delete(deed);
      }
    }
    expect([...unseen]).toEqual([]);
  });
});

/** Returns the kinds of user actions in a scenario. */
function listUserActions({ actions }: Scenario): readonly string[] {
  return actions.map(({ request, selector }) => {
    const { verb, object, propagationPolicy = "", gracePeriodSeconds } = request;
    const { metadata, spec = {} } = object as { metadata?: { labels?: object }; spec?: object };
    const edited = verb === "patch" ? Object.keys(metadata?.labels ?? spec)[0] : "";
    const how = gracePeriodSeconds === 0 ? "by force" : propagationPolicy;
    return [verb, object.kind, edited, how, selector && "by labels"].filter(Boolean).join(" ");
  });
}

/** Returns all writes, messages and turns of a run as text. */
function recordHistory(scenario: Scenario): string {
  const history: unknown[] = [];
  const { turns } = simulate(scenario, {
    safetyLaws: [],
    livenessLaws: [],
    steadyStateLaws: [],
    maxTurns: 2_000,
    onTurn: ({ changes, events }) =>
      history.push(
        changes.map(({ after }) => after),
        events,
      ),
  });
  return JSON.stringify([turns, history]);
}
