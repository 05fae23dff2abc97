import { parseTime } from "@jobset-ts/api";
import { asArray, asInteger, isObject } from "@jobset-ts/api/kubernetes";
import { type DiagnosisCheck, pass } from "../../checks/check-results.ts";
import {
  type ContainerView,
  getContainers,
  getLastEnd,
  getRestartCount,
} from "../../view/containers.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { explainRestarts, MAX_NORMAL_RESTARTS } from "./container-checks.ts";

/**
 * The check of ready Pods whose containers have been restarted several times, each after a short time or by their liveness
 * probe. Without a probe, a Pod is ready as soon as its container starts. If other Pods are not ready, the cause is in
 * those.
 */
export const restartLoopChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "pod-restarting",
    causes: [],
    run: (view) => {
      const loop = findLoop(view);
      return loop === undefined ? pass : explainRestarts(...loop);
    },
  },
];

/** Returns the first such container, and a status for a Pod that had been ready for longer. */
function findLoop(view: JobSetView): Parameters<typeof explainRestarts> | undefined {
  const jobs = view.replicatedJobs.flatMap((replicatedJob) => replicatedJob.jobs);
  const isUnready = jobs.some(({ pods }) =>
    pods.some(({ isReady, phase }) => !isReady && phase !== "Succeeded"),
  );
  if (isUnready) return undefined;
  let killed: ReturnType<typeof findLoop>;
  for (const job of jobs) {
    for (const pod of job.pods) {
      // Most Pods were never restarted.
      if (!asArray(pod.pod.status?.containerStatuses).some(wasRestarted)) continue;
      const inJob = { jobSet: view, facts: view.facts, job, pod, isReplaced: false };
      for (const container of getContainers(pod)) {
        const run = getRepeatedRun(container, view);
        if (run === undefined) continue;
        if (run < view.thresholds.podReadySeconds * 1000) return [inJob, container];
        if (wasKilledByProbe(inJob, container))
          killed ??= [inJob, container, { status: "Progressing" }];
      }
    }
  }
  return killed;
}

function wasRestarted(status: unknown): boolean {
  const { restartCount } = isObject(status) ? (status as { readonly restartCount?: number }) : {};
  return asInteger(restartCount, 0) > MAX_NORMAL_RESTARTS;
}

/**
 * Returns how long the last run of a container took that was restarted several times, if the current run is not longer
 * yet.
 */
function getRepeatedRun(container: ContainerView, { now }: JobSetView): number | undefined {
  const ended = getLastEnd(container);
  if (getRestartCount(container) <= MAX_NORMAL_RESTARTS || !ended?.exitCode) return undefined;
  const run = getTime(ended.finishedAt) - getTime(ended.startedAt);
  return now - getTime(container.status.state?.running?.startedAt) < run ? run : undefined;
}

/** Returns a time. NaN if it is unknown, which no comparison accepts. */
function getTime(text: string | undefined): number {
  return parseTime(text) ?? Number.NaN;
}

/** Reports whether an Event says that the kubelet killed a container because of its liveness probe. */
function wasKilledByProbe({ facts, pod }: PodInJob, { name }: ContainerView): boolean {
  return facts
    .eventsAbout(pod.pod, "Pod")
    .some(({ message }) => message.startsWith(`Container ${name} failed liveness probe`));
}
