import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { type APod, aPod } from "../builders/a-pod.ts";

/** The state of the Pods of a JobSet with in-place restart. */
interface PodsInPlace {
  readonly missing: number;
  readonly attempt: number;
  readonly ahead: number;
  /** The number of failed Pods that were replaced. */
  readonly failed: number;
  readonly containerRestarts: number;
  /** Whether the restarted container is an init container. */
  readonly isInit: boolean;
  /** Whether one of the Pods announces a value that is not a number. */
  readonly isOdd: boolean;
  /** The state of the last Pod. Its announced attempt counts in each state. */
  readonly last: "Running" | "Succeeded" | "BeingDeleted";
}

/** Generates the state of the Pods of a JobSet with in-place restart. */
export function inPlaceRestartPods(): fc.Arbitrary<PodsInPlace> {
  return fc.record({
    missing: fc.constantFrom(0, 0, 0, 0, 0, 1),
    // Usually later than the current attempt in the status, which is at most 2.
    attempt: fc.nat(6),
    ahead: fc.constantFrom(0, 0, 0, 1),
    failed: fc.constantFrom(0, 1, 1, 1),
    containerRestarts: fc.constantFrom(0, 0, 0, 0, 0, 30),
    isInit: fc.constantFrom(false, true, true, true),
    isOdd: fc.constantFrom(...Array<boolean>(9).fill(false), true),
    last: fc.constantFrom("Running", "Succeeded", "Succeeded", "BeingDeleted", "BeingDeleted"),
  });
}

/** Returns the Pods in this state. */
export function restartedInPlace(
  jobs: readonly Job[],
  { missing, attempt, ahead, failed, containerRestarts, isInit, isOdd, last }: PodsInPlace,
): readonly KubernetesObject[] {
  const live = jobs.slice(missing).map((_, index, { length }) => {
    const pod = createAnnouncingPod(
      jobs,
      index,
      isOdd && index === 0 ? "x" : String(index < ahead ? attempt + 1 : attempt),
    ).withStatus({
      phase: index === length - 1 && last === "Succeeded" ? last : "Running",
      ...(index === 0 &&
        containerRestarts > 0 && {
          [isInit ? "initContainerStatuses" : "containerStatuses"]: [
            { name: "main", ready: true, image: "", imageID: "", restartCount: containerRestarts },
          ],
        }),
    });
    return index === length - 1 && last === "BeingDeleted" ? pod.beingDeleted() : pod;
  });
  const failedPods = Array.from({ length: failed }, (_, index) =>
    createAnnouncingPod(jobs, jobs.length + index, "0").withStatus({ phase: "Failed" }),
  );
  return [...live, ...failedPods];
}

/** Returns a Pod of the next of these Jobs, in turn. */
export function createAnnouncingPod(
  jobs: readonly Job[],
  index: number,
  attempt: string | undefined,
): APod {
  const job = jobs[index % jobs.length]?.metadata.name ?? "train-workers-0";
  return aPod(`${job}-${index}-abcde`).withAnnotations({
    [IN_PLACE_RESTART_ATTEMPT_KEY]: attempt,
  });
}
