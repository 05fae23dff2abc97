import { defaultedJob, withGeneratedSelector } from "./job-defaults.ts";
import type { KindRules } from "./kind-rules.ts";

/** What the API server does with a Job. */
export const jobRules: Partial<KindRules> = {
  countsGenerations: true,
  defaultPropagation: "Orphan",
  defaulted: defaultedJob,
  prepared: withGeneratedSelector,
};
