import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { byteLength, truncateUtf8 } from "@jobset-ts/api/text";
import type { Workload } from "../objects/workload.ts";
import { restorePodSetsInfo } from "./admit.ts";
import { podSetsInfoFromWorkload } from "./pod-set-info.ts";

/** The result of stopping a JobSet. */
export type StopResult =
  /** The JobSet is already suspended. Its templates do not change. */
  | { readonly action: "None"; readonly jobSet: Unvalidated<JobSet> }
  | {
      readonly action: "Stop";
      /** The JobSet is suspended. It is restored if a matching Workload exists. */
      readonly jobSet: Unvalidated<JobSet>;
      /** The message of the Event `Stopped`. */
      readonly message: string;
    };

/**
 * Suspends a JobSet and restores the templates that it had before its admission.
 *
 * @param workload - if it is absent, or its Pod sets do not match the JobSet, the templates do not change
 * @param message - the Event message, truncated to 1024 bytes; Kueue uses it as a format string
 * @example
 * const stopped = stopJob({ spec: { suspend: false } }, undefined, "Not admitted by cluster queue");
 * stopped.jobSet.spec?.suspend // => true
 */
export function stopJob(
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload> | undefined,
  message: string,
): StopResult {
  if (isSuspended(jobSet)) return { action: "None", jobSet };
  const restored = restorePodSetsInfo(jobSet, podSetsInfoFromWorkload(workload)).jobSet;
  return {
    action: "Stop",
    jobSet: { ...restored, spec: { ...restored?.spec, suspend: true } },
    message: truncateMessage(message),
  };
}

const MAX_MESSAGE_BYTES = 1024;
const ELLIPSIS = " ...";

function truncateMessage(message: string): string {
  if (byteLength(message) <= MAX_MESSAGE_BYTES) return message;
  return `${truncateUtf8(message, MAX_MESSAGE_BYTES - ELLIPSIS.length)}${ELLIPSIS}`;
}
