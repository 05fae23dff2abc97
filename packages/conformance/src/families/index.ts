import { crdAdmit } from "./crd-admit.ts";
import type { Family } from "./family.ts";
import { inPlaceRestartAgent } from "./in-place-restart-agent.ts";
import { jobsConstruct } from "./jobs-construct.ts";
import { jobsetDefault } from "./jobset-default.ts";
import {
  jobsetValidateCreate,
  jobsetValidateDelete,
  jobsetValidateUpdate,
} from "./jobset-validate.ts";
import { kueueFamilies } from "./kueue/index.ts";
import { podMutate } from "./pod-mutate.ts";
import { podPlacementReconcile } from "./pod-placement-reconcile.ts";
import { podValidate } from "./pod-validate.ts";
import { reconcileFamily, reconcileFaults } from "./reconcile.ts";

/** Every family that we answer, one file each. */
export const families: ReadonlyMap<string, Family> = byName([
  crdAdmit,
  inPlaceRestartAgent,
  jobsConstruct,
  jobsetDefault,
  jobsetValidateCreate,
  jobsetValidateDelete,
  jobsetValidateUpdate,
  podMutate,
  podPlacementReconcile,
  podValidate,
  reconcileFamily,
  reconcileFaults,
  ...kueueFamilies,
]);

/**
 * The families whose decisions are in `vectors/` before the functions that answer them exist. A replay of all
 * that is shipped lists them; whoever asks for one by name is told that it fails. A family leaves this list for
 * {@link families}.
 */
export const notYetCovered: ReadonlySet<string> = new Set([]);

function byName(all: readonly Family[]): ReadonlyMap<string, Family> {
  return new Map(all.map((family) => [family.family, family]));
}
