import { wrongJobSetWebhooks } from "./wrong-jobset-webhooks.ts";
import { wrongListChecks } from "./wrong-list-checks.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import { wrongQuirks } from "./wrong-quirks.ts";
import { wrongReads } from "./wrong-reads.ts";
import { wrongRepairs } from "./wrong-repairs.ts";
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
  ...wrongJobSetWebhooks,
];
