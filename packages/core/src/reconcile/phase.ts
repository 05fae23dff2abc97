import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_KIND } from "@jobset-ts/api/keys";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import type { Context } from "../context.ts";
import { getName } from "../jobset-members.ts";
import type { Phase } from "../plan/decision-rules.ts";
import type { Decision, Plan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Draft } from "./draft.ts";
import type { RejectionStrategy } from "./rejection-strategy.ts";

/** The inputs of a pass, the same for all its phases. */
export interface Facts {
  readonly jobSet: Unvalidated<JobSet>;
  /** The child Jobs of the JobSet, from the snapshot. */
  readonly jobs: ClassifiedJobs;
  readonly snapshot: Snapshot;
  readonly context: Context;
  readonly onRejection: RejectionStrategy;
}

/** A phase of a pass: adds to the draft of earlier phases. */
export type PhaseFunction = (facts: Facts, draft: Draft) => Next;

/** The result of a phase: the pass continues with a draft, or ends. */
export type Next = { readonly action: "Continue"; readonly draft: Draft } | End;

/** The pass ends with a plan. */
export interface End {
  readonly action: "End";
  readonly plan: Plan;
}

/** Pods cannot run without the Service and the PersistentVolumeClaims. */
export const phasesThatPodsNeed: readonly Phase[] = ["service", "volume-claims"];

/** Returns the JobSet in the form in which decisions refer to it. */
export function jobSetReference({ jobSet }: Facts): Decision["object"] {
  return { kind: JOBSET_KIND, name: getName(jobSet) };
}
