import { allChecks } from "@jobset-ts/diagnose/all";
import { createTemplateChecks } from "@jobset-ts/diagnose/control-plane";
import { validateRedactedJob } from "../../admission/rejected-jobs.ts";

/** The checks for the JobSets of a cluster or a dump. */
export const clusterChecks = [createTemplateChecks(validateRedactedJob), ...allChecks];
