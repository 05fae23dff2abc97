import { webhookBundles, webhooksUnder } from "./webhooks.ts";
import { wrongControllers } from "./wrong-controllers.ts";
import { wrongJobSetWebhooks } from "./wrong-jobset-webhooks.ts";
import { wrongPasses } from "./wrong-passes.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import { wrongRepairs } from "./wrong-repairs.ts";
import type { WrongSubject } from "./wrong-subject.ts";

const webhooks = [...wrongPodWebhooks, ...wrongJobSetWebhooks];

/** All wrong controllers and webhooks. */
export const wrongSubjects: readonly WrongSubject[] = [
  ...wrongPasses,
  ...wrongRepairs,
  ...wrongControllers,
  ...webhooks.map(({ what, bundle, by, wrong }): WrongSubject => {
    const right = webhooksUnder(webhookBundles[bundle].gates);
    return { what, laws: bundle, by, subject: () => ({ ...right, ...wrong(right) }) };
  }),
];
