import type { ReconcileLawName } from "@jobset-ts/testing/reconcile";
import type { Replacement } from "./mutated-copy.ts";

/** A defect that JobSet had, has or could have. */
export type Defect = {
  /** The row of the list of known defects, or a number of our own. */
  readonly row: string;
  /** In a few words. */
  readonly what: string;
} & (Mutant | Elsewhere);

/** One that the libraries can have: a change of their sources brings it back. */
export interface Mutant {
  /** Whose laws are to catch it. */
  readonly laws: Bundle;
  /** The one that does. */
  readonly by: string;
  readonly changes: readonly Replacement[];
}

/** Laws that are held against a mutant together. */
export type Bundle =
  | "passes"
  /** Of the repair of exclusive placement. */
  | "repairs"
  /** Of the webhooks for Pods. */
  | "pods"
  /** Of the webhooks for JobSets, where no feature gate is on. */
  | "jobSets"
  /** The same where the gates are on that JobSet's webhooks ask for. */
  | "jobSetsUnderGates";

/** One that no change of the sources brings back, or none that laws of ours could see. */
export type Elsewhere =
  /** It takes time or faults: caches that lag, crashes, refused writes. */
  | { readonly of: "Simulator"; readonly why: string }
  | { readonly of: "Nobody"; readonly why: string };

/** One of passes that nobody has reported: a change of one line of core, and the law that catches it. */
export function ownPassDefect(
  number: string,
  what: string,
  by: ReconcileLawName,
  file: string,
  from: string,
  to: string,
): Defect {
  return { row: `own ${number}`, what, laws: "passes", by, changes: [{ file, from, to }] };
}

/** One of webhooks: a change of the sources, and the law of a bundle that catches it. */
export function webhookDefect(
  row: string,
  laws: Bundle,
  what: string,
  by: string,
  file: string,
  from: string,
  to: string,
): Defect {
  return { row, what, laws, by, changes: [{ file, from, to }] };
}
