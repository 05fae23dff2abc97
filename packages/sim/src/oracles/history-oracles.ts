import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { annotationOf, labelOf, type Pod } from "@jobset-ts/api/kubernetes";
import type { Oracle } from "./oracle.ts";

export const writesAreInOrder: Oracle<number> = {
  name: "writesAreInOrder",
  sentence: "Every write has a later revision than the one before, and the object says so.",
  holds: "Always",
  memory: 0,
  onChange: ({ revision, after }, sight) => {
    const before = sight.memory;
    sight.memory = revision;
    if (revision <= before) return `revision ${revision} comes after ${before}`;
    return after === undefined || after.metadata.resourceVersion === String(revision)
      ? undefined
      : `revision ${revision} is stored as ${after.metadata.resourceVersion}`;
  },
};

export const followersComeAfterTheirLeader: Oracle = {
  name: "followersComeAfterTheirLeader",
  sentence:
    "Under exclusive placement a Pod other than the leader is let in only with the node selector of a domain.",
  holds: "Always",
  memory: undefined,
  kinds: ["Pod"],
  onChange: ({ verb, after }) => {
    if (verb !== "Added" || after?.kind !== "Pod") return undefined;
    const pod = after as unknown as Pod;
    const topologyKey = annotationOf(pod, EXCLUSIVE_TOPOLOGY_KEY);
    const index = annotationOf(pod, JOB_COMPLETION_INDEX_KEY);
    if (topologyKey === undefined || index === undefined || index === "0") return undefined;
    if (labelOf(pod, JOBSET_NAME_KEY) === undefined) return undefined;
    if (annotationOf(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined) return undefined;
    return pod.spec.nodeSelector?.[topologyKey] === undefined
      ? `Pod ${pod.metadata.name} is let in and sent to no ${topologyKey}`
      : undefined;
  },
};
