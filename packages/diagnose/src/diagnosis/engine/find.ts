import { runCheck } from "@jobset-ts/checks";
import { type DiagnosisCheck, unknown } from "../checks/check-results.ts";
import { type DiagnosisExtension, listChecks, listRelated } from "../checks/extension.ts";
import { type FindingId, leaderFaults } from "../checks/finding-ids.ts";
import { jobChangeChecks } from "../checks/jobs/job-change-checks.ts";
import { jobChecks, listCreationErrors, unlistedJobsAbsent } from "../checks/jobs/job-checks.ts";
import { creationChecks } from "../checks/jobset/creation-checks.ts";
import { jobSetChecks } from "../checks/jobset/jobset-checks.ts";
import { serviceChecks } from "../checks/jobset/service-checks.ts";
import { missingPodChecks } from "../checks/pods/missing-pod-checks.ts";
import { leavingPodChecks, placedPodChecks } from "../checks/pods/pod-checks.ts";
import { unscheduledPodChecks } from "../checks/pods/unscheduled-checks.ts";
import { cleanupChecks } from "../checks/restarts/cleanup-checks.ts";
import {
  dependencyNotReady,
  firstUnstarted,
  getDependencies,
  isBehind,
  startupOrder,
} from "../checks/startup/startup-checks.ts";
import type { JobSetView, JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { MemberPod } from "../view/member-pod.ts";
import { memoize, memoizeByObject } from "../view/memoize.ts";
import { type LocatedFinding, Place } from "./located-finding.ts";

/** The findings about a JobSet, unordered, with their locations. */
export interface JobSetFindings {
  readonly found: readonly LocatedFinding[];
  readonly jobSet: Place;
  readonly replicatedJobs: ReadonlyMap<ReplicatedJobView, Place>;
}

/**
 * Runs every check of the JobSet and of all its parts.
 *
 * @param more - checks of subpaths
 */
export function findAll(
  view: JobSetView,
  more: readonly DiagnosisExtension[] = [],
): JobSetFindings {
  const { facts } = view;
  const found: LocatedFinding[] = [];
  const jobSet = new Place();
  const run = runChecksInto(found, more);
  run(jobSetChecks, view, jobSet);
  run(creationChecks, view, jobSet);
  run(serviceChecks, view, jobSet);
  run(jobChangeChecks, view, jobSet);
  run(cleanupChecks, view, jobSet);
  run(listChecks(more, "jobSet"), view, jobSet);
  if (!facts.wasRead("Job")) run(replaceUnreadChecks("Job", jobChecks), undefined, jobSet);
  const morePodChecks = {
    pod: listChecks(more, "pod"),
    unscheduledPod: listChecks(more, "unscheduledPod"),
    readyPod: listChecks(more, "readyPod"),
  };
  if (!facts.wasRead("Pod")) {
    const all = [...podChecks, ...morePodChecks.pod, ...morePodChecks.unscheduledPod];
    run(replaceUnreadChecks("Pod", all), undefined, jobSet);
  }

  const replicatedJobs = new Map<ReplicatedJobView, Place>();
  const [moreOfReplicatedJobs, moreOfJobs] = [
    listChecks(more, "replicatedJob"),
    listChecks(more, "job"),
  ];
  const unstarted = firstUnstarted(view);
  const creationErrors = listCreationErrors(view);
  for (const replicatedJob of view.replicatedJobs) {
    const at = new Place(jobSet, { replicatedJob });
    replicatedJobs.set(replicatedJob, at);
    for (const dependency of getDependencies(replicatedJob)) {
      run([dependencyNotReady], dependency, at, dependency.on);
    }
    if (unstarted !== undefined && isBehind(replicatedJob, unstarted)) {
      run([startupOrder], { replicatedJob, before: unstarted }, at, unstarted);
    }
    run(moreOfReplicatedJobs, replicatedJob, at);
    run([unlistedJobsAbsent], replicatedJob, at);
    for (const job of replicatedJob.jobs) {
      const inJob = new Place(at, { job });
      run(jobChecks, { job, creationErrors }, inJob);
      run(moreOfJobs, job, inJob);
      findInPods(job, inJob, run, morePodChecks);
      if (job.numbers.missing !== 0) {
        run(missingPodChecks, { job, ...findLeaderFault(inJob) }, inJob);
      }
      for (const pod of job.previousPods) {
        if (isIdle(pod, job)) continue;
        const previous = { jobSet: view, facts, pod, job: undefined, isReplaced: true };
        run(leavingPodChecks, previous, new Place(jobSet, { pod }));
      }
    }
  }
  return { found, jobSet, replicatedJobs };
}

const podChecks: readonly DiagnosisCheck<never>[] = [
  ...leavingPodChecks,
  ...placedPodChecks,
  ...unscheduledPodChecks,
];

/** Replaces the checks of unread objects, which cannot run one by one. */
function replaceUnreadChecks(
  kind: string,
  checks: readonly { readonly id: FindingId }[],
): readonly DiagnosisCheck<undefined>[] {
  return checks.map(({ id }) => ({ id, causes: [], run: () => unknown(kind) }));
}

type RunCheck = <View>(
  checks: readonly DiagnosisCheck<View>[],
  view: View,
  at: Place,
  waitsFor?: ReplicatedJobView,
) => void;

function runChecksInto(found: LocatedFinding[], more: readonly DiagnosisExtension[]): RunCheck {
  const causesOf = memoizeByObject((check: DiagnosisCheck<never>) => [
    ...check.causes,
    ...listRelated(more, "effects", check.id),
  ]);
  const replacing = memoize((id) => listRelated(more, "replaces", id as FindingId));
  return (checks, view, at, waitsFor) => {
    for (const check of checks) {
      const finding = runCheck(check, view);
      // Most checks pass.
      if (finding === undefined) continue;
      if (replacing(check.id).some((other) => at.own(other).some(isFailure))) continue;
      const one = { number: found.length, finding, at, causes: causesOf(check), waitsFor };
      found.push(one);
      at.add(one);
    }
  };
}

function findInPods(
  job: JobView,
  inJob: Place,
  run: RunCheck,
  more: Required<Pick<DiagnosisExtension, "pod" | "unscheduledPod" | "readyPod">>,
): void {
  const { jobSet } = job.replicatedJob;
  const isExclusive = job.topologyKey !== undefined;
  for (const pod of job.pods) {
    const isWell = isIdle(pod, job);
    if (isWell && (!isExclusive || pod.phase === "Succeeded")) continue;
    const at = new Place(inJob, { pod });
    const replaced = !isWell && isReplaced(pod, job);
    const view = { jobSet, facts: jobSet.facts, job, pod, isReplaced: replaced };
    if (isWell) {
      run(more.readyPod, view, at);
      continue;
    }
    run(leavingPodChecks, view, at);
    run(more.pod, view, at);
    run(placedPodChecks, view, at);
    if (pod.isActive && pod.nodeName === "") {
      run(unscheduledPodChecks, view, at);
      run(more.unscheduledPod, view, at);
    }
  }
}

function isFailure({ finding }: LocatedFinding): boolean {
  return finding.outcome === "Fail";
}

/** Reports whether a Pod needs no separate checks. Most Pods are healthy, and there may be very many. */
function isIdle(pod: MemberPod, job: JobView): boolean {
  if (pod.isTerminating) return false;
  if (pod.phase === "Succeeded") return true;
  if (pod.phase !== "Running" || !pod.isReady) return false;
  const { facts } = job.replicatedJob.jobSet;
  return facts.wasRead("Node") && facts.isReadyNode(pod.nodeName);
}

/**
 * Reports whether a failed Pod has a successor that is ready or has succeeded. `undefined` if this depends on a Job
 * that was not read.
 */
function isReplaced(pod: MemberPod, { pods, numbers }: JobView): boolean | undefined {
  if (pod.phase !== "Failed") return false;
  const isWell = ({ isActive, isReady, phase }: MemberPod) =>
    phase === "Succeeded" || (isActive && isReady);
  if (pod.completionIndex !== undefined) {
    return pods.some((one) => one.completionIndex === pod.completionIndex && isWell(one));
  }
  const { active, ready, missing, byPhase } = numbers;
  const isRestWell = ready >= active && active + byPhase.Succeeded > 0;
  return isRestWell && missing === undefined ? undefined : isRestWell && missing === 0;
}

function findLeaderFault(inJob: Place): {
  readonly hasLeaderFault: boolean | undefined;
  readonly unread: readonly string[];
} {
  const faults = leaderFaults.flatMap((id: FindingId) => inJob.within(id));
  if (faults.some(isFailure)) {
    return { hasLeaderFault: true, unread: [] };
  }
  const unread = new Set(faults.flatMap(({ finding }) => finding.missing ?? []));
  return { hasLeaderFault: faults.length > 0 ? undefined : false, unread: [...unread] };
}
