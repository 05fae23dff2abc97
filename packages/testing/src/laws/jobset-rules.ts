// A valid JobSet, and samples that violate each rule of JobSet's validation alone.
import type { JobSetRuleId } from "@jobset-ts/admission";
import type { JobSet, JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { aClaim } from "../builders/a-claim.ts";
import { type AJobSet, aJobSet, aReplicatedJob } from "../builders/a-jobset.ts";

/** A validation rule with JobSets that barely satisfy it, and JobSets that violate only this rule. */
export interface RuleRow {
  /** The rule's name in jobset-ts, for its own tests. No law uses it. */
  readonly rule: JobSetRuleId;
  /** The requirement, as a sentence. */
  readonly says: string;
  readonly kept: readonly RuleSample[];
  readonly broken: readonly RuleSample[];
}

/** A JobSet and the other objects in the cluster. */
export interface RuleSample {
  readonly jobSet: JobSet;
  readonly cluster?: readonly KubernetesObject[];
}

// biome-ignore lint/suspicious/noExplicitAny: what breaks a rule may be of another type
type Loose = any;

/** Returns a ReplicatedJob with some fields replaced, also in its Job spec. */
export function replicatedJob(name: string, jobSpec: Loose = {}, rest: Loose = {}): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, { template: { spec: { ...template.spec, ...jobSpec } }, ...rest });
}

function of(jobs: ReplicatedJob[], spec: Loose = {}, name = "train"): AJobSet {
  return aJobSet(name).withSpec({ replicatedJobs: jobs, ...(spec as JobSetSpec) });
}

const samples = (...jobSets: readonly JobSet[]): readonly RuleSample[] =>
  jobSets.map((jobSet) => ({ jobSet }));

/** Returns a JobSet with a driver and workers. */
function train(spec: Loose = {}): AJobSet {
  return of([replicatedJob("driver"), replicatedJob("workers", {}, { replicas: 2 })], spec);
}

/** Returns a JobSet with the single ReplicatedJob `w`. */
function ofOne(name: string, jobSpec: Loose = {}, rest: Loose = {}): AJobSet {
  return of([replicatedJob("w", jobSpec, rest)], {}, name);
}

const nonIndexed = { completionMode: "NonIndexed", completions: undefined };
const a = (count: number) => "a".repeat(count);

/** Returns lists with an element at the start, in the middle and at the end. */
function inEachPlace<Element>(element: Element, others: readonly Element[]): Element[][] {
  return Array.from({ length: others.length + 1 }, (_, place) => [
    ...others.slice(0, place),
    element,
    ...others.slice(place),
  ]);
}

/**
 * Returns JobSets with a ReplicatedJob at the start, in the middle and at the end of others, which satisfy most rules.
 */
function amongOthers(
  job: ReplicatedJob,
  {
    spec = {},
    name = "train",
    others = nonIndexed,
  }: { spec?: Loose; name?: string; others?: Loose } = {},
): readonly AJobSet[] {
  const lists = inEachPlace(job, [replicatedJob("x", others), replicatedJob("y", others)]);
  return lists.map((jobs) => of(jobs, spec, name));
}

export const nameRules: readonly RuleRow[] = [
  {
    rule: "job-name-valid",
    says: "the name of the last Job is a DNS label",
    kept: samples(ofOne("train", nonIndexed), ofOne(a(59), nonIndexed, { replicas: 10 })),
    broken: samples(
      ofOne(a(59), nonIndexed, { replicas: 11 }),
      ofOne(a(60), nonIndexed, { replicas: 10 }),
      ofOne("1a", nonIndexed),
      ofOne("a.b", nonIndexed),
      ...amongOthers(replicatedJob("w", nonIndexed, { replicas: 11 }), { name: a(59) }),
    ),
  },
  {
    rule: "pod-name-valid",
    says: "the name of the last Pod is a DNS label",
    kept: samples(ofOne("train"), ofOne(a(51), {}, { replicas: 10 })),
    broken: samples(
      ofOne(a(51), {}, { replicas: 11 }),
      ofOne(a(51), { parallelism: 11, completions: 11 }, { replicas: 10 }),
      ofOne(a(54)),
      ...amongOthers(replicatedJob("w", {}, { replicas: 11 }), { name: a(51) }),
    ),
  },
  {
    rule: "replicated-job-label-valid",
    says: "the name of a ReplicatedJob is a valid label value",
    kept: samples(of([replicatedJob("w-w")])),
    broken: samples(
      of([replicatedJob("-w")]),
      of([replicatedJob("w-")]),
      ...amongOthers(replicatedJob("-w")),
    ),
  },
  {
    rule: "group-name-valid",
    says: "the group name is a DNS label",
    kept: samples(ofOne("train", {}, { groupName: "g".repeat(63) })),
    broken: samples(
      ofOne("train", {}, { groupName: "G" }),
      ofOne("train", {}, { groupName: "g".repeat(64) }),
      ...amongOthers(replicatedJob("w", {}, { groupName: "G" })),
    ),
  },
  {
    rule: "service-name-valid",
    says: "the name of a JobSet without ReplicatedJobs is a valid Service name",
    kept: samples(of([])),
    broken: samples(of([], {}, "a.b"), of([], {}, a(64))),
  },
  {
    rule: "node-selector-valid",
    says: "with placement by node labels, the namespace and name of a Job together are a valid label value",
    kept: samples(placedByNodeLabels(ofOne("train"))),
    broken: samples(
      placedByNodeLabels(ofOne("train")).inNamespace("n".repeat(55)),
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
      ofOne("train", many(2 ** 30 - 1), { replicas: 2 }),
      ofOne("train", many(2 ** 31 - 1), { replicas: 1 }),
      of([replicatedJob("a", many(2 ** 30)), replicatedJob("b", many(2 ** 30))]),
    ),
    broken: samples(
      ofOne("train", many(2 ** 30), { replicas: 2 }),
      // The 32-bit product is 0.
      ofOne("train", many(2 ** 16), { replicas: 2 ** 16 }),
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
      train({ managedBy: `acme.io/${a(55)}` }),
    ),
    broken: samples(
      train({ managedBy: "other" }),
      train({ managedBy: "" }),
      train({ managedBy: "acme.io/" }),
      train({ managedBy: "/foo" }),
      train({ managedBy: "Acme_/foo" }),
      train({ managedBy: "acme.io/a b" }),
      train({ managedBy: `acme.io/${a(56)}` }),
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
      of([replicatedJob("a"), waiting("b", "a")]),
      of([replicatedJob("a"), waiting("b", "a"), waiting("c", "a", "b")]),
      of([replicatedJob("a"), waiting("b", "a"), waiting("c", "b"), waiting("d", "c", "a")]),
    ),
    broken: samples(
      of([replicatedJob("a"), waiting("b", "nope")]),
      of([replicatedJob("a"), waiting("b", "c"), replicatedJob("c")]),
      of([replicatedJob("a"), waiting("b", "c", "a"), replicatedJob("c")]),
      of([replicatedJob("a"), waiting("b", "b")]),
      ...inEachPlace("nope", ["a", "b"]).map((names) =>
        of([replicatedJob("a"), replicatedJob("b"), waiting("c", ...names)]),
      ),
      ...["nope", "b", "c", "d"].map((name) =>
        of([replicatedJob("a"), waiting("b", name), waiting("c", "a"), waiting("d", "c")]),
      ),
      ...["nope", "c", "d"].map((name) =>
        of([replicatedJob("a"), waiting("b", "a"), waiting("c", name), waiting("d", "c")]),
      ),
      ...["nope", "d"].map((name) =>
        of([replicatedJob("a"), waiting("b", "a"), waiting("c", "a"), waiting("d", name)]),
      ),
    ),
  },
];

/** A dependency of the first ReplicatedJob violates both rules, because no ReplicatedJob precedes it. */
export const firstJobRules: readonly RuleRow[] = [
  {
    rule: "first-job-independent",
    says: "the first ReplicatedJob has no dependencies",
    kept: samples(of([replicatedJob("a"), waiting("b", "a")])),
    broken: samples(of([waiting("a", "b"), replicatedJob("b")])),
  },
];

const restartsInPlace = { failurePolicy: { maxRestarts: 1, restartStrategy: "InPlaceRestart" } };
const inPlace = (jobSpec: Loose) => of([replicatedJob("w", jobSpec)], restartsInPlace);
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
  of([exclusively(topologyKey, jobSpec)]);

export const placementRules: readonly RuleRow[] = [
  {
    rule: "exclusive-placement-indexed",
    says: "exclusive placement applies only to Indexed Jobs, because other Jobs have no leader",
    kept: samples(
      exclusive("rack"),
      exclusiveJob("rack"),
      ofOne("train", nonIndexed),
      placedByNodeLabels(ofOne("train", nonIndexed)),
      ...amongOthers(exclusively("rack")),
    ),
    broken: samples(
      exclusive("rack", ofOne("train", nonIndexed)),
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

const succeeding = (...targets: readonly string[]) =>
  train({ successPolicy: { operator: "All", targetReplicatedJobs: targets } });

export const successRules: readonly RuleRow[] = [
  {
    rule: "success-targets-exist",
    says: "the success policy names ReplicatedJobs that exist",
    kept: samples(succeeding("workers"), succeeding("driver", "workers")),
    broken: samples(
      succeeding("nope"),
      succeeding("workers", "nope"),
      succeeding(""),
      ...inEachPlace("nope", ["driver", "workers"]).map((targets) => succeeding(...targets)),
    ),
  },
];

const withRules = (...rules: readonly Loose[]) =>
  train({
    failurePolicy: {
      maxRestarts: 1,
      rules: rules.map((rule, index) => ({ name: `rule${index}`, action: "FailJobSet", ...rule })),
    },
  });

/** Returns three rules, one of which is different. */
const withRuleInEachPlace = (rule: Loose) =>
  inEachPlace(rule, [{}, {}]).map((rules) => withRules(...rules));

/** Returns three rules with an element at each position of a list. */
const withElementInEachPlace = (member: string, element: string, others: readonly string[]) =>
  inEachPlace(element, others).flatMap((list) => withRuleInEachPlace({ [member]: list }));

export const failureRules: readonly RuleRow[] = [
  {
    rule: "rule-name-valid",
    says: "the name of a failure policy rule has 1 to 128 characters that are valid in a reason",
    kept: samples(
      withRules({ name: "a,b:c_" }),
      withRules({ name: "A9" }),
      withRules({ name: a(128) }),
    ),
    broken: samples(
      withRules({ name: "1rule" }),
      withRules({ name: "rule," }),
      withRules({ name: "a rule" }),
      withRules({ name: "" }),
      withRules({ name: a(129) }),
      ...withRuleInEachPlace({ name: "1rule" }),
      ...withRuleInEachPlace({ name: a(129) }),
    ),
  },
  {
    rule: "failure-targets-exist",
    says: "a failure policy rule names ReplicatedJobs that exist",
    kept: samples(
      withRules({ targetReplicatedJobs: ["workers"] }),
      ...withRuleInEachPlace({ targetReplicatedJobs: ["workers", "driver"] }),
    ),
    broken: samples(
      withRules({ targetReplicatedJobs: ["nope"] }),
      ...withElementInEachPlace("targetReplicatedJobs", "nope", ["workers", "driver"]),
    ),
  },
  {
    rule: "failure-reason-known",
    says: "a failure policy rule names failure reasons of Jobs",
    kept: samples(withRules({ onJobFailureReasons: ["BackoffLimitExceeded", "PodFailurePolicy"] })),
    broken: samples(
      withRules({ onJobFailureReasons: ["fakeReason"] }),
      withRules({ onJobFailureReasons: ["DeadlineExceeded", ""] }),
      ...withElementInEachPlace("onJobFailureReasons", "fakeReason", [
        "DeadlineExceeded",
        "PodFailurePolicy",
      ]),
    ),
  },
  {
    rule: "message-pattern-valid",
    says: "a message pattern compiles",
    kept: samples(
      withRules({ onJobFailureMessagePatterns: ["exit (code )?[0-9]+"] }),
      withRules({ onJobFailureMessagePatterns: ["(?i)oom", "(?P<code>[0-9]+)"] }),
    ),
    broken: samples(
      withRules({ onJobFailureMessagePatterns: ["("] }),
      withRules({ onJobFailureMessagePatterns: ["exit (?!0)"] }),
      withRules({ onJobFailureMessagePatterns: ["exit", "[z-a]"] }),
      ...withElementInEachPlace("onJobFailureMessagePatterns", "(", ["exit", "oom"]),
    ),
  },
  {
    rule: "rule-names-unique",
    says: "the names of failure policy rules differ",
    kept: samples(withRules({}, {})),
    broken: samples(
      withRules({ name: "same" }, { name: "same" }),
      withRules({ name: "same" }, {}, { name: "same" }),
      withRules({}, { name: "same" }, { name: "same" }),
    ),
  },
];

const restartRule = (action: string, at = 0) => ({
  failurePolicy: {
    maxRestarts: 1,
    rules: inEachPlace(action, ["FailJobSet", "RestartJobSet"])[at]?.map((one, index) => ({
      name: `rule${index}`,
      action: one,
    })),
  },
});
const restarting = (action: string, replicas = 2, at = 0) =>
  of([replicatedJob("w", {}, { replicas })], restartRule(action, at));
const singleRestarts = ["RestartJob", "RestartJobAndIgnoreMaxRestarts"] as const;

/** Which samples satisfy the rule depends on the feature gate `RestartJob`. */
export const restartJobRules: readonly RuleRow[] = [
  {
    rule: "restart-job-enabled",
    says: "restarting single Jobs needs the feature gate RestartJob",
    kept: samples(restarting("RestartJobSet"), restarting("RestartJobSetAndIgnoreMaxRestarts")),
    broken: samples(
      ...singleRestarts.flatMap((action) => [0, 1, 2].map((at) => restarting(action, 2, at))),
    ),
  },
];

/** Requirements with the feature gate `RestartJob`. */
export const restartCountRules: readonly RuleRow[] = [
  {
    rule: "restart-job-countable",
    says: "single restarts apply to at most 1024 Jobs of a ReplicatedJob",
    kept: samples(
      restarting("RestartJob", 1024),
      restarting("RestartJobSet", 1025),
      restarting("RestartJob", 1024).withReplicatedJob("more"),
    ),
    broken: samples(
      ...singleRestarts.flatMap((action) => [0, 1, 2].map((at) => restarting(action, 1025, at))),
      ...amongOthers(replicatedJob("w", {}, { replicas: 1025 }), {
        spec: restartRule("RestartJob"),
      }),
    ),
  },
];

const coordinated = (coordinator: Loose, jobSet: AJobSet = train()) =>
  jobSet.withSpec({ coordinator: { replicatedJob: "workers", ...coordinator } });
const byItself = (name: string) => coordinated({ replicatedJob: "w" }, ofOne(name));
/** The coordinator's indexes have two digits. */
const last = (name: string, coordinator: Loose = {}) =>
  coordinated(
    { replicatedJob: "w", jobIndex: 10, ...coordinator },
    ofOne(name, { parallelism: 11, completions: 11 }, { replicas: 11 }),
  );
const beside = (name: string, subdomain: string) =>
  byItself(name).withSpec({ network: { ...train().spec.network, subdomain } });

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
      coordinated({ jobIndex: 0, podIndex: 0 }),
      coordinated({ jobIndex: 1 }),
      coordinated({}),
      ...amongOthers(replicatedJob("w", {}, { replicas: 2 })).map((jobSet) =>
        coordinated({ replicatedJob: "w", jobIndex: 1 }, jobSet),
      ),
    ),
    broken: samples(
      coordinated({ replicatedJob: "nope" }),
      coordinated({ jobIndex: 2 }),
      coordinated({ jobIndex: -1 }),
      coordinated({ podIndex: 1 }),
      coordinated({ podIndex: -1 }),
      coordinated({ replicatedJob: "w" }, ofOne("train", nonIndexed)),
      coordinated({ replicatedJob: "w" }, ofOne("train", { completions: undefined })),
      ...wrongCoordinators.flatMap(([coordinator, jobSpec]) =>
        amongOthers(replicatedJob("w", jobSpec, { replicas: 2 }), {
          others: { parallelism: 2, completions: 2 },
        }).map((jobSet) => coordinated({ replicatedJob: "w", ...coordinator }, jobSet)),
      ),
    ),
  },
  {
    rule: "coordinator-label-valid",
    says: "the coordinator's address is a valid label value",
    kept: samples(
      byItself(a(28)),
      last(a(27), { podIndex: 10 }),
      beside(a(45), "n".repeat(11)),
      beside(a(50), "n"),
    ),
    broken: samples(byItself(a(29)), byItself(a(40)), last(a(28)), beside(a(45), "n".repeat(12))),
  },
];

interface Claimed {
  readonly templates?: readonly Loose[];
  /** Replaces the single policy with these templates. */
  readonly policies?: readonly Loose[];
  readonly mounts?: readonly string[];
  readonly podSpec?: Loose;
  readonly policy?: Loose;
  readonly name?: string;
}

const size = (storage: string) => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage } },
});
const template = (name: string, spec: Loose = {}) => ({ metadata: { name }, spec });

/** Returns a JobSet whose Pods mount PVCs. */
export function createClaimingJobSet({
  templates = [template("data")],
  mounts = ["data"],
  podSpec = {},
  policy = {},
  policies = [{ templates, ...policy }],
  name = "train",
}: Claimed = {}): AJobSet {
  const volumeMounts = mounts.map((mount, index) => ({ name: mount, mountPath: `/v${index}` }));
  const container = { name: "main", image: "img", volumeMounts };
  const spec = { restartPolicy: "Never", containers: [container], ...podSpec };
  return of([replicatedJob("w", { template: { spec } })], { volumeClaimPolicies: policies }, name);
}

/** Returns the JobSet with its ReplicatedJob at the start, in the middle and at the end of others. */
function listClaimingAmongOthers(jobSet: AJobSet): readonly AJobSet[] {
  const { replicatedJobs = [], ...spec } = jobSet.spec;
  return replicatedJobs.flatMap((job) => amongOthers(job, { spec }));
}

/** Positions in three policies with three templates each: first, last, middle, and next to a border. */
const claimPlaces = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [2, 0],
  [2, 2],
] as const;

/** Returns JobSets with three policies of three templates, one of which is different. The Pods mount all others. */
function claimInEachPlace(
  odd: Loose,
  { mounts = [odd.metadata.name], podSpec = {}, policy = () => ({}) }: PlacedClaim = {},
): readonly AJobSet[] {
  return claimPlaces.map(([oddPolicy, oddTemplate]) => {
    const names = [0, 1, 2].map((at) => [0, 1, 2].map((index) => `c${at}${index}`));
    const policies = names.map((own, at) => ({
      templates: own.map((name, index) =>
        at === oddPolicy && index === oddTemplate ? odd : template(name),
      ),
      ...policy(at === oddPolicy),
    }));
    const others = names.flat().filter((name) => name !== `c${oddPolicy}${oddTemplate}`);
    return createClaimingJobSet({ policies, mounts: [...others, ...mounts], podSpec });
  });
}

interface PlacedClaim {
  readonly mounts?: readonly string[];
  readonly podSpec?: Loose;
  readonly policy?: (isOdd: boolean) => Loose;
}

const mounting = (name: string) => ({ name, mountPath: `/${name}` });
const plain = (name: string) => ({ name, image: "img" });
const initMount = {
  containers: [plain("main")],
  initContainers: [{ ...plain("init"), volumeMounts: [mounting("data")] }],
};
/** Pods with several containers or mounts, one of which mounts the PVC. */
const mountsInEachPlace: readonly Loose[] = [
  ...inEachPlace<Loose>({ ...plain("it"), volumeMounts: [mounting("data")] }, [
    plain("b"),
    plain("c"),
  ]).flatMap((list) => [
    { containers: list },
    { containers: [plain("main")], initContainers: list },
  ]),
  ...inEachPlace(mounting("data"), [mounting("b"), mounting("c")]).map((volumeMounts) => ({
    containers: [{ ...plain("main"), volumeMounts }],
  })),
];
const volume = (name: string) => ({ name, emptyDir: {} });

export const claimRules: readonly RuleRow[] = [
  {
    rule: "claim-name-unique",
    says: "the names of PVC templates differ",
    kept: samples(
      createClaimingJobSet({
        templates: [template("data"), template("logs")],
        mounts: ["data", "logs"],
      }),
    ),
    broken: samples(
      createClaimingJobSet({ templates: [template("data"), template("data")] }),
      ...inEachPlace(template("logs"), [template("data"), template("data")]).flatMap(
        (templates) => [
          createClaimingJobSet({ templates, mounts: ["data", "logs"] }),
          createClaimingJobSet({
            policies: templates.map((one) => ({ templates: [one] })),
            mounts: ["data", "logs"],
          }),
        ],
      ),
    ),
  },
  {
    rule: "claim-name-valid",
    says: "the name of a PVC template is a DNS subdomain",
    kept: samples(createClaimingJobSet({ templates: [template("1")], mounts: ["1"] })),
    broken: samples(
      createClaimingJobSet({ templates: [template("DATA")], mounts: ["DATA"] }),
      createClaimingJobSet({ templates: [template("a_b")], mounts: ["a_b"] }),
      ...claimInEachPlace(template("DATA")),
    ),
  },
  {
    rule: "claim-name-short",
    says: "the name of a PVC has at most 63 bytes",
    kept: samples(createClaimingJobSet({ templates: [template(a(57))], mounts: [a(57)] })),
    broken: samples(
      createClaimingJobSet({ templates: [template(a(58))], mounts: [a(58)] }),
      createClaimingJobSet({ templates: [template(a(20))], mounts: [a(20)], name: a(43) }),
      ...claimInEachPlace(template(a(58))),
    ),
  },
  {
    rule: "claim-volume-name-valid",
    says: "the name of a PVC template is a valid volume name: it has no dots",
    kept: samples(createClaimingJobSet({ templates: [template("a-b")], mounts: ["a-b"] })),
    broken: samples(
      createClaimingJobSet({ templates: [template("a.b")], mounts: ["a.b"] }),
      ...claimInEachPlace(template("a.b")),
    ),
  },
  {
    rule: "claim-volume-free",
    says: "no Pod template has a volume with the name of a PVC template",
    kept: samples(createClaimingJobSet({ podSpec: { volumes: [volume("own")] } })),
    broken: samples(
      createClaimingJobSet({ podSpec: { volumes: [volume("data")] } }),
      ...listClaimingAmongOthers(createClaimingJobSet({ podSpec: { volumes: [volume("data")] } })),
      ...inEachPlace(volume("data"), [volume("b"), volume("c")]).map((volumes) =>
        createClaimingJobSet({ podSpec: { volumes } }),
      ),
      ...claimInEachPlace(template("data"), { podSpec: { volumes: [volume("data")] } }),
    ),
  },
  {
    rule: "claim-mounted",
    says: "at least one container mounts the PVC",
    kept: samples(
      createClaimingJobSet(),
      createClaimingJobSet({ podSpec: initMount }),
      ...listClaimingAmongOthers(createClaimingJobSet()),
      ...mountsInEachPlace.map((podSpec) => createClaimingJobSet({ podSpec })),
      ...claimInEachPlace(template("data")),
    ),
    broken: samples(
      createClaimingJobSet({ mounts: [] }),
      createClaimingJobSet({ mounts: ["logs"] }),
      ...claimInEachPlace(template("data"), { mounts: [] }),
    ),
  },
];

const retained = { retentionPolicy: { whenDeleted: "Retain" } };
const deleted = { retentionPolicy: { whenDeleted: "Delete" } };
const sized = (policy: Loose) =>
  createClaimingJobSet({ templates: [template("data", size("1Gi"))], policy });
const claim = (spec: Loose) => [{ ...aClaim("data-train"), spec }];
const bound = {
  ...size("1Gi"),
  storageClassName: "fast",
  volumeMode: "Filesystem",
  volumeName: "v",
};

export const existingClaimRules: readonly RuleRow[] = [
  {
    rule: "existing-claim-agrees",
    says: "an existing PVC equals its template, except for fields that the cluster added",
    kept: [
      { jobSet: sized(retained), cluster: claim(size("1Gi")) },
      { jobSet: sized(retained), cluster: claim(bound) },
      { jobSet: sized(retained), cluster: [] },
    ],
    broken: [
      { jobSet: sized(retained), cluster: claim(size("2Gi")) },
      {
        jobSet: sized(retained),
        cluster: claim({ ...size("1Gi"), accessModes: ["ReadWriteMany"] }),
      },
      ...claimInEachPlace(template("data", size("1Gi")), { policy: () => retained }).map(
        (jobSet) => ({ jobSet, cluster: claim(size("2Gi")) }),
      ),
    ],
  },
  {
    rule: "existing-claim-retained",
    says: "an existing PVC is retained when the JobSet is deleted",
    kept: [
      { jobSet: sized(retained), cluster: claim(size("1Gi")) },
      {
        jobSet: sized(deleted),
        cluster: [aClaim("data-other"), aClaim("data-train").inNamespace("other")],
      },
    ],
    broken: [
      {
        jobSet: sized(deleted),
        cluster: claim(size("1Gi")),
      },
      ...claimInEachPlace(template("data", size("1Gi")), {
        policy: (isOdd) => (isOdd ? deleted : retained),
      }).map((jobSet) => ({ jobSet, cluster: claim(size("1Gi")) })),
    ],
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
