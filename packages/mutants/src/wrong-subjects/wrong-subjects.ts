import { wrongCopies } from "./wrong-copies.ts";
import { wrongCorners } from "./wrong-corners.ts";
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
  ...wrongCopies,
  ...wrongCorners,
  ...wrongRepairs,
  ...wrongPodWebhooks,
  ...wrongListChecks,
  ...wrongJobSetWebhooks,
];
