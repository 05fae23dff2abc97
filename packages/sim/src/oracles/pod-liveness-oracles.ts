import { isSuspended } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { controllerOf, type Job, labelOf, type Pod } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import { hasEnded } from "../api-server/pod-conditions.ts";
import { type LivenessOracle, SOON_MS } from "./awaiting.ts";
import { domainOf } from "./placement-oracles.ts";
import { isFollower, isLeader, isPlacedExclusively, liveLeader, podsOf } from "./pod-roles.ts";

export const jobsGetTheirPods: LivenessOracle = {
  name: "jobsGetTheirPods",
  sentence:
    "A Job that is to run gets its Pods; under exclusive placement, once its leader is on a node and as long as that has not ended.",
  withinMs: SOON_MS,
  begins: ({ before, after }, objects) => {
    const object = after ?? before;
    if (object?.kind === "Job") return after && { subject: after };
    const owner = object?.kind === "Pod" ? controllerOf(object) : undefined;
    const job = owner && objects.get("Job", object?.metadata.namespace ?? "", owner.name ?? "");
    return job && { subject: job };
  },
  missing: (subject, objects) => {
    const job = objects.current(subject) as Job | undefined;
    if (job === undefined || labelOf(job, JOBSET_NAME_KEY) === undefined) return undefined;
    if (job.metadata.deletionTimestamp !== undefined || isSuspended(job)) return undefined;
    if (jobState(job) !== "active" || job.status?.conditions?.length) return undefined;
    const { parallelism = 1, completions } = job.spec;
    const pods = podsOf(job.metadata.uid ?? "", objects);
    const leader = pods.find(isLeader);
    if (leader !== undefined && (!leader.spec.nodeName || hasEnded(leader))) return undefined;
    const there = pods.filter((pod) => !hasEnded(pod)).length + (job.status?.succeeded ?? 0);
    const wanted = Math.min(parallelism, completions ?? parallelism);
    return there < wanted ? `Job ${job.metadata.name} has ${there} of ${wanted} Pods` : undefined;
  },
};

export const followersJoinTheirLeader: LivenessOracle = {
  name: "followersJoinTheirLeader",
  sentence:
    "Under exclusive placement all followers of a Job are sent to the domain of its leader.",
  withinMs: SOON_MS,
  begins: ({ before, after }, objects) => {
    if (after?.kind !== "Pod" || !isPlacedExclusively(after as unknown as Pod)) return undefined;
    const nodes = [before, after].map((pod) => (pod as unknown as Pod | undefined)?.spec.nodeName);
    if (before !== undefined && nodes[0] === nodes[1]) return undefined;
    const owner = controllerOf(after);
    const job = objects.get("Job", after.metadata.namespace ?? "", owner?.name ?? "");
    return job && { subject: job };
  },
  missing: (subject, objects) => {
    const leader = liveLeader(subject.metadata.uid ?? "", objects);
    const place = leader && domainOf(leader, objects);
    if (place === undefined) return undefined;
    const astray = podsOf(subject.metadata.uid ?? "", objects).find(
      (pod) =>
        isFollower(pod) &&
        !hasEnded(pod) &&
        pod.metadata.deletionTimestamp === undefined &&
        pod.spec.nodeSelector?.[place.key] !== place.domain,
    );
    return (
      astray &&
      `Pod ${astray.metadata.name} is sent to ${astray.spec.nodeSelector?.[place.key]}, and its leader is in ${place.domain}`
    );
  },
};
