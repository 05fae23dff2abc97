import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { byteLength, truncateUtf8 } from "@jobset-ts/api/text";
import type { Workload } from "../objects/workload.ts";
import { restorePodSetsInfo } from "./admit.ts";
import { podSetsInfoFromWorkload } from "./pod-set-info.ts";

/** What stopping a JobSet comes to. */
export type Stopped =
  /** It is suspended already; its templates stay as they are. */
  | { readonly action: "None"; readonly jobSet: Unvalidated<JobSet> }
  | {
      readonly action: "Stop";
      /** Suspended, and restored as far as there is a Workload that fits. */
      readonly jobSet: Unvalidated<JobSet>;
      /** The message of the Event `Stopped`. */
      readonly message: string;
    };

/**
 * A JobSet that no longer runs, with its templates as they were before it was admitted.
 *
 * @param workload - when there is none, or its Pod sets are not those of the JobSet, templates stay as they are
 * @param message - told in an Event, of which Kubernetes takes 1024 bytes; Kueue would read it as a format
 * @example
 * const stopped = stopJob({ spec: { suspend: false } }, undefined, "Not admitted by cluster queue");
 * stopped.jobSet.spec?.suspend // => true
 */
export function stopJob(
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload> | undefined,
  message: string,
): Stopped {
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
