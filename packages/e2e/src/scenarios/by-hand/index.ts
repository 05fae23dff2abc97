import type { Scenario } from "../../scenario.ts";
import { completion } from "./completion.ts";
import { elasticScaling } from "./elastic-scaling.ts";
import { exclusivePlacement } from "./exclusive-placement.ts";
import { failure } from "./failure.ts";
import { failureRules } from "./failure-rules.ts";
import { inPlaceRestarts } from "./in-place-restarts.ts";
import { jobs } from "./jobs.ts";
import { kubectlJobSet } from "./kubectl-jobset.ts";
import { managedBy } from "./managed-by.ts";
import { rejectedCreationStories } from "./rejected-creations.ts";
import { rejectedEditStories } from "./rejected-edits.ts";
import { restartJob } from "./restart-job.ts";
import { restarts } from "./restarts.ts";
import { services } from "./services.ts";
import { startup } from "./startup.ts";
import { suspension } from "./suspension.ts";
import { timeToLive } from "./time-to-live.ts";
import { volumeClaims } from "./volume-claims.ts";
import { withoutWebhooks } from "./without-webhooks.ts";

/** All stories that write the statuses of Jobs themselves. */
export const byHandScenarios: readonly Scenario[] = [
  ...completion,
  ...failure,
  ...failureRules,
  ...restarts,
  ...restartJob,
  ...startup,
  ...suspension,
  ...jobs,
  ...services,
  ...timeToLive,
  ...managedBy,
  ...exclusivePlacement,
  ...volumeClaims,
  ...elasticScaling,
  ...inPlaceRestarts,
  ...rejectedCreationStories,
  ...rejectedEditStories,
  ...kubectlJobSet,
  withoutWebhooks,
];
