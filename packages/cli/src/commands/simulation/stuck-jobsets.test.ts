import { readFileSync } from "node:fs";
import { resolveFeatureGates } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { diagnose, diagnosedKinds } from "@jobset-ts/diagnose";
import { type Scenario, type SimulationResult, scenarioForJobSets, simulate } from "@jobset-ts/sim";
import type { StepResult } from "@jobset-ts/sim/kernel";
import { aJobSet } from "@jobset-ts/testing";
import { expect, it } from "vitest";
import { explainStuckJobSets } from "./stuck-jobsets.ts";

const jobSet = aJobSet("train").withReplicatedJob("workers", {
  template: {
    spec: {
      template: {
        spec: { restartPolicy: "Never", containers: [{ name: "main", image: "app:1" }] },
      },
    },
  },
});

/** Simulates a JobSet with faults for a minute and a half. */
function simulateWithFaults(faults: Scenario["faults"]): [SimulationResult, StepResult["events"]] {
  const life = scenarioForJobSets([jobSet], {
    seed: 1,
    failures: [],
    features: resolveFeatureGates({}),
  });
  const events: StepResult["events"][number][] = [];
  const run = simulate(
    { ...life, faults, endsAt: 90_000 },
    { onTurn: (turn) => void events.push(...turn.events) },
  );
  return [run, events];
}

it("a stuck JobSet at the end of a run is explained by the messages of the components", () => {
  const [run, events] = simulateWithFaults([{ fault: "WebhookOutage", from: 10, until: 900_000 }]);
  const [note, ...others] = explainStuckJobSets(run, events);
  expect(others).toEqual([]);
  expect(note?.severity).toBe("note");
  expect(note?.message).toMatch(
    /^train is stuck: webhook mpod\.kb\.io cannot be called: .*; repair the Pods of Service jobset-webhook-service in namespace jobset-system, /,
  );
  expect(explainStuckJobSets(run, [])).not.toEqual([note]);
});

it("a finished JobSet has no explanation", () => {
  const [run, events] = simulateWithFaults([]);
  expect(run.violations).toEqual([]);
  expect(explainStuckJobSets(run, events)).toEqual([]);
});

it("a run with an unseen suspension ends with Jobs that have the older node selector", () => {
  const finding = new URL("../../../../../docs/findings/unseen-suspension.json", import.meta.url);
  const scenario = JSON.parse(readFileSync(finding, "utf8")) as Scenario;
  const { end } = simulate(scenario);
  const objects = diagnosedKinds.flatMap((kind) => end.objects.ofKind<KubernetesObject>(kind));
  const snapshot = createSnapshot(objects, { kinds: diagnosedKinds });
  const notes = snapshot.jobSets.map(
    (one) => diagnose(snapshot, one, createContext({ now: end.now })).notes,
  );
  expect(notes).toEqual([
    [
      expect.stringMatching(
        /^job train-leader-0 runs with an older node selector \(.*=spot, but the JobSet has .*=on-demand\)/,
      ),
    ],
  ]);
});
