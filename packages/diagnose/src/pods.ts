import { combineExtensions, type DiagnosisExtension } from "./diagnosis/checks/extension.ts";
import { containers } from "./diagnosis/extensions/containers/containers.ts";
import { deletion } from "./diagnosis/extensions/deletion/deletion.ts";
import { disruptions } from "./diagnosis/extensions/disruptions/disruptions.ts";
import { inPlaceRestart } from "./diagnosis/extensions/in-place-restart/in-place-restart.ts";
import { jobs } from "./diagnosis/extensions/jobs/jobs.ts";
import { placement } from "./diagnosis/extensions/placement/placement.ts";
import { scheduling } from "./diagnosis/extensions/scheduling/scheduling.ts";

/**
 * The checks of Pods: why they do not get a node, why their containers do not start or end, and why they are not
 * deleted.
 *
 * @example podChecks.kinds.includes("Deployment") // => false
 */
export const podChecks: DiagnosisExtension = combineExtensions([
  placement,
  scheduling,
  containers,
  disruptions,
  deletion,
  jobs,
  inPlaceRestart,
]);
