// A valid JobSet, and samples that violate each rule of JobSet's validation alone.
import type { ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import type { AJobSet } from "../builders/a-jobset.ts";
import { claimRules, existingClaimRules } from "./claim-rules.ts";
import { failureRules, restartCountRules, restartJobRules, successRules } from "./policy-rules.ts";
import {
  amongOthers,
  createJobSet,
  inEachPlace,
  jobSetWithOne,
  type Loose,
  letters,
  nonIndexed,
  type RuleRow,
  replicatedJob,
  samples,
  train,
} from "./rule-samples.ts";

export const nameRules: readonly RuleRow[] = [
  {
    rule: "job-name-valid",
    says: "the name of the last Job is a DNS label",
    kept: samples(
      jobSetWithOne("train", nonIndexed),
      jobSetWithOne(letters(59), nonIndexed, { replicas: 10 }),
    ),
    broken: samples(
      jobSetWithOne(letters(59), nonIndexed, { replicas: 11 }),
      jobSetWithOne(letters(60), nonIndexed, { replicas: 10 }),
      jobSetWithOne("1a", nonIndexed),
      jobSetWithOne("a.b", nonIndexed),
      ...amongOthers(replicatedJob("w", nonIndexed, { replicas: 11 }), { name: letters(59) }),
    ),
  },
  {
    rule: "pod-name-valid",
    says: "the name of the last Pod is a DNS label",
    kept: samples(jobSetWithOne("train"), jobSetWithOne(letters(51), {}, { replicas: 10 })),
    broken: samples(
      jobSetWithOne(letters(51), {}, { replicas: 11 }),
      jobSetWithOne(letters(51), { parallelism: 11, completions: 11 }, { replicas: 10 }),
      jobSetWithOne(letters(54)),
      ...amongOthers(replicatedJob("w", {}, { replicas: 11 }), { name: letters(51) }),
    ),
  },
  {
    rule: "replicated-job-label-valid",
    says: "the name of a ReplicatedJob is a valid label value",
    kept: samples(createJobSet([replicatedJob("w-w")])),
    broken: samples(
      createJobSet([replicatedJob("-w")]),
      createJobSet([replicatedJob("w-")]),
      ...amongOthers(replicatedJob("-w")),
    ),
  },
  {
    rule: "group-name-valid",
    says: "the group name is a DNS label",
    kept: samples(jobSetWithOne("train", {}, { groupName: "g".repeat(63) })),
    broken: samples(
      jobSetWithOne("train", {}, { groupName: "G" }),
      jobSetWithOne("train", {}, { groupName: "g".repeat(64) }),
      ...amongOthers(replicatedJob("w", {}, { groupName: "G" })),
    ),
  },
  {
    rule: "service-name-valid",
    says: "the name of a JobSet without ReplicatedJobs is a valid Service name",
    kept: samples(createJobSet([])),
    broken: samples(createJobSet([], {}, "a.b"), createJobSet([], {}, letters(64))),
  },
  {
    rule: "node-selector-valid",
    says: "with placement by node labels, the namespace and name of a Job together are a valid label value",
    kept: samples(placedByNodeLabels(jobSetWithOne("train"))),
    broken: samples(
      placedByNodeLabels(jobSetWithOne("train")).inNamespace("n".repeat(55)),
      ...amongOthers(replicatedJob("wwww")).map((jobSet) =>
        placedByNodeLabels(jobSet).inNamespace("n".repeat(52)),
      ),
    ),
  },
];

function placedByNodeLabels(jobSet: AJobSet): AJobSet {
  return jobSet.withAnnotations({
    [EXCLUSIVE_TOPOLOGY_KEY]: "rack",
    [NODE_SELECTOR_STRATEGY_KEY]: "true",
  });
}

const many = (size: number) => ({ parallelism: size, ...nonIndexed });

export const podCountRules: readonly RuleRow[] = [
  {
    rule: "pod-count-in-range",
    says: "the Pod count of a ReplicatedJob fits into 32 bits",
    kept: samples(
      jobSetWithOne("train", many(2 ** 30 - 1), { replicas: 2 }),
      jobSetWithOne("train", many(2 ** 31 - 1), { replicas: 1 }),
      createJobSet([replicatedJob("a", many(2 ** 30)), replicatedJob("b", many(2 ** 30))]),
    ),
    broken: samples(
      jobSetWithOne("train", many(2 ** 30), { replicas: 2 }),
      // The 32-bit product wraps around to 0.
      jobSetWithOne("train", many(2 ** 16), { replicas: 2 ** 16 }),
      ...amongOthers(replicatedJob("w", many(2 ** 30), { replicas: 2 })),
    ),
  },
];

const subdomain = (name: string) =>
  train({ network: { ...train().spec.network, subdomain: name } });

export const networkRules: readonly RuleRow[] = [
  {
    rule: "subdomain-valid",
    says: "the subdomain is a DNS label that begins with a letter",
    kept: samples(subdomain("net"), subdomain("n".repeat(63))),
    broken: samples(
      subdomain("My_Net"),
      subdomain("a.b"),
      subdomain("1a"),
      subdomain("n".repeat(64)),
    ),
  },
];

export const managerRules: readonly RuleRow[] = [
  {
    rule: "managed-by-valid",
    says: "managedBy is a domain-prefixed path of at most 63 bytes",
    kept: samples(
      train({ managedBy: "acme.io/foo" }),
      train({ managedBy: "acme.io/foo/bar" }),
      train({ managedBy: "jobset.sigs.k8s.io/jobset-controller" }),
      train({ managedBy: `acme.io/${letters(55)}` }),
    ),
    broken: samples(
      train({ managedBy: "other" }),
      train({ managedBy: "" }),
      train({ managedBy: "acme.io/" }),
      train({ managedBy: "/foo" }),
      train({ managedBy: "Acme_/foo" }),
      train({ managedBy: "acme.io/a b" }),
      train({ managedBy: `acme.io/${letters(56)}` }),
    ),
  },
];

const waiting = (name: string, ...others: readonly string[]) =>
  replicatedJob(name, {}, { dependsOn: others.map((one) => ({ name: one, status: "Ready" })) });

export const dependencyRules: readonly RuleRow[] = [
  {
    rule: "dependency-listed-before",
    says: "a ReplicatedJob depends only on preceding ReplicatedJobs",
    kept: samples(
      createJobSet([replicatedJob("a"), waiting("b", "a")]),
      createJobSet([replicatedJob("a"), waiting("b", "a"), waiting("c", "a", "b")]),
      createJobSet([
        replicatedJob("a"),
        waiting("b", "a"),
        waiting("c", "b"),
        waiting("d", "c", "a"),
      ]),
    ),
    broken: samples(
      createJobSet([replicatedJob("a"), waiting("b", "nope")]),
      createJobSet([replicatedJob("a"), waiting("b", "c"), replicatedJob("c")]),
      createJobSet([replicatedJob("a"), waiting("b", "c", "a"), replicatedJob("c")]),
      createJobSet([replicatedJob("a"), waiting("b", "b")]),
      ...inEachPlace("nope", ["a", "b"]).map((names) =>
        createJobSet([replicatedJob("a"), replicatedJob("b"), waiting("c", ...names)]),
      ),
      ...["nope", "b", "c", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          waiting("b", name),
          waiting("c", "a"),
          waiting("d", "c"),
        ]),
      ),
      ...["nope", "c", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          waiting("b", "a"),
          waiting("c", name),
          waiting("d", "c"),
        ]),
      ),
      ...["nope", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          waiting("b", "a"),
          waiting("c", "a"),
          waiting("d", name),
        ]),
      ),
    ),
  },
];

/** A dependency of the first ReplicatedJob violates both rules, because no ReplicatedJob precedes it. */
export const firstJobRules: readonly RuleRow[] = [
  {
    rule: "first-job-independent",
    says: "the first ReplicatedJob has no dependencies",
    kept: samples(createJobSet([replicatedJob("a"), waiting("b", "a")])),
    broken: samples(createJobSet([waiting("a", "b"), replicatedJob("b")])),
  },
];

const restartsInPlace = { failurePolicy: { maxRestarts: 1, restartStrategy: "InPlaceRestart" } };
const inPlace = (jobSpec: Loose) => createJobSet([replicatedJob("w", jobSpec)], restartsInPlace);
const fit = { backoffLimit: 2 ** 31 - 1, podReplacementPolicy: "Failed" };
const unfit: readonly Loose[] = [
  { ...fit, backoffLimit: 6 },
  { ...fit, backoffLimit: undefined },
  { ...fit, podReplacementPolicy: undefined },
  { ...fit, podReplacementPolicy: "TerminatingOrFailed" },
  { ...fit, completions: 2 },
  { ...fit, completions: undefined },
  { ...fit, parallelism: undefined },
];

/** Which samples satisfy the rule depends on the feature gate `InPlaceRestart`. */
export const inPlaceRules: readonly RuleRow[] = [
  {
    rule: "in-place-restart-enabled",
    says: "in-place restart needs the feature gate InPlaceRestart",
    kept: samples(train({ failurePolicy: { maxRestarts: 1, restartStrategy: "Recreate" } })),
    broken: samples(inPlace(fit)),
  },
];

/** Requirements with the feature gate `InPlaceRestart`. */
export const inPlaceJobRules: readonly RuleRow[] = [
  {
    rule: "job-restarts-in-place",
    says: "with in-place restart, the Job controller replaces no Pods, and all Pods run in parallel",
    kept: samples(
      inPlace(fit),
      ...amongOthers(replicatedJob("w", { ...fit, parallelism: 2, completions: 2 }), {
        spec: restartsInPlace,
        others: fit,
      }),
    ),
    broken: samples(
      ...unfit.map(inPlace),
      ...unfit.flatMap((jobSpec) =>
        amongOthers(replicatedJob("w", jobSpec), { spec: restartsInPlace, others: fit }),
      ),
    ),
  },
];

const exclusive = (topologyKey: string, jobSet: AJobSet = train()) =>
  jobSet.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey });

const exclusively = (topologyKey: string, jobSpec: Loose = {}): ReplicatedJob => {
  const { template, ...rest } = replicatedJob("w", jobSpec);
  const metadata = { annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey } };
  return { ...rest, template: { ...template, metadata } };
};
const exclusiveJob = (topologyKey: string, jobSpec: Loose = {}) =>
  createJobSet([exclusively(topologyKey, jobSpec)]);

export const placementRules: readonly RuleRow[] = [
  {
    rule: "exclusive-placement-indexed",
    says: "exclusive placement applies only to Indexed Jobs, because other Jobs have no leader",
    kept: samples(
      exclusive("rack"),
      exclusiveJob("rack"),
      jobSetWithOne("train", nonIndexed),
      placedByNodeLabels(jobSetWithOne("train", nonIndexed)),
      ...amongOthers(exclusively("rack")),
    ),
    broken: samples(
      exclusive("rack", jobSetWithOne("train", nonIndexed)),
      exclusiveJob("rack", nonIndexed),
      ...amongOthers(replicatedJob("w", nonIndexed), { others: {} }).map((jobSet) =>
        exclusive("rack", jobSet),
      ),
      ...amongOthers(exclusively("rack", nonIndexed)),
    ),
  },
  {
    rule: "topology-key-valid",
    says: "the topology key of exclusive placement is a valid label key",
    kept: samples(exclusive("cloud.google.com/gke-nodepool"), exclusiveJob("rack")),
    broken: samples(
      exclusive("a rack"),
      exclusive("a/b/c"),
      exclusive(""),
      exclusiveJob("a rack"),
      exclusiveJob(""),
      ...amongOthers(exclusively("a rack")),
    ),
  },
];

const withCoordinator = (coordinator: Loose, jobSet: AJobSet = train()) =>
  jobSet.withSpec({ coordinator: { replicatedJob: "workers", ...coordinator } });
const singleJobWithCoordinator = (name: string) =>
  withCoordinator({ replicatedJob: "w" }, jobSetWithOne(name));
/** The coordinator's indexes have two digits. */
const last = (name: string, coordinator: Loose = {}) =>
  withCoordinator(
    { replicatedJob: "w", jobIndex: 10, ...coordinator },
    jobSetWithOne(name, { parallelism: 11, completions: 11 }, { replicas: 11 }),
  );
const coordinatorWithSubdomain = (name: string, subdomain: string) =>
  singleJobWithCoordinator(name).withSpec({ network: { ...train().spec.network, subdomain } });

/** Coordinators that are not Pods of a ReplicatedJob `w` with two Jobs. */
const wrongCoordinators: readonly (readonly [coordinator: Loose, jobSpec: Loose])[] = [
  [{ jobIndex: 2 }, {}],
  [{ podIndex: 1 }, {}],
  [{}, nonIndexed],
];

export const coordinatorRules: readonly RuleRow[] = [
  {
    rule: "coordinator-exists",
    says: "the coordinator is a Pod of the JobSet",
    kept: samples(
      withCoordinator({ jobIndex: 0, podIndex: 0 }),
      withCoordinator({ jobIndex: 1 }),
      withCoordinator({}),
      ...amongOthers(replicatedJob("w", {}, { replicas: 2 })).map((jobSet) =>
        withCoordinator({ replicatedJob: "w", jobIndex: 1 }, jobSet),
      ),
    ),
    broken: samples(
      withCoordinator({ replicatedJob: "nope" }),
      withCoordinator({ jobIndex: 2 }),
      withCoordinator({ jobIndex: -1 }),
      withCoordinator({ podIndex: 1 }),
      withCoordinator({ podIndex: -1 }),
      withCoordinator({ replicatedJob: "w" }, jobSetWithOne("train", nonIndexed)),
      withCoordinator({ replicatedJob: "w" }, jobSetWithOne("train", { completions: undefined })),
      ...wrongCoordinators.flatMap(([coordinator, jobSpec]) =>
        amongOthers(replicatedJob("w", jobSpec, { replicas: 2 }), {
          others: { parallelism: 2, completions: 2 },
        }).map((jobSet) => withCoordinator({ replicatedJob: "w", ...coordinator }, jobSet)),
      ),
    ),
  },
  {
    rule: "coordinator-label-valid",
    says: "the coordinator's address is a valid label value",
    kept: samples(
      singleJobWithCoordinator(letters(28)),
      last(letters(27), { podIndex: 10 }),
      coordinatorWithSubdomain(letters(45), "n".repeat(11)),
      coordinatorWithSubdomain(letters(50), "n"),
    ),
    broken: samples(
      singleJobWithCoordinator(letters(29)),
      singleJobWithCoordinator(letters(40)),
      last(letters(28)),
      coordinatorWithSubdomain(letters(45), "n".repeat(12)),
    ),
  },
];

/** All rules. */
export const allRules: readonly RuleRow[] = [
  ...nameRules,
  ...podCountRules,
  ...networkRules,
  ...managerRules,
  ...dependencyRules,
  ...firstJobRules,
  ...inPlaceRules,
  ...inPlaceJobRules,
  ...placementRules,
  ...successRules,
  ...failureRules,
  ...restartJobRules,
  ...restartCountRules,
  ...coordinatorRules,
  ...claimRules,
  ...existingClaimRules,
];
