import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { jobPodSets, podCount, podSets, podsPerReplica } from "@jobset-ts/kueue";
import { topologyRequest } from "../../../../kueue/src/pod-sets/topology-request.ts";
import type { Family } from "../family.ts";
import { type KueueInput, kueueFamily } from "./kueue-family.ts";

interface PodCountsInput extends KueueInput {
  readonly replicatedJob: Unvalidated<ReplicatedJob>;
}

interface PodSetsInput extends KueueInput {
  readonly jobSet: Unvalidated<JobSet>;
}

interface TopologyRequestInput extends KueueInput {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly replicas: number;
}

/** Families for the Pod sets of a JobSet and their topology requests. */
export const podSetFamilies: readonly Family[] = [
  kueueFamily<PodCountsInput>("podCounts", ["replicatedJob"], ({ replicatedJob }) => ({
    podsPerReplica: podsPerReplica(replicatedJob),
    podCount: podCount(replicatedJob),
  })),
  kueueFamily<PodSetsInput>("podSets", ["jobSet"], ({ jobSet }, features) => {
    const sets = podSets(jobSet, features);
    return sets.ok ? { podSets: sets.value } : { error: sets.refusal.message };
  }),
  kueueFamily<PodSetsInput>("jobPodSets", ["jobSet"], ({ jobSet }, features) => {
    const sets = jobPodSets(jobSet, features);
    return sets.ok ? { podSets: sets.value } : { error: sets.refusal.message };
  }),
  kueueFamily<TopologyRequestInput>("topologyRequest", ["replicas"], (input, features) => {
    const request = topologyRequest(input.annotations, input.replicas, features);
    return request.ok ? { topologyRequest: request.value } : { error: request.refusal.message };
  }),
];
