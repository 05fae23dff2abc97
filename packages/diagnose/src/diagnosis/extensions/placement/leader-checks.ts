import type { Unvalidated } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { getLabel, isBeingDeleted, type Pod } from "@jobset-ts/api/kubernetes";
import {
  absenceEvidence,
  createObjectKey,
  type DiagnosisCheck,
  fail,
  failTransiently,
  fieldEvidence,
  getObjectKey,
  jobSetKey,
  pass,
  unknown,
} from "../../checks/check-results.ts";
import {
  createEventEvidence,
  jobKey,
  needsEvents,
  rejectionAge,
  unknownNumbers,
} from "../../checks/jobs/job-evidence.ts";
import { ageSinceStart } from "../../view/age.ts";
import type { JobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/** A Job name of this length truncates the leader's name, and followers do not find it. */
const CUT_NAME_LENGTH = 56;

const INSPECT_LEADER = "check the leader Pod, not the followers";

/** The checks of a Job's leader: the Pod with index 0, which all other Pods follow. */
export const leaderChecks: readonly DiagnosisCheck<JobView>[] = [
  {
    id: "leader-rejected",
    causes: ["webhook-unavailable"],
    texts: { advice: ["fix the cause in the message: quota, policy or the template"] },
    run: (job) => {
      const { leaderState, numbers, rejectedCreation: failed, name } = job;
      if (leaderState !== "Absent") return pass;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (job.job === undefined || numbers.missing === 0) return pass;
      if (failed === undefined) return needsEvents(job);
      const text = `${job.topologyKey === undefined ? "pods" : "leader"} of ${name} could not be created: ${failed.failure.message}`;
      return fail(text, {
        ...createEventEvidence(job, failed.event),
        ...rejectionAge(job, failed.failure.message),
      });
    },
  },
  {
    id: "leader-absent",
    causes: ["leader-rejected", "job-absent", "job-suspended"],
    texts: { advice: ["check the Events of the Job: its controller creates the leader first"] },
    run: (job) => {
      if (job.topologyKey === undefined || job.leaderState !== "Absent") return pass;
      if (job.numbers.wanted === undefined) return unknownNumbers(job);
      if (job.lowestMissingIndex !== 0) return pass;
      const evidence = [absenceEvidence(jobKey(job), "no Pod has index 0")];
      const text = `leader of ${job.name} does not exist`;
      const age = ageSinceStart(job.replicatedJob.jobSet, job);
      return failTransiently(text, { objects: [jobKey(job)], evidence, ...age });
    },
  },
  {
    id: "leader-duplicated",
    causes: [],
    texts: { advice: ["delete the manually created Pods with the leader's name"] },
    run: (job) => {
      const active = job.leaders.filter(({ isActive }) => isActive).map(({ pod }) => pod);
      const alike = job.topologyKey === undefined ? [] : foreignPods(job);
      const failed = job.leaders.filter(({ phase }) => phase === "Failed");
      if (isFailedLeaderCounted(job) && active.length === 1 && failed.length > 0) {
        return reportFailedLeaders(job, failed);
      }
      const all = [...active, ...alike];
      if (all.length === 0 || (active.length < 2 && alike.length === 0)) return pass;
      // One of the leaders may belong to an earlier Job of the same name.
      if (alike.length === 0 && !job.replicatedJob.jobSet.facts.wasRead("Job"))
        return unknown("Job");
      const objects = [...alike, ...active].map((pod) => getObjectKey("Pod", pod));
      const evidence = objects.map((pod) => fieldEvidence(pod, "metadata.name", pod.name));
      const leaders = job.topologyKey === undefined ? "pods with index 0" : "leaders";
      return fail(`${all.length} active ${leaders} for ${job.name}`, { objects, evidence });
    },
  },
  {
    id: "leader-terminating",
    causes: ["pod-terminating"],
    texts: { advice: [INSPECT_LEADER] },
    run: (job) =>
      job.leaderState === "Terminating"
        ? failTransiently(
            `${nameLeader(job)} is terminating`,
            observeLeader(job, ({ isTerminating }) => isTerminating, "metadata.deletionTimestamp"),
          )
        : pass,
  },
  {
    id: "leader-finished",
    causes: [],
    texts: { advice: ["restart the JobSet: a succeeded leader is not recreated"] },
    run: (job) => {
      const { topologyKey, leaderState, numbers, name } = job;
      if (topologyKey === undefined || leaderState !== "Succeeded") return pass;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (numbers.missing === 0) return pass;
      const context = observeLeader(job, ({ phase }) => phase === "Succeeded", "status.phase");
      const text = `leader of ${name} already succeeded; missing followers can never be admitted`;
      return fail(text, context);
    },
  },
  {
    id: "leader-failed",
    causes: ["pod-failed"],
    texts: { advice: [INSPECT_LEADER] },
    run: (job) =>
      job.leaderState === "Failed"
        ? failTransiently(
            `${nameLeader(job)} failed and is not replaced yet`,
            observeLeader(job, ({ phase }) => phase === "Failed", "status.phase"),
          )
        : pass,
  },
  {
    id: "leader-name-truncated",
    causes: [],
    texts: { advice: ["shorten the name of the JobSet or the ReplicatedJob"] },
    run: (job) => {
      if (job.topologyKey === undefined || job.name.length < CUT_NAME_LENGTH) return pass;
      if (job.numbers.missing === undefined) return unknownNumbers(job);
      if (job.numbers.missing === 0) return pass;
      const evidence = [fieldEvidence(jobKey(job), "metadata.name", job.name)];
      const text = `job name ${job.name} has ${job.name.length} characters; the leader lookup supports at most ${CUT_NAME_LENGTH - 1}`;
      return fail(text, { objects: [jobKey(job)], evidence });
    },
  },
  {
    id: "non-indexed-exclusive",
    causes: [],
    texts: { advice: ["set `completionMode: Indexed` in the template of the ReplicatedJob"] },
    run: (job) => {
      const spec = job.job?.spec ?? job.replicatedJob.spec?.template?.spec;
      if (job.topologyKey === undefined || spec?.completionMode !== "NonIndexed") return pass;
      // A suspended or finished Job needs no Pods, so this does not affect it.
      if (job.numbers.wanted === 0) return pass;
      const { name, position, jobSet } = job.replicatedJob;
      const inTemplate = `spec.replicatedJobs[${position}].template.spec.completionMode`;
      const [object, at] =
        job.job === undefined
          ? [jobSetKey(jobSet), inTemplate]
          : [jobKey(job), "spec.completionMode"];
      const evidence = [fieldEvidence(object, at, "NonIndexed")];
      return fail(`${name} is not Indexed, so no pod can be leader`, {
        objects: [object],
        evidence,
      });
    },
  },
  {
    id: "leader-of-other-job",
    causes: [],
    texts: { advice: ["delete the Pod of the earlier Job"] },
    run: (job) => {
      const left = job.stray.find(({ isLeader, isActive }) => isLeader && isActive);
      if (job.topologyKey === undefined || left === undefined) return pass;
      const object = getObjectKey("Pod", left.pod);
      const evidence = [
        fieldEvidence(object, "metadata.ownerReferences", "the UID differs from the Job's"),
      ];
      const text = `leader of ${job.name} belongs to an earlier job object`;
      return failTransiently(text, { objects: [object], evidence });
    },
  },
];

/** The checks of a leader's node. */
export const leaderNodeChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "node-unknown",
    causes: [],
    texts: { advice: ["delete the leader Pod if its node does not return"] },
    run: ({ job, pod: leader, facts }) => {
      if (job.topologyKey === undefined || !isPlacedLeader(leader)) return pass;
      if (!facts.wasRead("Node")) return unknown("Node");
      if (facts.snapshot.node(leader.nodeName) !== undefined) return pass;
      const node = createObjectKey("Node", "", leader.nodeName);
      const pod = getObjectKey("Pod", leader.pod);
      const evidence = [
        fieldEvidence(pod, "spec.nodeName", leader.nodeName),
        absenceEvidence(node, "the node does not exist"),
      ];
      const text = `node ${leader.nodeName} of leader ${leader.name} does not exist`;
      return fail(text, { objects: [node, pod], evidence });
    },
  },
  {
    id: "topology-label-missing",
    causes: [],
    texts: { advice: ["restore the label on the node"] },
    run: ({ job, pod: leader, facts }) => {
      if (!isPlacedLeader(leader)) return pass;
      // If all Pods of the Job exist, no follower waits for the domain.
      if (job.topologyKey === undefined || job.numbers.missing === 0) return pass;
      if (!facts.wasRead("Node")) return unknown("Node");
      const node = facts.snapshot.node(leader.nodeName);
      if (node === undefined || getLabel(node, job.topologyKey) !== undefined) return pass;
      const object = createObjectKey("Node", "", leader.nodeName);
      const at = `metadata.labels[${job.topologyKey}]`;
      const evidence = [absenceEvidence(object, "the node does not have the label", at)];
      const text = `node ${leader.nodeName} has no label ${job.topologyKey}`;
      return fail(text, { objects: [object], evidence });
    },
  },
];

function isPlacedLeader({ isLeader, isActive, nodeName }: MemberPod): boolean {
  return isLeader && isActive && nodeName !== "";
}

/** Reports whether the webhook counts failed leaders, as it does before JobSet's pull request 1276. */
function isFailedLeaderCounted({ topologyKey, numbers, failedCreation }: JobView): boolean {
  if (topologyKey === undefined || numbers.missing === 0) return false;
  if (failedCreation?.failure.cause !== "FollowerDenied") return false;
  return failedCreation.failure.denial === "LeaderCount";
}

function reportFailedLeaders({ name, replicatedJob }: JobView, failed: readonly MemberPod[]) {
  const objects = failed.map(({ pod }) => getObjectKey("Pod", pod));
  const names = objects.map((pod) => pod.name).join(" ");
  return fail(`the webhook counts failed leader ${names} of ${name} besides the active one`, {
    objects,
    evidence: objects.map((pod) => fieldEvidence(pod, "status.phase", "Failed")),
    advice: [
      `delete the failed leader: kubectl delete pod -n ${replicatedJob.jobSet.namespace} ${names}`,
      "or update JobSet: later releases ignore failed leaders",
    ],
  });
}

/** Returns manually created Pods whose names make followers treat them as leaders. */
function foreignPods({ name, replicatedJob }: JobView): readonly Unvalidated<Pod>[] {
  const { facts, namespace } = replicatedJob.jobSet;
  return facts.snapshot
    .podsByIndexName(namespace, `${name}-0`)
    .filter(
      (pod) =>
        getLabel(pod, JOBSET_NAME_KEY) === undefined &&
        !isBeingDeleted(pod) &&
        pod.status?.phase !== "Succeeded" &&
        pod.status?.phase !== "Failed",
    );
}

function observeLeader(job: JobView, isSelected: (leader: MemberPod) => boolean, at: string) {
  const pods = job.leaders.filter(isSelected).map(({ pod }) => getObjectKey("Pod", pod));
  const objects = pods.length > 0 ? pods : [jobKey(job)];
  return { objects, evidence: objects.map((object) => fieldEvidence(object, at, "of the leader")) };
}

/** Without exclusive placement, no Pod follows the one with index 0. */
function nameLeader({ topologyKey, name }: JobView): string {
  return `${topologyKey === undefined ? "pod 0" : "leader"} of ${name}`;
}
