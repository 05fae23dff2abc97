import { parseTime } from "@jobset-ts/api";
import { asRecord, asString } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import { findTrueCondition } from "@jobset-ts/core/status";
import { getObjectKey } from "../../checks/check-results.ts";
import { blocksStart, getContainers, getEnd, type Termination } from "../../view/containers.ts";
import { findDisruption } from "../../view/disruption.ts";
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
  const names =
    message === ""
      ? getCoordinator(view)
      : [...listHostnames(view, message), ...(message.match(address) ?? [])];
  const unready = names.length === 0 ? undefined : unreadyOf(view.jobSet);
  const peers = names.flatMap((name) => unready?.get(name) ?? []);
  const peer = peers.find(({ name }) => name !== view.pod.name) ?? findEarlierFailure(view, ended);
  return peer === undefined ? [] : [getObjectKey("Pod", peer.pod)];
}

const address = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/**
 * Returns the Pod for which a container that blocks the start of its Pod probably waits: the first Pod that is neither
 * ready nor finished and does not wait itself.
 */
export function findAwaitedPeer({ jobSet }: PodInJob): readonly ObjectKey[] {
  const peer = awaitedOf(jobSet);
  return peer === undefined ? [] : [getObjectKey("Pod", peer.pod)];
}

/** Many Pods wait for the same Pod. */
const awaitedOf = /* @__PURE__ */ memoizeByObject((view: JobSetView) =>
  [...unreadyOf(view).values()].find((pod) => !getContainers(pod).some(blocksStart)),
);

const SIGTERM = 143;

/**
 * Returns the Pod that failed first, if it failed before: the first Pod of the Job that ended a failed JobSet, or of the
 * same Job for a container that was terminated. The other Pods then lose their connections.
 */
function findEarlierFailure({ jobSet, job }: PodInJob, ended: Termination): MemberPod | undefined {
  const first = firstFailedJobOf(jobSet);
  const isFollower = first !== undefined && first !== job;
  if (!isFollower && ended.exitCode !== SIGTERM) return undefined;
  const failures = failuresOf(isFollower ? first : job);
  const own = failures.find(({ isTerminated }) => !isTerminated);
  const failed = isFollower ? (own ?? failures[0]) : own;
  if (failed === undefined) return undefined;
  // Times have a precision of seconds, and other Pods often end within one.
  const endedAt = parseTime(ended.finishedAt) ?? Number.POSITIVE_INFINITY;
  return failed.endedAt <= endedAt ? failed.pod : undefined;
}

/** The Job that a failed JobSet names in its condition. */
const firstFailedJobOf = /* @__PURE__ */ memoizeByObject((view: JobSetView) => {
  const { message } = findTrueCondition(view.jobSet.status?.conditions, "Failed") ?? {};
  const name = /\(first failed job: ([^()]+)\)/.exec(asString(message))?.[1];
  if (name === undefined) return undefined;
  return view.replicatedJobs.flatMap(({ jobs }) => jobs).find((job) => job.name === name);
});

interface PodFailure {
  readonly pod: MemberPod;
  /** When its first container ended, or its disruption began. */
  readonly endedAt: number;
  /** Whether its containers were only terminated, for no known reason. */
  readonly isTerminated: boolean;
}

/** The failed Pods of a Job, the earliest first. Pods without containers come first. */
const failuresOf = /* @__PURE__ */ memoizeByObject((job: JobView): readonly PodFailure[] =>
  job.pods
    .filter(({ phase }) => phase === "Failed")
    .map((pod) => {
      const ends = getContainers(pod).flatMap((one) => getEnd(one) ?? []);
      const failed = ends.filter(({ exitCode }) => exitCode !== 0);
      const disruption = findDisruption(pod);
      const times = failed.map(({ finishedAt }) => parseTime(finishedAt) ?? 0);
      const disruptedAt = parseTime(disruption?.since as string | undefined);
      if (disruptedAt !== undefined) times.push(disruptedAt);
      return {
        pod,
        endedAt: times.reduce((one, other) => Math.min(one, other), times[0] ?? 0),
        isTerminated:
          disruption === undefined &&
          failed.length > 0 &&
          failed.every(({ exitCode }) => exitCode === SIGTERM),
      };
    })
    .sort((one, other) => one.endedAt - other.endedAt),
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

/** The Pods that are neither ready nor finished, by hostname and by address. Many Pods end because of the same Pod. */
const unreadyOf = /* @__PURE__ */ memoizeByObject((view: JobSetView) => {
  const pods = view.replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods }) => pods)
    .filter(({ isReady, phase }) => !isReady && phase !== "Succeeded");
  return new Map(
    pods.flatMap((pod) => {
      const { podIP } = (pod.pod.status ?? {}) as { readonly podIP?: string };
      return [pod.name.replace(/-[^-]*$/, ""), asString(podIP)].map((name) => [name, pod] as const);
    }),
  );
});
