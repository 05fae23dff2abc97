import type { DiagnosisExtension } from "./diagnosis/checks/extension.ts";
import { controlPlaneChecks } from "./diagnosis/extensions/control-plane/control-plane.ts";
import { kueueChecks } from "./diagnosis/extensions/kueue/kueue.ts";
import { ownerChecks } from "./diagnosis/extensions/owners/owners.ts";
import { diagnosedKinds } from "./diagnosis/view/latest-timestamp.ts";
import { podChecks } from "./pods.ts";

/**
 * All checks of a diagnosis in addition to its built-in ones.
 *
 * @example allChecks.length // => 4
 */
export const allChecks: readonly DiagnosisExtension[] = [
  podChecks,
  kueueChecks,
  controlPlaneChecks,
  // Owners come last, because they replace advice of the others to change the JobSet.
  ownerChecks,
];

/**
 * The kinds that a diagnosis with all checks reads. Read these from a cluster, as far as it serves them.
 *
 * @example allKinds.includes("Workload") // => true
 */
export const allKinds: readonly string[] = [
  ...diagnosedKinds,
  ...allChecks.flatMap(({ kinds }) => kinds),
];
