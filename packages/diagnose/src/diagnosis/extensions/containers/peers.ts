import { parseTime } from "@jobset-ts/api";
import { asRecord, asString } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import { findTrueCondition } from "@jobset-ts/core/status";
import { getObjectKey } from "../../checks/check-results.ts";
import { getContainers, getEnd, isRunning, type Termination } from "../../view/containers.ts";
import type { JobSetView, JobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/**
 * Returns the Pod of the same JobSet because of which a container ended: an unready Pod that the termination message
 * names, the unready coordinator of the JobSet if the container gave no reason, or otherwise the Pod that failed before.
 */
export function findPeers(view: PodInJob, ended: Termination | undefined): readonly ObjectKey[] {
  if (ended === undefined || ended.reason !== "Error") return [];
  const message = asString(ended.message);
  const hostnames = message === "" ? getCoordinator(view) : listHostnames(view, message);
  const unready = hostnames.length === 0 ? undefined : listUnready(view.jobSet);
  const peers = hostnames.flatMap((hostname) => unready?.get(hostname) ?? []);
  const peer = peers.find(({ name }) => name !== view.pod.name) ?? findEarlierFailure(view, ended);
  return peer === undefined ? [] : [getObjectKey("Pod", peer.pod)];
}

/** Returns the first other Pod that is neither ready nor finished. The init containers of Pods often wait for others. */
export function findAwaitedPeer({ jobSet, pod }: PodInJob): readonly ObjectKey[] {
  const peer = [...listUnready(jobSet).values()].find(
    (one) => one !== pod && !hasRunningInitContainer(one),
  );
  return peer === undefined ? [] : [getObjectKey("Pod", peer.pod)];
}

function hasRunningInitContainer(pod: MemberPod): boolean {
  return getContainers(pod).some((one) => one.role === "Init" && isRunning(one));
}

const SIGTERM = 143;

/**
 * Returns the Pod that failed first, if it failed before: the first Pod of the Job that ended a failed JobSet, or of the
 * same Job for a container that was terminated. The other Pods then lose their connections.
 */
function findEarlierFailure({ jobSet, job }: PodInJob, ended: Termination): MemberPod | undefined {
  const first = firstFailedJobOf(jobSet);
  const isFollower = first !== undefined && first !== job;
  if (!isFollower && ended.exitCode !== SIGTERM) return undefined;
  const failed = firstFailureOf(isFollower ? first : job);
  if (failed === undefined) return undefined;
  const isEarlier = !(failed.endedAt >= (parseTime(ended.finishedAt) ?? Number.POSITIVE_INFINITY));
  return isEarlier ? failed.pod : undefined;
}

/** The Job that a failed JobSet names in its condition. */
const firstFailedJobOf = /* @__PURE__ */ memoizeByObject((view: JobSetView) => {
  const { message } = findTrueCondition(view.jobSet.status?.conditions, "Failed") ?? {};
  const name = /\(first failed job: ([^()]+)\)/.exec(asString(message))?.[1];
  if (name === undefined) return undefined;
  return view.replicatedJobs.flatMap(({ jobs }) => jobs).find((job) => job.name === name);
});

/** The first failed Pod of a Job whose containers were not only terminated. Pods without containers come first. */
const firstFailureOf = /* @__PURE__ */ memoizeByObject((job: JobView) =>
  job.pods
    .filter(({ phase }) => phase === "Failed")
    .flatMap((pod) => {
      const ends = getContainers(pod).flatMap((one) => getEnd(one) ?? []);
      const failed = ends.filter(({ exitCode }) => exitCode !== 0);
      if (failed.length > 0 && failed.every(({ exitCode }) => exitCode === SIGTERM)) return [];
      const times = failed.map(({ finishedAt }) => parseTime(finishedAt) ?? 0);
      return [{ pod, endedAt: times.reduce((one, other) => Math.min(one, other), times[0] ?? 0) }];
    })
    .sort((one, other) => one.endedAt - other.endedAt)
    .at(0),
);

/** Returns the hostnames of Pods of the JobSet in a text, where they may be parts of Pod names or DNS names. */
function listHostnames({ jobSet }: PodInJob, message: string): readonly string[] {
  return message
    .split(/[^a-z0-9-]+/)
    .filter((word) => word.startsWith(`${jobSet.name}-`))
    .flatMap((word) => /^(.*?-\d+-\d+)(?:-[a-z0-9]+)?$/.exec(word)?.[1] ?? []);
}

function getCoordinator({ jobSet }: PodInJob): readonly string[] {
  const { replicatedJob, jobIndex, podIndex } = asRecord(jobSet.jobSet.spec?.coordinator);
  if (asString(replicatedJob) === "") return [];
  const index = (value: unknown) => (typeof value === "number" ? `${value}` : "0");
  return [`${jobSet.name}-${asString(replicatedJob)}-${index(jobIndex)}-${index(podIndex)}`];
}

/** Many Pods end because of the same Pod. */
const unreadyPods = new WeakMap<JobSetView, ReadonlyMap<string, MemberPod>>();

/** Returns the Pods that are neither ready nor finished, by hostname. */
function listUnready(view: JobSetView): ReadonlyMap<string, MemberPod> {
  const known = unreadyPods.get(view);
  if (known !== undefined) return known;
  const pods = view.replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods }) => pods)
    .filter(({ isReady, phase }) => !isReady && phase !== "Succeeded");
  const byHostname = new Map(pods.map((pod) => [pod.name.replace(/-[^-]*$/, ""), pod]));
  unreadyPods.set(view, byHostname);
  return byHostname;
}
