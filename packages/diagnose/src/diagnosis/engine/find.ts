import { runCheck } from "@jobset-ts/checks";
import { type DiagnosisCheck, unknown } from "../checks/check-results.ts";
import { type FindingId, leaderFaults } from "../checks/finding-ids.ts";
import { jobChangeChecks } from "../checks/jobs/job-change-checks.ts";
import { jobChecks, listCreationErrors, unlistedJobsAbsent } from "../checks/jobs/job-checks.ts";
import { creationChecks } from "../checks/jobset/creation-checks.ts";
import { jobSetChecks } from "../checks/jobset/jobset-checks.ts";
import { serviceChecks } from "../checks/jobset/service-checks.ts";
import { followerMisplaced, noDomainLabel } from "../checks/placement/domain-checks.ts";
import { leaderChecks, leaderNodeChecks } from "../checks/placement/leader-checks.ts";
import { schedulingChecks } from "../checks/placement/scheduling-checks.ts";
import { missingPodChecks } from "../checks/pods/missing-pod-checks.ts";
import { leavingPodChecks, placedPodChecks } from "../checks/pods/pod-checks.ts";
import { cleanupChecks } from "../checks/restarts/cleanup-checks.ts";
import { inPlaceChecks } from "../checks/restarts/in-place-checks.ts";
import {
  dependencyNotReady,
  firstUnstarted,
  getDependencies,
  isBehind,
  startupOrder,
} from "../checks/startup/startup-checks.ts";
import type { JobSetView, JobView, ReplicatedJobView } from "../view/jobset-view.ts";
import type { MemberPod } from "../view/member-pod.ts";
import { type LocatedFinding, Place } from "./located-finding.ts";

/** The findings about a JobSet, unordered, with their locations. */
export interface JobSetFindings {
  readonly found: readonly LocatedFinding[];
  readonly jobSet: Place;
  readonly replicatedJobs: ReadonlyMap<ReplicatedJobView, Place>;
}

/** Runs every check of the JobSet and of all its parts. */
export function findAll(view: JobSetView): JobSetFindings {
  const { facts } = view;
  const found: LocatedFinding[] = [];
  const jobSet = new Place();
  const ask = runChecksInto(found);
  ask(jobSetChecks, view, jobSet);
  ask(creationChecks, view, jobSet);
  ask(serviceChecks, view, jobSet);
  ask(jobChangeChecks, view, jobSet);
  ask(cleanupChecks, view, jobSet);
  ask(inPlaceChecks, view, jobSet);
  for (const [kind, checks] of checksByKind) {
    if (!facts.wasRead(kind)) ask(checks, undefined, jobSet);
  }

  const replicatedJobs = new Map<ReplicatedJobView, Place>();
  const unstarted = firstUnstarted(view);
  const creationErrors = listCreationErrors(view);
  for (const replicatedJob of view.replicatedJobs) {
    const at = new Place(jobSet, { replicatedJob });
    replicatedJobs.set(replicatedJob, at);
    for (const dependency of getDependencies(replicatedJob)) {
      ask([dependencyNotReady], dependency, at, dependency.on);
    }
    if (unstarted !== undefined && isBehind(replicatedJob, unstarted)) {
      ask([startupOrder], { replicatedJob, before: unstarted }, at, unstarted);
    }
    ask([noDomainLabel, unlistedJobsAbsent], replicatedJob, at);
    for (const job of replicatedJob.jobs) {
      const inJob = new Place(at, { job });
      ask(jobChecks, { job, creationErrors }, inJob);
      ask(leaderChecks, job, inJob);
      findInPods(job, inJob, ask);
      if (job.numbers.missing !== 0) {
        ask(missingPodChecks, { job, ...findLeaderFault(inJob) }, inJob);
      }
      for (const pod of job.previousPods) {
        if (isIdle(pod, job)) continue;
        ask(leavingPodChecks, { pod, facts, isReplaced: true }, new Place(jobSet, { pod }));
      }
    }
  }
  return { found, jobSet, replicatedJobs };
}

/** Replaces the checks of unread objects, which cannot run one by one. */
const checksByKind = new Map(
  [
    ["Job", jobChecks] as const,
    ["Pod", [...leavingPodChecks, ...placedPodChecks, ...schedulingChecks]] as const,
  ].map(([kind, checks]) => [
    kind,
    checks.map(({ id }): DiagnosisCheck<undefined> => {
      return { id, causes: [], run: () => unknown(kind) };
    }),
  ]),
);

type RunCheck = <View>(
  checks: readonly DiagnosisCheck<View>[],
  view: View,
  at: Place,
  waitsFor?: ReplicatedJobView,
) => void;

function runChecksInto(found: LocatedFinding[]): RunCheck {
  return (checks, view, at, waitsFor) => {
    for (const check of checks) {
      const finding = runCheck(check, view);
      if (finding === undefined) continue;
      const one = { number: found.length, finding, at, causes: check.causes, waitsFor };
      found.push(one);
      at.add(one);
    }
  };
}

function findInPods(job: JobView, inJob: Place, ask: RunCheck): void {
  const { facts } = job.replicatedJob.jobSet;
  for (const pod of job.pods) {
    const isWell = isIdle(pod, job);
    if (isWell && (job.topologyKey === undefined || pod.phase === "Succeeded")) continue;
    const at = new Place(inJob, { pod });
    const podInJob = { job, pod };
    if (isWell) {
      // Other findings depend on the node of the leader.
      if (pod.isLeader) ask(leaderNodeChecks, { job, leader: pod }, at);
      else ask([followerMisplaced], podInJob, at);
      continue;
    }
    const inCluster = { pod, facts, isReplaced: isReplaced(pod, job) };
    const isOnNode = pod.nodeName !== "";
    ask(leavingPodChecks, inCluster, at);
    ask(placedPodChecks, inCluster, at);
    ask([followerMisplaced], podInJob, at);
    if (pod.isActive && !isOnNode) ask(schedulingChecks, podInJob, at);
    if (pod.isActive && isOnNode && pod.isLeader) ask(leaderNodeChecks, { job, leader: pod }, at);
  }
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
  if (faults.some(({ finding }) => finding.outcome === "Fail")) {
    return { hasLeaderFault: true, unread: [] };
  }
  const unread = new Set(faults.flatMap(({ finding }) => finding.missing ?? []));
  return { hasLeaderFault: faults.length > 0 ? undefined : false, unread: [...unread] };
}
