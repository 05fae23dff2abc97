import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_KIND } from "@jobset-ts/api/keys";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import type { Context } from "../context.ts";
import { getName } from "../jobset-members.ts";
import type { Phase } from "../plan/decision-rules.ts";
import type { Decision, Plan } from "../plan/plan.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Draft } from "./draft.ts";
import type { RefusalStrategy } from "./refusal-strategy.ts";

/** What a pass starts from: the same for all its phases. */
export interface Facts {
  readonly jobSet: Unvalidated<JobSet>;
  /** Its child Jobs, as the snapshot has them. */
  readonly jobs: ClassifiedJobs;
  readonly snapshot: Snapshot;
  readonly context: Context;
  readonly onRefusal: RefusalStrategy;
}

/** A part of a pass: what it adds to what was decided before it. */
export type PhaseFunction = (facts: Facts, draft: Draft) => Next;

/** What comes behind a phase: the next one, or the end of the pass. */
export type Next = { readonly action: "GoOn"; readonly draft: Draft } | End;

/** The pass ends with a plan. */
export interface End {
  readonly action: "End";
  readonly plan: Plan;
}

/** Pods cannot run without the Service and the PersistentVolumeClaims. */
export const phasesThatPodsNeed: readonly Phase[] = ["service", "volume-claims"];

/** Returns the JobSet, as decisions name it. */
export function self({ jobSet }: Facts): Decision["object"] {
  return { kind: JOBSET_KIND, name: getName(jobSet) };
}
