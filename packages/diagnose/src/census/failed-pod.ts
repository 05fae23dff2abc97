import type { Unvalidated } from "@jobset-ts/api";
import { asArray, isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { PodName } from "./census.ts";

/** A failed Pod and the reason for the failure. */
export interface FailedPod extends PodName {
  /** `Unknown` if there is no reason. */
  readonly reason: string;
  readonly message: string;
}

/**
 * The source of a failed Pod's reason.
 *
 * - `FirstContainer`: the termination of the first container, and nothing else
 * - `BestAvailable`: the first available of: the first container that terminated with a nonzero code, init containers first; the
 *   Pod's status, as after an eviction; the previous run of a container
 */
export type FailedReason = (typeof failedReasons)[number];

/** Every value of {@link FailedReason}. */
export const failedReasons = ["FirstContainer", "BestAvailable"] as const;

/** Returns why a Pod failed, according to its status. */
export function getFailure(
  pod: Unvalidated<Pod>,
  failedReason: FailedReason,
): Pick<FailedPod, "reason" | "message"> {
  const { reason, message } =
    failedReason === "BestAvailable" ? containerText(pod) : firstContainerText(pod);
  return {
    reason: typeof reason === "string" ? reason : "Unknown",
    message: typeof message === "string" ? message : "",
  };
}

/** A reason and message of a failure, unvalidated. */
interface FailureText {
  readonly reason?: unknown;
  readonly message?: unknown;
}

function firstContainerText(pod: Unvalidated<Pod>): FailureText {
  return asArray(pod.status?.containerStatuses)[0]?.state?.terminated ?? {};
}

function containerText(pod: Unvalidated<Pod>): FailureText {
  const { status } = pod;
  const containers = [
    ...asArray(status?.initContainerStatuses),
    ...asArray(status?.containerStatuses),
  ].filter(isObject);
  const ended = containers.map((container) => container.state?.terminated).filter(isObject);
  const failed = ended.find(({ exitCode }) => typeof exitCode === "number" && exitCode !== 0);
  if (failed !== undefined) return failed;
  if (status?.reason || status?.message) return status;
  return containers.map((container) => container.lastState?.terminated).find(isObject) ?? {};
}
