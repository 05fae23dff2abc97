import { getReplicas, getReplicatedJobs, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getAnnotation, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import { listPods } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";
import { getJobSetVersions, getStoredJobs, isTerminal } from "./jobset-facts.ts";
import type { SafetyLaw, SteadyStateLaw } from "./law.ts";
import { getStatusWrite } from "./request-facts.ts";

export const inPlaceAttemptsReachAllPods: SafetyLaw = {
  name: "inPlaceAttemptsReachAllPods",
  sentence:
    "A pass starts an in-place attempt only if it sees all expected Pods of the JobSet's own Jobs at that attempt. It marks as outdated only attempts below the highest attempt of these Pods.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { jobSet, status: to } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || to === undefined) return undefined;
    const from = jobSet.status;
    const current = to.currentInPlaceRestartAttempt;
    const previous = to.previousInPlaceRestartAttempt;
    const isBegun = current !== from?.currentInPlaceRestartAttempt;
    const isOver = previous !== from?.previousInPlaceRestartAttempt;
    if (!isBegun && !isOver) return undefined;
    const jobs = request.snapshot.childJobs(jobSet as Unvalidated<JobSet>);
    const pods = jobs.flatMap(
      (job) => request.snapshot.podsControlledBy(job.metadata?.uid ?? "") as readonly Pod[],
    );
    const attempts = getAnnouncedAttempts(pods.filter(({ status }) => status?.phase !== "Failed"));
    const announcedText = `${attempts.join(", ")} of ${countPodsOfJob(jobSet)} Pods`;
    if (isBegun && !isReachedByAll(jobSet, attempts, current)) {
      return `attempt ${current} becomes current, but the Pods announced ${announcedText}`;
    }
    const isLeft = Math.max(...attempts) - 1 === previous;
    return isOver && !isLeft
      ? `attempt ${previous} is marked as outdated, but the Pods announced ${announcedText}`
      : undefined;
  },
};

export const inPlaceAttemptsIncreaseByOne: SafetyLaw = {
  name: "inPlaceAttemptsIncreaseByOne",
  sentence: "The attempts of an in-place restart start at 0 and increase by one.",
  validUnder: "Always",
  // The agents in the Pods must follow the protocol, too.
  appliesTo: "BuiltInController",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const [from = -1, to = -1] = [versions.before, versions.after].map(
      ({ status }) => status?.currentInPlaceRestartAttempt,
    );
    return to > from + 1 ? `attempt ${to} follows ${from < 0 ? "none" : from}` : undefined;
  },
};

/** A steady-state law, because agents and the controller may take any time to agree. */
export const barriersAreReleased: SteadyStateLaw = {
  name: "barriersAreReleased",
  sentence:
    "In an idle cluster, if all Pods of a JobSet with in-place restart run, they have announced the current attempt.",
  onSteadyState: (objects) => {
    for (const jobSet of objects.ofKind<JobSet>("JobSet")) {
      const isInPlace = jobSet.spec.failurePolicy?.restartStrategy === "InPlaceRestart";
      if (!isInPlace || isTerminal(jobSet)) continue;
      const pods = getStoredJobs(jobSet, objects).flatMap(({ metadata }) =>
        listPods(metadata.uid ?? "", objects),
      );
      const running = pods.filter((pod) => pod.status?.phase === "Running");
      // A Pod that has succeeded announces no further attempt, so the others wait forever.
      if (running.length !== countPodsOfJob(jobSet) || pods.some(isPodFinished)) continue;
      const current = jobSet.status?.currentInPlaceRestartAttempt;
      const attempts = getAnnouncedAttempts(running);
      if (!isReachedByAll(jobSet, attempts, current)) {
        return `${namespacedName(jobSet)} is at attempt ${current}, but its Pods are at ${attempts.join(", ")}`;
      }
    }
    return undefined;
  },
};

function isReachedByAll(
  jobSet: JobSet,
  attempts: readonly number[],
  current: number | undefined,
): boolean {
  return (
    attempts.length === countPodsOfJob(jobSet) && attempts.every((attempt) => attempt === current)
  );
}

/** Returns the attempts that Pods have announced. */
function getAnnouncedAttempts(pods: readonly Pod[]): readonly number[] {
  return pods.flatMap((pod) => {
    const attempt = getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY);
    return attempt === undefined ? [] : [Number(attempt)];
  });
}

/** Returns the number of Pods that a JobSet requests. */
function countPodsOfJob(jobSet: JobSet): number {
  return getReplicatedJobs(jobSet).reduce(
    (sum, one) => sum + getReplicas(one) * (one.template?.spec?.parallelism ?? 1),
    0,
  );
}
