import { wrongControllers } from "./wrong-controllers.ts";
import { wrongJobSetWebhooks } from "./wrong-jobset-webhooks.ts";
import { wrongPasses } from "./wrong-passes.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import { wrongRepairs } from "./wrong-repairs.ts";
import type { WrongSubject } from "./wrong-subject.ts";

/** All wrong controllers and webhooks. */
export const wrongSubjects: readonly WrongSubject[] = [
  ...wrongPasses,
  ...wrongRepairs,
  ...wrongControllers,
  ...wrongPodWebhooks,
  ...wrongJobSetWebhooks,
];
