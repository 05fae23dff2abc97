import type { Unvalidated } from "@jobset-ts/api";
import { asArray, isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { PodName } from "./census.ts";

/** A failed Pod, and the reasons for the failure. */
export interface FailedPod extends PodName {
  /** `Unknown` where nothing is said. */
  readonly reason: string;
  readonly message: string;
}

/**
 * Where the reason of a failed Pod is looked for.
 *
 * - `parity`: how the first container ended, and nowhere else
 * - `best`: the first that says something of: how the first container, those of the initialisation before the others, ended that
 *   did not end with 0; the Pod's own status, as after an eviction; how a container ended before it was restarted
 */
export type FailedReason = (typeof failedReasons)[number];

/** Every value of {@link FailedReason}. */
export const failedReasons = ["parity", "best"] as const;

/** Why a Pod failed, by what its status says. */
export function getFailure(
  pod: Unvalidated<Pod>,
  failedReason: FailedReason,
): Pick<FailedPod, "reason" | "message"> {
  const { reason, message } =
    failedReason === "best" ? containerText(pod) : firstContainerText(pod);
  return {
    reason: typeof reason === "string" ? reason : "Unknown",
    message: typeof message === "string" ? message : "",
  };
}

/** What may say something of a failure, unchecked. */
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
