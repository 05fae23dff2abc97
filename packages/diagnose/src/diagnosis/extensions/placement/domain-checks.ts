import { asRecord, asString, getLabel } from "@jobset-ts/api/kubernetes";
import {
  absenceEvidence,
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  getObjectKey,
  jobSetKey,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import type { ReplicatedJobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/** The maximum number of leaders that a report needs. */
const MAX_LEADERS = 100;

/** Checks that a leader without a node has at least one domain to choose from. */
export const noDomainLabel: DiagnosisCheck<ReplicatedJobView> = {
  id: "no-domain-label",
  causes: [],
  texts: { advice: ["label the nodes with the topology key, or use a key that they have"] },
  run: (replicatedJob) => {
    const { jobs, jobSet } = replicatedJob;
    const isWaiting = ({ isActive, nodeName }: MemberPod) => isActive && nodeName === "";
    const waiting = jobs.filter(
      ({ topologyKey, leaders }) => topologyKey !== undefined && leaders.some(isWaiting),
    );
    const topologyKey = waiting[0]?.topologyKey;
    if (topologyKey === undefined) return pass;
    if (!jobSet.facts.wasRead("Node")) return unknown("Node");
    if (jobSet.facts.domains(topologyKey).size > 0) return pass;
    const object = jobSetKey(jobSet);
    const leaders = waiting.slice(0, MAX_LEADERS).flatMap((job) => job.leaders.filter(isWaiting));
    const text = `no node has label ${topologyKey}`;
    return fail(text, {
      objects: [object, ...leaders.map(({ pod }) => getObjectKey("Pod", pod))],
      evidence: [absenceEvidence(object, text)],
    });
  },
};

/** Checks whether the node selector of a follower names another domain than its leader's. */
export const followerMisplaced: DiagnosisCheck<PodInJob> = {
  id: "follower-misplaced",
  causes: [],
  texts: { advice: ["delete the follower: it is recreated in the domain of its leader"] },
  run: (view) => {
    const domains = listDomains(view);
    if (domains === undefined) return pass;
    if (domains.leader === "Unread") return unknown("Node");
    const { declared, leader, jobCount } = domains;
    if (declared === leader) return pass;
    const shared = jobCount > 1 ? `, which ${jobCount} Jobs share` : "";
    const text = `follower ${view.pod.name} is pinned to ${declared}, but its leader runs in ${leader}${shared}`;
    const evidence = [
      fieldEvidence(podKey(view), `spec.nodeSelector[${view.job.topologyKey}]`, declared),
    ];
    return fail(text, { objects: [podKey(view)], evidence });
  },
};

const NODES_NOT_READ = "Unread";

function listDomains({ job, pod }: PodInJob) {
  const { topologyKey, leaders } = job;
  if (topologyKey === undefined || pod.isLeader || !pod.isActive) return undefined;
  const selector = asRecord(pod.pod.spec?.nodeSelector);
  if (!Object.hasOwn(selector, topologyKey)) return undefined;
  const leader = leaders.find(({ isActive, nodeName }) => isActive && nodeName !== "");
  if (leader === undefined) return undefined;
  const { facts } = job.replicatedJob.jobSet;
  const declared = asString(selector[topologyKey]);
  if (!facts.wasRead("Node")) return { declared, leader: NODES_NOT_READ, jobCount: 0 } as const;
  const node = facts.snapshot.node(leader.nodeName);
  const domain = node && getLabel(node, topologyKey);
  if (domain === undefined) return undefined;
  const jobCount = facts.jobCountInDomain(topologyKey, domain, leader.pod);
  return { declared, leader: domain, jobCount };
}
