import type { Scenario } from "../scenario.ts";
import { creation, rejectedCreation } from "./creation.ts";
import { elasticScaling } from "./elastic-scaling.ts";
import { leaderMoves, leaderPending } from "./exclusive-placement.ts";
import { failurePolicies } from "./failure-policies.ts";
import { managedElsewhere } from "./managed-by.ts";
import { inPlaceRestart, recreation } from "./restart-strategies.ts";
import { dependencies, inOrderStartup } from "./startup.ts";
import { successPolicies } from "./success-policies.ts";
import { suspension } from "./suspension.ts";
import { timeToLive } from "./time-to-live.ts";

/** All stories. They are independent, so they run in parallel. */
export const scenarios: readonly Scenario[] = [
  creation,
  rejectedCreation,
  dependencies,
  inOrderStartup,
  ...failurePolicies,
  ...recreation,
  inPlaceRestart,
  ...successPolicies,
  suspension,
  elasticScaling,
  timeToLive,
  managedElsewhere,
  leaderPending,
  leaderMoves,
];
