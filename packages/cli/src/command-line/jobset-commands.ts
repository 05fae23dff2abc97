import type { JobSetOptions } from "../admission/admit-jobsets.ts";
import type { ClusterOptions } from "../commands/cluster/plan-jobsets.ts";
import type { CostOptions } from "../commands/cost.ts";
import type { DiffOptions } from "../commands/diff.ts";
import type { KueuePodSetsOptions } from "../commands/kueue-pod-sets.ts";
import type { NamesOptions } from "../commands/names.ts";
import type { AdmitOptions } from "../commands/reviews/review-objects.ts";
import { createFileCommand, createLiveCommand, rejectKubectlFlags } from "./command-kinds.ts";
import type { Call, CommandSpec } from "./command-spec.ts";
import {
  allNamespacesHelp,
  createJobSetOptions,
  createNamespaceOption,
  createOutputOption,
  createPassOptions,
  featureGatesOption,
  kubectlFlags,
  manifestNamespaceHelp,
  parseWith,
  recursiveOption,
  validateOption,
} from "./option-specs.ts";

const render = createFileCommand({
  name: "render",
  description: "Print the objects that the control plane creates for a JobSet.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: createJobSetOptions("yaml"),
  help: `
JobSets are admitted as a cluster would admit them: read, defaulted, checked against the CRD, then by JobSet's webhook.
The headless Service comes first, then the PVCs, then the Jobs in spec order. Without a UID of the JobSet the
owner reference and the label jobset.sigs.k8s.io/jobset-uid are left out.

Examples:
  jobset render -f train.yaml
  jobset render -f manifests/ -R -o table
  kubectl get jobset train -o json | jobset render -f - -o name`,
  run: async ({ options, world }: Call<JobSetOptions>) =>
    (await import("../commands/render.ts")).render(options, world),
});

const names = createLiveCommand({
  name: "names",
  description: "Print the names of a JobSet's Jobs and Pods, and where Pods find each other.",
  namespace: `only the JobSets of this namespace; with -f: ${manifestNamespaceHelp}`,
  options: [
    ...createJobSetOptions("table"),
    ...kubectlFlags,
    { flags: "--budget", description: "print how long the names are and may be" },
  ],
  checks: [
    (command) => {
      const { budget, output } = command.opts<NamesOptions>();
      if (budget && output === "name")
        command.error("--budget prints no names, so not with -o name");
    },
  ],
  help: `
With -f the JobSets are manifests, admitted as by jobset render. With -o name only the Pods' DNS names are printed, one a
line, as a host file needs them. With --budget it is told of the longest name of each use how many characters are left, what
becomes of it beyond the limit, and which names other JobSets make, too.

Examples:
  jobset names train -n ml
  jobset names -f train.yaml
  jobset names -f train.yaml -o name > hostfile
  jobset names -f train.yaml --budget`,
  run: async ({ options, words, world }: Call<NamesOptions>) =>
    (await import("../commands/names.ts")).names({ ...options, names: words }, world),
});

const clusterNamespaceHelp =
  "only the JobSets of this namespace; with -f it is also that of objects that say none";

const plan = createLiveCommand({
  name: "plan",
  description: "Print what the controller does next about every JobSet of a cluster, and why.",
  namespace: clusterNamespaceHelp,
  options: [...createPassOptions(), ...kubectlFlags],
  help: `
With -f the files hold the cluster's objects: JobSets, Jobs, Services, PVCs and Pods. They are taken as the
cluster stores them, but for JobSets without a UID, which no server has stored yet: they are created first, as a cluster
would. Exits with 1 when such a JobSet is refused, or a pass over some JobSet fails. Values of environment variables are
left out.

Examples:
  jobset plan -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset plan -f -
  jobset plan -f dump.yaml --now 2026-11-21T12:00:00Z -o json`,
  run: async ({ options, words, world }: Call<ClusterOptions>) =>
    (await import("../commands/plan.ts")).plan({ ...options, names: words }, world),
});

const status = createLiveCommand({
  name: "status",
  description: "Print the status that the controller writes for every JobSet of a cluster.",
  namespace: clusterNamespaceHelp,
  options: [...createPassOptions(createOutputOption("table", ["name"])), ...kubectlFlags],
  help: `
The files are read as by jobset plan: JobSets without a UID are created first.

Examples:
  jobset status train -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset status -f -`,
  run: async ({ options, words, world }: Call<ClusterOptions>) =>
    (await import("../commands/status.ts")).status({ ...options, names: words }, world),
});

const clusterOption = {
  flags: "--cluster <file>",
  description: "the objects of the cluster; repeatable",
  value: parseWith(({ collect }) => collect),
};

const admit = createFileCommand({
  name: "admit",
  description: "Print whether a cluster with JobSet would let objects in, and why not.",
  namespace: manifestNamespaceHelp,
  all: `${allNamespacesHelp}; --live reads every namespace at once`,
  options: [
    ...createPassOptions(createOutputOption("table", ["name"])),
    validateOption,
    {
      flags: "--old <file>",
      description: "the JobSets as they are stored, to update them; repeatable",
      value: parseWith(({ collect }) => collect),
    },
    clusterOption,
    {
      flags: "--live",
      description: "ask the cluster that kubectl reaches",
      conflicts: ["old", "cluster"],
    },
    ...kubectlFlags,
  ],
  checks: [
    (command) => {
      if (!command.opts<AdmitOptions>().live) rejectKubectlFlags(command, "without --live");
    },
  ],
  help: `
JobSets go the way of a cluster: read, defaulted, checked against the CRD, then by JobSet's webhook. Those that --old
names, too, are updates. Pods go through both webhooks for Pods, with the Pods, Nodes and Events that --cluster shows; a
fact that it does not show is reported as unknown. Each object is reviewed by itself. Exits with 1 when one is denied.
Values of environment variables are left out.

With --live both are read from kubectl: an existing JobSet is updated, and the decision uses existing objects.

Examples:
  jobset admit -f train.yaml
  jobset admit -f edited.yaml --old stored.yaml
  jobset admit -f follower.yaml --cluster dump.yaml -o json
  jobset admit -f edited.yaml --live --context staging`,
  run: async ({ options, world }: Call<AdmitOptions>) =>
    (await import("../commands/admit.ts")).admit(options, world),
});

const diff: CommandSpec = {
  name: "diff",
  description:
    "Print what an edit of a JobSet changes, whether it is admitted, and what comes of it.",
  arguments: [
    { name: "<old>", description: "a file with the JobSet as it is stored" },
    { name: "<new>", description: "a file with the JobSet as it is to be" },
  ],
  options: [
    ...createPassOptions(),
    recursiveOption,
    createNamespaceOption(manifestNamespaceHelp),
    validateOption,
    clusterOption,
  ],
  help: `
<new> is the whole JobSet, as kubectl edit or replace sends it: what it leaves out is removed. When <old> has no UID, both
are taken for manifests, and the defaults of JobSet's webhook filled in. Without --cluster there are no Jobs yet. Exits
with 0 when nothing changes, with 1 when something does or the edit is denied.

Examples:
  jobset diff train.yaml edited.yaml
  jobset diff stored.yaml edited.yaml --cluster dump.yaml -o json`,
  run: async ({ options, words: [old = "", next = ""], world }: Call<DiffOptions>) =>
    (await import("../commands/diff.ts")).diff([old, next], options, world),
};

const cost = createFileCommand({
  name: "cost",
  description: "Print what it costs the API server that something is done to a JobSet.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    createOutputOption(),
    validateOption,
    {
      flags: "--qps <rate>",
      description: "requests a second in the long run; 0 is without limit",
      value: parseWith(({ parseRate }) => parseRate),
      default: 500,
    },
    {
      flags: "--burst <count>",
      description: "requests at once",
      value: parseWith(({ parseRate }) => parseRate),
      default: 500,
    },
    {
      flags: "--scale <name=pods>",
      description: "how many Pods each Job of a ReplicatedJob is scaled to; repeatable",
      value: parseWith(({ parseScale }) => parseScale),
    },
  ],
  help: `
JobSets are admitted as by jobset render, then created, restarted, suspended, resumed, scaled and deleted in the simulated cluster,
without faults and with Pods that run as soon as they have a node. Pods of a real cluster start one by one, so its controller may write
the status more often. Without --scale each Job gets twice as many Pods.

Examples:
  jobset cost -f train.yaml
  jobset cost -f train.yaml --qps 20 --burst 30 --feature-gates ElasticJobSet=true --scale workers=16`,
  run: async ({ options, world }: Call<CostOptions>) =>
    (await import("../commands/cost.ts")).cost(options, world),
});

const podSets = createFileCommand({
  name: "podsets",
  description: "Print what a JobSet needs quota for, as a Workload of Kueue's holds it.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    createOutputOption("yaml"),
    validateOption,
    {
      flags: "--kueue-feature-gates <gates>",
      description: "of Kueue: Gate=true,Gate=false",
      value: () => import("./kueue-gates.ts"),
      defaultText: "its own defaults",
    },
  ],
  help: `
JobSets are admitted as by jobset render. A Pod set is a ReplicatedJob: its Pod template, and the Pods of all its Jobs.

Examples:
  jobset kueue podsets -f train.yaml
  jobset kueue podsets -f train.yaml -o table --kueue-feature-gates TopologyAwareScheduling=false`,
  run: async ({ options, world }: Call<KueuePodSetsOptions>) =>
    (await import("../commands/kueue-pod-sets.ts")).kueuePodSets(options, world),
});

/** The commands about JobSets, in the order of the help. */
export const jobSetCommands: readonly CommandSpec[] = [
  render,
  names,
  plan,
  status,
  admit,
  diff,
  cost,
  { name: "kueue", description: "Print what Kueue asks of a JobSet.", commands: [podSets] },
];
