import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aClaim } from "../builders/a-claim.ts";
import { aJob } from "../builders/a-job.ts";
import { aJobSet } from "../builders/a-jobset.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import { controllerReference } from "../builders/object-steps.ts";
import { listServices } from "./arbitrary-services.ts";

/** Which objects of other owners a cluster has. */
type Strays = ReturnType<typeof strayObjects> extends fc.Arbitrary<infer Value> ? Value : never;

/** Generates which objects of other owners a cluster has. */
export function strayObjects(wedged: boolean) {
  return fc.record({
    surplus: fc.constantFrom(undefined, undefined, undefined, "idle" as const, "ready" as const),
    unknown: rarely,
    another: rarely,
    elsewhere: rarely,
    old: wedged ? rarely : fc.constant(false),
    podOfOld: fc.constantFrom(undefined, undefined, undefined, undefined, "0", "1", "3"),
    foreign: wedged
      ? fc.constantFrom(undefined, undefined, undefined, undefined, "alone", "owned")
      : fc.constant(undefined),
  });
}

const rarely = fc.constantFrom(false, false, false, false, true);

/** Returns Jobs that are not in the spec, and Jobs of other owners. */
export function listUnclaimedJobs(which: Pick<Strays, "surplus" | "unknown" | "another">) {
  const surplus = aJob("train-workers-8");
  return [
    ...(which.surplus === "idle" ? [surplus] : []),
    ...(which.surplus === "ready" ? [surplus.withStatus(running)] : []),
    ...(which.unknown ? [aJob("train-gone-0").completed()] : []),
    ...(which.another ? [aJob("other-b-0").failed()] : []),
  ];
}

const running = { ready: 1, active: 1 };

/**
 * Returns a Job with JobSet's labels and a required name, but without a controller. It may have the JobSet as a plain
 * owner.
 */
export function createUncontrolledJob(isOwned: boolean): Job {
  const job = aJob("train-b-0").withoutOwner().withUid("foreign").withStatus(running);
  const owner = { ...controllerReference(aJobSet("train")), controller: false };
  return isOwned ? { ...job, metadata: { ...job.metadata, ownerReferences: [owner] } } : job;
}

/** Returns a Job of an earlier JobSet with the same name, which was deleted and recreated. */
export function createJobOfOldJobSet(): Job {
  return aJob("train-workers-0")
    .withUid("of-old")
    .withStatus(running)
    .controlledBy(aJobSet("train").withUid("old-uid"))
    .beingDeleted();
}

/** Returns a Pod of that Job that has announced an in-place restart. */
export function createPodOfOldJobSet(attempt: string): APod {
  return aPod("train-workers-0-0-older")
    .withAnnotations({ [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt })
    .withStatus({ phase: "Running" })
    .controlledBy(createJobOfOldJobSet());
}

/** Returns the objects of a JobSet with the same name in another namespace. */
export function listObjectsInAnotherNamespace(): readonly KubernetesObject[] {
  const namesake = aJobSet("train").inNamespace("ml").withUid("elsewhere");
  return [
    aJob("train-workers-0").inNamespace("ml").controlledBy(namesake).withStatus(running),
    aJob("train-driver-0").inNamespace("ml").controlledBy(namesake).failed(),
    ...listServices({ names: ["train", "net"], selected: "train" }, "ml"),
    aClaim("data-train").inNamespace("ml"),
    aClaim("logs-train").inNamespace("ml"),
  ];
}
