import { crdAdmit } from "./crd-admit.ts";
import type { Family } from "./family.ts";
import { inPlaceRestartAgent } from "./in-place-restart-agent.ts";
import { jobCreate } from "./job-create.ts";
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

/** All covered families, one file each. */
export const families: ReadonlyMap<string, Family> = byName([
  crdAdmit,
  inPlaceRestartAgent,
  jobCreate,
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
 * Families whose decisions are in `vectors/`, but which no function replays yet. A replay of all families lists them.
 * A replay of one by name fails. Once a function replays a family, the family moves to {@link families}.
 */
export const notYetCovered: ReadonlySet<string> = new Set([]);

function byName(all: readonly Family[]): ReadonlyMap<string, Family> {
  return new Map(all.map((family) => [family.family, family]));
}
