// Shrunk scenarios from explorations that found a defect: in a law, in the simulated cluster or, for late-job,
// resumed-too-soon and untold-service, in the library.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";

const scenarios: readonly (readonly [scenario: string, why: string])[] = [
  ["gone-domain", "a Pod whose node is gone keeps no domain"],
  ["relabelled-node", "no watch reports that the label of a node changes"],
  ["two-leaders", "for a moment, two controllers lead, and each reacts to the writes of the other"],
  ["returned-node", "agents on a reconnected node reconcile their JobSet again"],
  ["deleted-late", "a finished JobSet may be deleted before its Jobs"],
  ["job-behind-its-back", "another client creates a Job while a pass suspends the JobSet"],
  [
    "failed-after-restarts",
    "a Pod with too many in-place restarts no longer exists when its JobSet fails",
  ],
  [
    "moved-while-resuming",
    "a JobSet gets quota of another flavor while the controller resumes it, so its Jobs cannot be updated",
  ],
  ["orphaned-meanwhile", "a Job is orphaned while the request to delete it is in flight"],
  [
    "relabelled-after-the-end",
    "a user labels a finished Job of a finished JobSet as part of an earlier attempt",
  ],
  ["scaled-to-as-many", "the sizes of elastic Jobs become equal only by scaling"],
  ["late-job", "a Job of an earlier attempt is created after the JobSet has failed"],
  ["resumed-too-soon", "a Job gets a different template only after its Pods have stopped"],
  [
    "former-jobset",
    "an agent with a stale cache does not see a JobSet that was deleted before the Pod was created",
  ],
  ["two-back-offs", "a request fails after the longest back-off, and another back-off follows"],
  [
    "untold-service",
    "the first status write reports the Service conflict, even if the failure policy writes it",
  ],
];

it.each(scenarios)("simulate of the scenario %s violates no law: %s", (scenario) => {
  const { rejectedRequests, violations } = simulate(scenarioIn(scenario));
  expect([rejectedRequests, violations]).toEqual([[], []]);
});

it.each([
  ["late-job", "EndSparesEarlierAttempts", "restartsDeleteOldJobs"],
  ["resumed-too-soon", "ResumePrecedesStop", "noWriteIsInvalid"],
] as const)(
  "simulate of the scenario %s violates a law under the quirk %s",
  (scenario, quirk, law) => {
    const { violations } = simulate(scenarioIn(scenario), { quirks: new Set([quirk]) });
    expect(violations.map((violation) => violation.law)).toEqual([law]);
  },
);

function scenarioIn(scenario: string): Scenario {
  const file = new URL(`testdata/${scenario}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}
