import type { ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import type { AJobSet } from "../builders/a-jobset.ts";
import {
  type AnyObject,
  createJobSet,
  jobSetWithOne,
  nonIndexed,
  type RuleRow,
  replicatedJob,
  samples,
  train,
  withOthers,
} from "./rule-samples.ts";

/** The rules of exclusive placement. */
export const placementRules: readonly RuleRow[] = [
  {
    rule: "exclusive-placement-indexed",
    says: "exclusive placement applies only to Indexed Jobs, because other Jobs have no leader",
    kept: samples(
      exclusive("rack"),
      exclusiveJob("rack"),
      jobSetWithOne("train", nonIndexed),
      placedByNodeLabels(jobSetWithOne("train", nonIndexed)),
      ...withOthers(createExclusiveJob("rack")),
    ),
    broken: samples(
      exclusive("rack", jobSetWithOne("train", nonIndexed)),
      exclusiveJob("rack", nonIndexed),
      ...withOthers(replicatedJob("w", nonIndexed), { others: {} }).map((jobSet) =>
        exclusive("rack", jobSet),
      ),
      ...withOthers(createExclusiveJob("rack", nonIndexed)),
    ),
  },
  {
    rule: "topology-key-valid",
    says: "the topology key of exclusive placement is a valid label key",
    kept: samples(exclusive("cloud.google.com/gke-nodepool"), exclusiveJob("rack")),
    broken: samples(
      exclusive("a rack"),
      exclusive("a/b/c"),
      exclusive("Acme.io/rack"),
      exclusive("acme.io/"),
      exclusive("/rack"),
      exclusive("rack-"),
      exclusive("r".repeat(64)),
      exclusive(`${Array(64).fill("abc").join(".")}/rack`),
      exclusive(""),
      exclusiveJob("a rack"),
      exclusiveJob(""),
      ...withOthers(createExclusiveJob("a rack")),
    ),
  },
];

/** Adds exclusive placement by node labels. */
export function placedByNodeLabels(jobSet: AJobSet): AJobSet {
  return jobSet.withAnnotations({
    [EXCLUSIVE_TOPOLOGY_KEY]: "rack",
    [NODE_SELECTOR_STRATEGY_KEY]: "true",
  });
}

function exclusive(topologyKey: string, jobSet: AJobSet = train()): AJobSet {
  return jobSet.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey });
}

function createExclusiveJob(topologyKey: string, jobSpec: AnyObject = {}): ReplicatedJob {
  const { template, ...rest } = replicatedJob("w", jobSpec);
  const metadata = { annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey } };
  return { ...rest, template: { ...template, metadata } };
}

function exclusiveJob(topologyKey: string, jobSpec: AnyObject = {}): AJobSet {
  return createJobSet([createExclusiveJob(topologyKey, jobSpec)]);
}
