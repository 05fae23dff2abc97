import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import { deepClone, deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { PodSet, ReclaimablePod } from "../index.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import { queuedJobSets } from "./arbitrary-queued-jobsets.ts";

/** Returns the Pod sets for which a JobSet needs quota. */
export type PodSets = (jobSet: Unvalidated<JobSet>) => KueueResult<readonly PodSet[]>;

/** There is one Pod set per ReplicatedJob, in order, and none has more Pods than run concurrently. */
export function podSetsMatchReplicatedJobs(podSets: PodSets): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (jobSet) => {
    const sets = listSets(podSets, deepFreeze(deepClone(jobSet)));
    const replicatedJobs = jobSet.spec.replicatedJobs ?? [];
    claimSame(
      sets.map(({ name }) => name),
      replicatedJobs.map(({ name }) => name.toLowerCase()),
      "the Pod sets do not match the ReplicatedJobs",
    );
    for (const [index, { replicas = 1, template }] of replicatedJobs.entries()) {
      const count = sets[index]?.count ?? -1;
      const most = replicas * (template.spec.parallelism ?? 1);
      claim(count >= 0 && count <= most, `${count} Pods where at most ${most} run`);
      claimSame(sets[index]?.template, template.spec.template, "the template differs");
      claimSame(sets[index]?.minCount, undefined, "a Pod set has more Pods than run concurrently");
    }
  });
}

function listSets(podSets: PodSets, jobSet: Unvalidated<JobSet>): readonly PodSet[] {
  const sets = podSets(jobSet);
  claim(sets.ok, "a JobSet without topology annotations is rejected", sets);
  return sets.ok ? sets.value : [];
}

/** Returns the name of a JobSet's Workload. */
export type WorkloadName = (jobSet: { readonly name: string; readonly uid: string }) => string;

/** A Workload name has a valid length, ends with five hexadecimal digits, and differs between JobSets. */
export function workloadNamesAreValidAndUnique(
  workloadName: WorkloadName,
  { maxBytes = 253 }: { readonly maxBytes?: number } = {},
): fc.IProperty<unknown> {
  const letters = fc.constantFrom("a", "b", "-", "1");
  const names = fc.oneof(
    fc.constantFrom("train", "t", "a".repeat(60), "a".repeat(300)),
    fc.string({ unit: letters, minLength: 1, maxLength: 300 }),
  );
  const identities = fc.record({ name: names, uid: fc.uuid() });
  return fc.property(identities, identities, (one, other) => {
    const name = workloadName(one);
    claim(name.length <= maxBytes, `${name} has ${name.length} characters`);
    claim(/^jobset-.*-[0-9a-f]{5}$/.test(name), `${name} is of another form`);
    claimSame(workloadName({ ...one }), name, "two names of one JobSet differ");
    // Five digits collide once in a million, so several names are compared.
    const others = Array.from({ length: 8 }, (_, index) => `${other.uid}-${index}`);
    const names = new Set(others.map((uid) => workloadName({ ...one, uid })));
    claim(names.size > 1, `${name} is that of other JobSets, too`);
  });
}

/** Returns the Pods of a JobSet that no longer need quota. */
export type ReclaimablePods = (
  jobSet: Unvalidated<JobSet>,
) => readonly ReclaimablePod[] | undefined;

/** Reclaimable Pods name the JobSet's Pod sets, in order, each once, and never exceed their size. */
export function reclaimablePodsMatchPodSets(subject: {
  readonly podSets: PodSets;
  readonly reclaimablePods: ReclaimablePods;
}): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (jobSet) => {
    const sets = listSets(subject.podSets, jobSet);
    const reclaimable = subject.reclaimablePods(deepFreeze(deepClone(jobSet))) ?? [];
    const names = reclaimable.map(({ name }) => name);
    const ordered = sets.map(({ name }) => name).filter((name) => names.includes(name));
    claimSame(names, ordered, "the Pods belong to other sets or are in another order");
    for (const { name, count } of reclaimable) {
      const most = sets.find((set) => set.name === name)?.count ?? 0;
      claim(count >= 0 && count <= most, `${count} of ${most} Pods are given back`);
      claim(count > 0 || most === 0, `none of ${most} Pods is given back, and it is said`);
    }
  });
}

/** Reclaimable Pods never decrease while Jobs succeed, up to the number of replicas. */
export function reclaimablePodsNeverDecrease(
  reclaimablePods: ReclaimablePods,
): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (jobSet) => {
    const [first] = jobSet.spec.replicatedJobs ?? [];
    const { name = "", replicas = 1 } = first ?? {};
    let before = 0;
    for (let succeeded = 0; succeeded <= replicas; succeeded += 1) {
      const entry = { name, succeeded, ready: 0, failed: 0, active: 0, suspended: 0 };
      const status = { restarts: 0, replicatedJobsStatus: [entry] };
      const reclaimable = reclaimablePods({ ...jobSet, status }) ?? [];
      const count = reclaimable.find((one) => one.name === name.toLowerCase())?.count ?? 0;
      claim(count >= before, `${count} Pods after ${before} with ${succeeded} Jobs`);
      before = count;
    }
    const { parallelism = 1, completions = parallelism } = first?.template.spec ?? {};
    claimSame(before, replicas * Math.min(parallelism, completions), "some Pods are not reclaimed");
  });
}
