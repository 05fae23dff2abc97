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
 * The check of ready Pods whose containers have been restarted several times, each after a short time. Without a probe, a
 * Pod is ready as soon as its container starts. If other Pods are not ready, the cause is in those.
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

/** Returns the first such container. */
function findLoop(view: JobSetView): readonly [PodInJob, ContainerView] | undefined {
  const jobs = view.replicatedJobs.flatMap((replicatedJob) => replicatedJob.jobs);
  const isUnready = jobs.some(({ pods }) =>
    pods.some(({ isReady, phase }) => !isReady && phase !== "Succeeded"),
  );
  if (isUnready) return undefined;
  for (const job of jobs) {
    for (const pod of job.pods) {
      // Most Pods were never restarted.
      if (!asArray(pod.pod.status?.containerStatuses).some(wasRestarted)) continue;
      const container = getContainers(pod).find((one) => isLoop(one, view));
      if (container === undefined) continue;
      return [{ jobSet: view, facts: view.facts, job, pod, isReplaced: false }, container];
    }
  }
  return undefined;
}

function wasRestarted(status: unknown): boolean {
  const { restartCount } = isObject(status) ? (status as { readonly restartCount?: number }) : {};
  return asInteger(restartCount, 0) > MAX_NORMAL_RESTARTS;
}

/** Reports whether the last run of a container was short, and the current one is not longer yet. */
function isLoop(container: ContainerView, { now, thresholds }: JobSetView): boolean {
  const ended = getLastEnd(container);
  if (ended === undefined || ended.exitCode === 0) return false;
  if (getRestartCount(container) <= MAX_NORMAL_RESTARTS) return false;
  const [startedAt, finishedAt] = [parseTime(ended.startedAt), parseTime(ended.finishedAt)];
  const runsSince = parseTime(container.status.state?.running?.startedAt);
  if (startedAt === undefined || finishedAt === undefined || runsSince === undefined) return false;
  const run = finishedAt - startedAt;
  return run < thresholds.podReadySeconds * 1000 && now - runsSince < run;
}
