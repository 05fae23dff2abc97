import type { Features, JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { clusters, jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { type CreateEffect, snapshotOf } from "../../index.ts";
import { childKeysByTheTable } from "../reference/child-keys-by-the-table.ts";
import { effectsOf, type Reconcile } from "./subject.ts";

/** The keys of one child Job: of the ReplicatedJob at a position of the spec, and of its Job with an index. */
export type ChildKeysAt = (
  jobSet: JobSet,
  position: number,
  jobIndex: number,
  context: { readonly features: Features },
) => Readonly<Record<string, string>>;

/** The keys of every child Job are those that a slow reference model reads off the table, one by one. */
export function childKeysAgree(subject: ChildKeysAt): fc.IProperty<unknown> {
  const gates = fc.constantFrom<Features>(new Set(), new Set(["RestartJob"] as const));
  return fc.property(jobSets(), gates, (jobSet, features) => {
    for (const [position, { replicas = 1 }] of (jobSet.spec.replicatedJobs ?? []).entries()) {
      for (let index = 0; index < replicas; index++) {
        const expected = childKeysByTheTable(jobSet, position, index, { features });
        const keys = subject(jobSet, position, index, { features });
        claimSame(inOrder(keys), inOrder(expected), `Job ${index} of ${position} has other keys`);
      }
    }
  });
}

/**
 * Created Jobs, and their Pods, carry the keys that a slow reference model reads off the table, as labels and
 * as annotations.
 */
export function indexLabelsAgree(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false }), (cluster) => {
    const { jobSet, others, context } = cluster;
    const plan = subject(snapshotOf([jobSet, ...others], { kinds: "all" }), jobSet, context);
    const created = effectsOf(plan, "create-jobs").filter(isCreation);
    for (const job of created.map(({ object }) => object as Job)) {
      const expected = Object.entries(expectedKeys(jobSet, job, context));
      for (const { metadata } of [job, job.spec.template]) {
        for (const [key, value] of expected) {
          const carried = [metadata?.labels?.[key], metadata?.annotations?.[key]];
          claimSame(carried, [value, value], `${job.metadata.name} has another ${key}`);
        }
      }
    }
  });
}

function expectedKeys(jobSet: JobSet, job: Job, context: { readonly features: Features }) {
  const all = jobSet.spec.replicatedJobs ?? [];
  for (const [position, { name, replicas = 1 }] of all.entries()) {
    for (let index = 0; index < replicas; index++) {
      if (job.metadata.name !== `train-${name}-${index}`) continue;
      return childKeysByTheTable(jobSet, position, index, context);
    }
  }
  claim(false, "a Job is created that nobody asked for", job.metadata.name);
  return {};
}

function isCreation(effect: { readonly verb: string }): effect is CreateEffect {
  return effect.verb === "create";
}

function inOrder(keys: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1)));
}
