import {
  wrongJobSetCreations,
  wrongListChecks,
  wrongUnderGates,
} from "./wrong-jobset-creations.ts";
import { wrongJobSetUpdates } from "./wrong-jobset-updates.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import { wrongQuirks } from "./wrong-quirks.ts";
import { wrongReads, wrongRepairs } from "./wrong-reads.ts";
import type { WrongSubject } from "./wrong-subject.ts";
import { wrongWrites } from "./wrong-writes.ts";

/** All wrong controllers and webhooks. */
export const wrongSubjects: readonly WrongSubject[] = [
  ...wrongQuirks,
  ...wrongReads,
  ...wrongWrites,
  ...wrongRepairs,
  ...wrongPodWebhooks,
  ...wrongListChecks,
  ...wrongJobSetCreations,
  ...wrongUnderGates,
  ...wrongJobSetUpdates,
];
