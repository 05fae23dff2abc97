// A JobSet in order, and how to break each rule of JobSet's validation by itself.
import type { JobSetRuleId } from "@jobset-ts/admission";
import type { JobSet, JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { aClaim } from "../builders/a-claim.ts";
import { type AJobSet, aJobSet, aReplicatedJob } from "../builders/a-jobset.ts";

/** A rule of validation, with JobSets that keep it just so, and JobSets that break it and no other. */
export interface RuleRow {
  /** The rule's name at jobset-ts, for its own tests: no law looks at it. */
  readonly rule: JobSetRuleId;
  /** What is asked, in a sentence. */
  readonly says: string;
  readonly kept: readonly RuleSample[];
  readonly broken: readonly RuleSample[];
}

/** A JobSet, and what the cluster holds besides. */
export interface RuleSample {
  readonly jobSet: JobSet;
  readonly cluster?: readonly KubernetesObject[];
}

// biome-ignore lint/suspicious/noExplicitAny: what breaks a rule may be of another type
type Loose = any;

/** A ReplicatedJob with other members of its Job's spec and its own. */
export function replicatedJob(name: string, jobSpec: Loose = {}, rest: Loose = {}): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, { template: { spec: { ...template.spec, ...jobSpec } }, ...rest });
}

function of(jobs: ReplicatedJob[], spec: Loose = {}, name = "train"): AJobSet {
  return aJobSet(name).withSpec({ replicatedJobs: jobs, ...(spec as JobSetSpec) });
}

const samples = (...jobSets: readonly JobSet[]): readonly RuleSample[] =>
  jobSets.map((jobSet) => ({ jobSet }));

/** Driver and workers. */
function train(spec: Loose = {}): AJobSet {
  return of([replicatedJob("driver"), replicatedJob("workers", {}, { replicas: 2 })], spec);
}

/** Nothing but one ReplicatedJob `w`. */
function ofOne(name: string, jobSpec: Loose = {}, rest: Loose = {}): AJobSet {
  return of([replicatedJob("w", jobSpec, rest)], {}, name);
}

const nonIndexed = { completionMode: "NonIndexed", completions: undefined };
const a = (count: number) => "a".repeat(count);

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
    ),
  },
  {
    rule: "replicated-job-label-valid",
    says: "the name of a ReplicatedJob can be a label's value",
    kept: samples(of([replicatedJob("w-w")])),
    broken: samples(of([replicatedJob("-w")]), of([replicatedJob("w-")])),
  },
  {
    rule: "group-name-valid",
    says: "the group name is a DNS label",
    kept: samples(ofOne("train", {}, { groupName: "g".repeat(63) })),
    broken: samples(
      ofOne("train", {}, { groupName: "G" }),
      ofOne("train", {}, { groupName: "g".repeat(64) }),
    ),
  },
  {
    rule: "service-name-valid",
    says: "the name of a JobSet without ReplicatedJobs can be its Service's",
    kept: samples(of([])),
    broken: samples(of([], {}, "a.b"), of([], {}, a(64))),
  },
  {
    rule: "node-selector-valid",
    says: "under placement by node labels, namespace and name of a Job can be a label's value together",
    kept: samples(placedByNodeLabels(ofOne("train"))),
    broken: samples(placedByNodeLabels(ofOne("train")).inNamespace("n".repeat(55))),
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
    says: "the Pods of a ReplicatedJob can be counted in 32 bits",
    kept: samples(
      ofOne("train", many(2 ** 30 - 1), { replicas: 2 }),
      ofOne("train", many(2 ** 31 - 1), { replicas: 1 }),
      of([replicatedJob("a", many(2 ** 30)), replicatedJob("b", many(2 ** 30))]),
    ),
    broken: samples(
      ofOne("train", many(2 ** 30), { replicas: 2 }),
      // Multiplied in 32 bits it is 0.
      ofOne("train", many(2 ** 16), { replicas: 2 ** 16 }),
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
      train({ managedBy: "nobody" }),
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
    says: "a ReplicatedJob depends only on those before it, and not on itself",
    kept: samples(
      of([replicatedJob("a"), waiting("b", "a")]),
      of([replicatedJob("a"), waiting("b", "a"), waiting("c", "a", "b")]),
    ),
    broken: samples(
      of([replicatedJob("a"), waiting("b", "nope")]),
      of([replicatedJob("a"), waiting("b", "c"), replicatedJob("c")]),
      of([replicatedJob("a"), waiting("b", "c", "a"), replicatedJob("c")]),
      of([replicatedJob("a"), waiting("b", "b")]),
    ),
  },
];

/** Whoever depends on something as the first breaks both rules: nothing is before it. */
export const firstJobRules: readonly RuleRow[] = [
  {
    rule: "first-job-independent",
    says: "the first ReplicatedJob depends on none",
    kept: samples(of([replicatedJob("a"), waiting("b", "a")])),
    broken: samples(of([waiting("a", "b"), replicatedJob("b")])),
  },
];

const inPlace = (jobSpec: Loose) =>
  of([replicatedJob("w", jobSpec)], {
    failurePolicy: { maxRestarts: 1, restartStrategy: "InPlaceRestart" },
  });
const fit = { backoffLimit: 2 ** 31 - 1, podReplacementPolicy: "Failed" };

/** Which samples keep the rule depends on the gate `InPlaceRestart`. */
export const inPlaceRules: readonly RuleRow[] = [
  {
    rule: "in-place-restart-enabled",
    says: "restarting in place needs the gate InPlaceRestart",
    kept: samples(train({ failurePolicy: { maxRestarts: 1, restartStrategy: "Recreate" } })),
    broken: samples(inPlace(fit)),
  },
];

/** What is asked under the gate `InPlaceRestart`. */
export const inPlaceJobRules: readonly RuleRow[] = [
  {
    rule: "job-restarts-in-place",
    says: "under a restart in place no Pod is replaced by the Job controller, and all run at once",
    kept: samples(inPlace(fit)),
    broken: samples(
      inPlace({ ...fit, backoffLimit: 6 }),
      inPlace({ ...fit, backoffLimit: undefined }),
      inPlace({ ...fit, podReplacementPolicy: undefined }),
      inPlace({ ...fit, podReplacementPolicy: "TerminatingOrFailed" }),
      inPlace({ ...fit, completions: 2 }),
      inPlace({ ...fit, parallelism: undefined }),
    ),
  },
];

const exclusive = (topologyKey: string, jobSet: AJobSet = train()) =>
  jobSet.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey });

const exclusiveJob = (topologyKey: string, jobSpec: Loose = {}) => {
  const { template, ...rest } = replicatedJob("w", jobSpec);
  const metadata = { annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey } };
  return of([{ ...rest, template: { ...template, metadata } }]);
};

export const placementRules: readonly RuleRow[] = [
  {
    rule: "exclusive-placement-indexed",
    says: "exclusive placement is asked for Indexed Jobs: only they have a leader",
    kept: samples(
      exclusive("rack"),
      exclusiveJob("rack"),
      ofOne("train", nonIndexed),
      placedByNodeLabels(ofOne("train", nonIndexed)),
    ),
    broken: samples(
      exclusive("rack", ofOne("train", nonIndexed)),
      exclusiveJob("rack", nonIndexed),
    ),
  },
  {
    rule: "topology-key-valid",
    says: "the topology key of exclusive placement can be a label's key",
    kept: samples(exclusive("cloud.google.com/gke-nodepool"), exclusiveJob("rack")),
    broken: samples(exclusive("a rack"), exclusive("a/b/c"), exclusive(""), exclusiveJob("a rack")),
  },
];

const succeeding = (...targets: readonly string[]) =>
  train({ successPolicy: { operator: "All", targetReplicatedJobs: targets } });

export const successRules: readonly RuleRow[] = [
  {
    rule: "success-targets-exist",
    says: "the success policy names ReplicatedJobs that exist",
    kept: samples(succeeding("workers"), succeeding("driver", "workers")),
    broken: samples(succeeding("nope"), succeeding("workers", "nope"), succeeding("")),
  },
];

const withRules = (...rules: readonly Loose[]) =>
  train({
    failurePolicy: {
      maxRestarts: 1,
      rules: rules.map((rule, index) => ({ name: `rule${index}`, action: "FailJobSet", ...rule })),
    },
  });

export const failureRules: readonly RuleRow[] = [
  {
    rule: "rule-name-valid",
    says: "the name of a failure policy rule has 1 to 128 characters that can stand in a reason",
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
    ),
  },
  {
    rule: "failure-targets-exist",
    says: "a failure policy rule names ReplicatedJobs that exist",
    kept: samples(withRules({ targetReplicatedJobs: ["workers"] })),
    broken: samples(
      withRules({ targetReplicatedJobs: ["nope"] }),
      withRules({}, { targetReplicatedJobs: ["workers", "nope"] }),
    ),
  },
  {
    rule: "failure-reason-known",
    says: "a failure policy rule names reasons that Jobs fail for",
    kept: samples(withRules({ onJobFailureReasons: ["BackoffLimitExceeded", "PodFailurePolicy"] })),
    broken: samples(
      withRules({ onJobFailureReasons: ["fakeReason"] }),
      withRules({ onJobFailureReasons: ["DeadlineExceeded", ""] }),
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
    ),
  },
  {
    rule: "rule-names-unique",
    says: "the names of failure policy rules differ",
    kept: samples(withRules({}, {})),
    broken: samples(
      withRules({ name: "same" }, { name: "same" }),
      withRules({ name: "same" }, {}, { name: "same" }),
    ),
  },
];

const restarting = (action: string, replicas = 2) =>
  of([replicatedJob("w", {}, { replicas })], {
    failurePolicy: { maxRestarts: 1, rules: [{ name: "rule0", action }] },
  });

/** Which samples keep the rule depends on the gate `RestartJob`. */
export const restartJobRules: readonly RuleRow[] = [
  {
    rule: "restart-job-enabled",
    says: "restarting single Jobs needs the gate RestartJob",
    kept: samples(restarting("RestartJobSet"), restarting("RestartJobSetAndIgnoreMaxRestarts")),
    broken: samples(restarting("RestartJob"), restarting("RestartJobAndIgnoreMaxRestarts")),
  },
];

/** What is asked under the gate `RestartJob`. */
export const restartCountRules: readonly RuleRow[] = [
  {
    rule: "restart-job-countable",
    says: "no more than 1024 Jobs of a ReplicatedJob are restarted by themselves",
    kept: samples(
      restarting("RestartJob", 1024),
      restarting("RestartJobSet", 1025),
      restarting("RestartJob", 1024).withReplicatedJob("more"),
    ),
    broken: samples(
      restarting("RestartJob", 1025),
      restarting("RestartJobAndIgnoreMaxRestarts", 1025),
    ),
  },
];

const coordinated = (coordinator: Loose, jobSet: AJobSet = train()) =>
  jobSet.withSpec({ coordinator: { replicatedJob: "workers", ...coordinator } });
const byItself = (name: string) => coordinated({ replicatedJob: "w" }, ofOne(name));
/** The coordinator has indexes of two digits. */
const last = (name: string, coordinator: Loose = {}) =>
  coordinated(
    { replicatedJob: "w", jobIndex: 10, ...coordinator },
    ofOne(name, { parallelism: 11, completions: 11 }, { replicas: 11 }),
  );
const beside = (name: string, subdomain: string) =>
  byItself(name).withSpec({ network: { ...train().spec.network, subdomain } });

export const coordinatorRules: readonly RuleRow[] = [
  {
    rule: "coordinator-exists",
    says: "the coordinator is a Pod that there will be",
    kept: samples(
      coordinated({ jobIndex: 0, podIndex: 0 }),
      coordinated({ jobIndex: 1 }),
      coordinated({}),
    ),
    broken: samples(
      coordinated({ replicatedJob: "nope" }),
      coordinated({ jobIndex: 2 }),
      coordinated({ jobIndex: -1 }),
      coordinated({ podIndex: 1 }),
      coordinated({ podIndex: -1 }),
      coordinated({ replicatedJob: "w" }, ofOne("train", nonIndexed)),
      coordinated({ replicatedJob: "w" }, ofOne("train", { completions: undefined })),
    ),
  },
  {
    rule: "coordinator-label-valid",
    says: "the coordinator's address can be a label's value",
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

/** A JobSet whose Pods mount claims. */
export function claiming({
  templates = [template("data")],
  mounts = ["data"],
  podSpec = {},
  policy = {},
  name = "train",
}: Claimed = {}): AJobSet {
  const volumeMounts = mounts.map((mount, index) => ({ name: mount, mountPath: `/v${index}` }));
  const container = { name: "main", image: "img", volumeMounts };
  const spec = { restartPolicy: "Never", containers: [container], ...podSpec };
  return of(
    [replicatedJob("w", { template: { spec } })],
    { volumeClaimPolicies: [{ templates, ...policy }] },
    name,
  );
}

/** With a ReplicatedJob before it that mounts nothing. */
function behindAnother(jobSet: AJobSet): AJobSet {
  const { replicatedJobs = [] } = jobSet.spec;
  return jobSet.withSpec({ replicatedJobs: [replicatedJob("first"), ...replicatedJobs] });
}

const initMount = {
  containers: [{ name: "main", image: "img" }],
  initContainers: [
    { name: "init", image: "img", volumeMounts: [{ name: "data", mountPath: "/data" }] },
  ],
};

export const claimRules: readonly RuleRow[] = [
  {
    rule: "claim-name-unique",
    says: "the names of claim templates differ",
    kept: samples(
      claiming({ templates: [template("data"), template("logs")], mounts: ["data", "logs"] }),
    ),
    broken: samples(claiming({ templates: [template("data"), template("data")] })),
  },
  {
    rule: "claim-name-valid",
    says: "the name of a claim template is a DNS subdomain",
    kept: samples(claiming({ templates: [template("1")], mounts: ["1"] })),
    broken: samples(
      claiming({ templates: [template("DATA")], mounts: ["DATA"] }),
      claiming({ templates: [template("a_b")], mounts: ["a_b"] }),
    ),
  },
  {
    rule: "claim-name-short",
    says: "a claim's own name has at most 63 bytes",
    kept: samples(claiming({ templates: [template(a(57))], mounts: [a(57)] })),
    broken: samples(
      claiming({ templates: [template(a(58))], mounts: [a(58)] }),
      claiming({ templates: [template(a(20))], mounts: [a(20)], name: a(43) }),
    ),
  },
  {
    rule: "claim-volume-name-valid",
    says: "the name of a claim template can be a volume's: it has no dots",
    kept: samples(claiming({ templates: [template("a-b")], mounts: ["a-b"] })),
    broken: samples(claiming({ templates: [template("a.b")], mounts: ["a.b"] })),
  },
  {
    rule: "claim-volume-free",
    says: "no Pod template has a volume with the name of a claim template",
    kept: samples(claiming({ podSpec: { volumes: [{ name: "own", emptyDir: {} }] } })),
    broken: samples(
      claiming({ podSpec: { volumes: [{ name: "data", emptyDir: {} }] } }),
      behindAnother(claiming({ podSpec: { volumes: [{ name: "data", emptyDir: {} }] } })),
    ),
  },
  {
    rule: "claim-mounted",
    says: "some container mounts the claim",
    kept: samples(
      claiming(),
      claiming({ podSpec: initMount }),
      claiming().withReplicatedJob("more"),
      behindAnother(claiming()),
    ),
    broken: samples(claiming({ mounts: [] }), claiming({ mounts: ["logs"] })),
  },
];

const retained = { retentionPolicy: { whenDeleted: "Retain" } };
const deleted = { retentionPolicy: { whenDeleted: "Delete" } };
const sized = (policy: Loose) => claiming({ templates: [template("data", size("1Gi"))], policy });
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
    says: "a claim that exists already says what the template says; what the cluster added does not count",
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
    ],
  },
  {
    rule: "existing-claim-retained",
    says: "a claim that exists already is not deleted with the JobSet",
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
    ],
  },
];

/** All of them. */
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
