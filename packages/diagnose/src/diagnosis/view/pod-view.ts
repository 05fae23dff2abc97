import type { ClusterIndex } from "./cluster-facts.ts";
import type { JobSetView, JobView } from "./jobset-view.ts";
import type { MemberPod } from "./member-pod.ts";

/** A Pod of a JobSet, as the checks see it. */
export interface PodView {
  readonly jobSet: JobSetView;
  readonly facts: ClusterIndex;
  readonly pod: MemberPod;
  /** The Job of the Pod. Absent for a Pod of an earlier restart attempt. */
  readonly job: JobView | undefined;
  /** Whether another Pod has replaced it and works. `undefined` if this depends on a Job that was not read. */
  readonly isReplaced: boolean | undefined;
}

/** A Pod of the current attempt. */
export interface PodInJob extends PodView {
  readonly job: JobView;
}

export function getCreationTime({ pod }: PodView) {
  return pod.pod.metadata?.creationTimestamp;
}
