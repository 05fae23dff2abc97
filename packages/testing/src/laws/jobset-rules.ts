// A valid JobSet, and samples that violate each rule of JobSet's validation alone.

import type { AJobSet } from "../builders/a-jobset.ts";
import { claimRules, existingClaimRules } from "./claim-rules.ts";
import { dependencyRules, firstJobRules } from "./dependency-rules.ts";
import { placedByNodeLabels, placementRules } from "./placement-rules.ts";
import { failureRules, restartCountRules, restartJobRules, successRules } from "./policy-rules.ts";
import {
  type AnyObject,
  createJobSet,
  jobSetWithOne,
  letters,
  nonIndexed,
  type RuleRow,
  replicatedJob,
  samples,
  train,
  withOthers,
} from "./rule-samples.ts";

/** Texts that are not DNS labels, each for another reason. */
const notLabels = ["G", "-g", "g-", "g.g", "g_g", "g g", "\u00e4"];

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
      ...withOthers(replicatedJob("w", nonIndexed, { replicas: 11 }), { name: letters(59) }),
    ),
  },
  {
    rule: "pod-name-valid",
    says: "the name of the last Pod is a DNS label",
    kept: samples(jobSetWithOne("train"), jobSetWithOne(letters(51), {}, { replicas: 10 })),
    broken: samples(
      jobSetWithOne(letters(51), {}, { replicas: 11 }),
      jobSetWithOne(letters(51), { parallelism: 11, completions: 11 }, { replicas: 10 }),
      jobSetWithOne(letters(51), { parallelism: 1, completions: 11 }, { replicas: 10 }),
      jobSetWithOne(letters(54)),
      ...withOthers(replicatedJob("w", {}, { replicas: 11 }), { name: letters(51) }),
    ),
  },
  {
    rule: "replicated-job-label-valid",
    says: "the name of a ReplicatedJob is a valid label value",
    kept: samples(createJobSet([replicatedJob("w-w")])),
    broken: samples(
      createJobSet([replicatedJob("-w")]),
      createJobSet([replicatedJob("w-")]),
      ...withOthers(replicatedJob("-w")),
    ),
  },
  {
    rule: "group-name-valid",
    says: "the group name is a DNS label",
    kept: samples(jobSetWithOne("train", {}, { groupName: "g".repeat(63) })),
    broken: samples(
      ...notLabels.map((groupName) => jobSetWithOne("train", {}, { groupName })),
      jobSetWithOne("train", {}, { groupName: "g".repeat(64) }),
      ...withOthers(replicatedJob("w", {}, { groupName: "G" })),
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
      ...withOthers(replicatedJob("wwww")).map((jobSet) =>
        placedByNodeLabels(jobSet).inNamespace("n".repeat(52)),
      ),
    ),
  },
];

const createPodCounts = (size: number) => ({ parallelism: size, ...nonIndexed });

export const podCountRules: readonly RuleRow[] = [
  {
    rule: "pod-count-in-range",
    says: "the Pod count of a ReplicatedJob fits into 32 bits",
    kept: samples(
      jobSetWithOne("train", createPodCounts(2 ** 30 - 1), { replicas: 2 }),
      jobSetWithOne("train", createPodCounts(2 ** 31 - 1), { replicas: 1 }),
      createJobSet([
        replicatedJob("a", createPodCounts(2 ** 30)),
        replicatedJob("b", createPodCounts(2 ** 30)),
      ]),
    ),
    broken: samples(
      jobSetWithOne("train", createPodCounts(2 ** 30), { replicas: 2 }),
      // The 32-bit product wraps around to 0.
      jobSetWithOne("train", createPodCounts(2 ** 16), { replicas: 2 ** 16 }),
      ...withOthers(replicatedJob("w", createPodCounts(2 ** 30), { replicas: 2 })),
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
      ...notLabels.map(subdomain),
      train({ network: { enableDNSHostnames: false, subdomain: "My_Net" } }),
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
      train({ managedBy: "acme.io/Foo-._~%!$&'()*+,;=:" }),
      train({ managedBy: "jobset.sigs.k8s.io/jobset-controller" }),
      train({ managedBy: `acme.io/${letters(55)}` }),
    ),
    broken: samples(
      train({ managedBy: "other" }),
      train({ managedBy: "" }),
      train({ managedBy: "acme.io/" }),
      train({ managedBy: "/foo" }),
      ...["Acme.io/foo", "acme_/foo", "-acme.io/foo", "acme..io/foo", "acme.io/\u00e4"].map(
        (managedBy) => train({ managedBy }),
      ),
      train({ managedBy: "acme.io/a b" }),
      train({ managedBy: `acme.io/${letters(56)}` }),
    ),
  },
];

const restartsInPlace = { failurePolicy: { maxRestarts: 1, restartStrategy: "InPlaceRestart" } };
const inPlace = (jobSpec: AnyObject) =>
  createJobSet([replicatedJob("w", jobSpec)], restartsInPlace);
const fit = { backoffLimit: 2 ** 31 - 1, podReplacementPolicy: "Failed" };
const invalidJobSpecs: readonly AnyObject[] = [
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
      ...withOthers(replicatedJob("w", { ...fit, parallelism: 2, completions: 2 }), {
        spec: restartsInPlace,
        others: fit,
      }),
    ),
    broken: samples(
      ...invalidJobSpecs.map(inPlace),
      ...invalidJobSpecs.flatMap((jobSpec) =>
        withOthers(replicatedJob("w", jobSpec), { spec: restartsInPlace, others: fit }),
      ),
    ),
  },
];

const withCoordinator = (coordinator: AnyObject, jobSet: AJobSet = train()) =>
  jobSet.withSpec({ coordinator: { replicatedJob: "workers", ...coordinator } });
const singleJobWithCoordinator = (name: string) =>
  withCoordinator({ replicatedJob: "w" }, jobSetWithOne(name));
/** The coordinator's indexes have two digits. */
const last = (name: string, coordinator: AnyObject = {}) =>
  withCoordinator(
    { replicatedJob: "w", jobIndex: 10, ...coordinator },
    jobSetWithOne(name, { parallelism: 11, completions: 11 }, { replicas: 11 }),
  );
const coordinatorWithSubdomain = (name: string, subdomain: string) =>
  singleJobWithCoordinator(name).withSpec({ network: { ...train().spec.network, subdomain } });

/** Coordinators that are not Pods of a ReplicatedJob `w` with two Jobs. */
const wrongCoordinators: readonly (readonly [coordinator: AnyObject, jobSpec: AnyObject])[] = [
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
      ...withOthers(replicatedJob("w", {}, { replicas: 2 })).map((jobSet) =>
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
        withOthers(replicatedJob("w", jobSpec, { replicas: 2 }), {
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
