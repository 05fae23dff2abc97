import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import {
  type DraftJobSet,
  EXCLUSIVE,
  firstReplicatedJob,
  withAnnotations,
  withClaim,
  withEach,
  withJobSpec,
  withSpec,
} from "./scenario-edits.ts";

/** JobSets that cannot run and that admission should deny, each derived from a valid one. */
export const stuckJobSets: readonly ((jobSet: DraftJobSet) => DraftJobSet)[] = [
  waitingForItself,
  withoutIndexes,
  setInvalidLabelName,
  setInvalidServiceName,
  setTooLongName,
  setInvalidVolumeName,
  setInvalidTopologyKey,
  dependOnMissing,
];

function waitingForItself(jobSet: DraftJobSet): DraftJobSet {
  const one = firstReplicatedJob(jobSet);
  const dependsOn = [{ name: "self", status: "Complete" }];
  return withSpec(jobSet, { replicatedJobs: [one, { ...one, name: "self", dependsOn }] });
}

/** Its Pods have no leader, because they have no index. */
function withoutIndexes(jobSet: DraftJobSet): DraftJobSet {
  return withAnnotations(
    withEach(jobSet, (one) => withJobSpec(one, { completionMode: "NonIndexed" })),
    EXCLUSIVE,
  );
}

function setInvalidLabelName(jobSet: DraftJobSet): DraftJobSet {
  return withEach(jobSet, (one) => ({ ...one, name: "-workers-" }));
}

function setInvalidServiceName(jobSet: DraftJobSet): DraftJobSet {
  const metadata = { ...jobSet.metadata, name: `other.${"x".repeat(70)}` };
  const network = { enableDNSHostnames: true };
  return withSpec({ ...jobSet, metadata }, { replicatedJobs: [], network });
}

/** Namespace and Job form one node label, which is too long. */
function setTooLongName(jobSet: DraftJobSet): DraftJobSet {
  const metadata = { name: `other-${"x".repeat(30)}`, namespace: "research-and-development" };
  return withAnnotations(
    withEach({ ...jobSet, metadata }, (one) => ({ ...one, name: "w" })),
    { ...EXCLUSIVE, [NODE_SELECTOR_STRATEGY_KEY]: "true" },
  );
}

function setInvalidVolumeName(jobSet: DraftJobSet): DraftJobSet {
  return withClaim(jobSet, "a.b", "Delete");
}

function setInvalidTopologyKey(jobSet: DraftJobSet): DraftJobSet {
  return withAnnotations(jobSet, { [EXCLUSIVE_TOPOLOGY_KEY]: "not a key" });
}

/** The first ReplicatedJob depends on a missing one. */
function dependOnMissing(jobSet: DraftJobSet): DraftJobSet {
  return withEach(jobSet, (one) => ({
    ...one,
    dependsOn: [{ name: "missing", status: "Ready" }],
  }));
}
