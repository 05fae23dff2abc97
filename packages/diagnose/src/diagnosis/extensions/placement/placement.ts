import type { DiagnosisExtension } from "../../checks/extension.ts";
import { leaderFaults } from "../../checks/finding-ids.ts";
import { followerMisplaced, noDomainLabel } from "./domain-checks.ts";
import { leaderChecks, leaderNodeChecks } from "./leader-checks.ts";

const podChecks = [...leaderNodeChecks, followerMisplaced];

/** The checks of exclusive placement: leaders, their nodes and domains, and followers. */
export const placement: DiagnosisExtension = {
  kinds: [],
  replicatedJob: [noDomainLabel],
  job: leaderChecks,
  pod: podChecks,
  readyPod: podChecks,
  effects: {
    "leader-unscheduled": ["no-domain-label"],
    "pod-unscheduled": ["no-domain-label", "follower-misplaced"],
    "pods-not-created": ["leader-rejected", ...leaderFaults],
    "followers-refused": leaderFaults,
  },
};
