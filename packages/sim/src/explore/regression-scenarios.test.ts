// Shrunk scenarios from explorations that found a defect: in a law, in the simulated cluster or, for late-job,
// resumed-too-soon and untold-service, in the library.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";

const once: readonly (readonly [scenario: string, why: string])[] = [
  ["gone-domain", "a Pod whose node is gone keeps no domain"],
  ["relabelled-node", "no watch reports that the label of a node changes"],
  ["two-leaders", "of two that lead for a moment, each answers what the other writes"],
  ["returned-node", "agents on a node that comes back look at their JobSet again"],
  ["deleted-late", "a JobSet that has ended may be gone before its Jobs are deleted"],
  ["job-behind-its-back", "another client creates a Job while a pass suspends the JobSet"],
  ["failed-after-restarts", "a Pod with too many in-place restarts is gone when its JobSet fails"],
  [
    "moved-while-resuming",
    "a JobSet gets quota of another flavor while the controller resumes it, and no Job can follow",
  ],
  ["orphaned-meanwhile", "a Job is orphaned while the request is under way that deletes it"],
  [
    "relabelled-after-the-end",
    "a user says of a Job that it is of an earlier attempt when it and its JobSet have ended",
  ],
  ["scaled-to-as-many", "the sizes of elastic Jobs are equal only after they have changed"],
  ["late-job", "a Job of an earlier attempt is made when the JobSet has failed"],
  ["resumed-too-soon", "a Job gets another template only when its Pods have stopped"],
  ["former-jobset", "an agent that lags behind sees no JobSet that was gone before its Pod came"],
  ["two-back-offs", "a request fails when the longest back-off is over, and another one follows"],
  ["untold-service", "the first status tells of the Service, even if a failure policy writes it"],
];

it.each(once)("no law is violated anymore in %s: %s", (scenario) => {
  const { rejectedRequests, violations } = simulate(scenarioIn(scenario));
  expect([rejectedRequests, violations]).toEqual([[], []]);
});

it.each([
  ["late-job", "EndSparesEarlierAttempts", "restartsDeleteOldJobs"],
  ["resumed-too-soon", "ResumePrecedesStop", "noWriteIsInvalid"],
] as const)("a law is violated in %s with the quirk %s", (scenario, quirk, law) => {
  const { violations } = simulate(scenarioIn(scenario), { quirks: new Set([quirk]) });
  expect(violations.map((violation) => violation.law)).toEqual([law]);
});

function scenarioIn(scenario: string): Scenario {
  const file = new URL(`testdata/${scenario}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}
