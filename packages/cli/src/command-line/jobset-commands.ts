import type { JobSetOptions } from "../admission/admit-jobsets.ts";
import type { ClusterOptions } from "../commands/cluster/plan-jobsets.ts";
import type { CostOptions } from "../commands/cost.ts";
import type { DiffOptions } from "../commands/diff.ts";
import type { KueuePodSetsOptions } from "../commands/kueue-pod-sets.ts";
import type { NamesOptions } from "../commands/names.ts";
import type { AdmitOptions } from "../commands/reviews/review-objects.ts";
import { createFileCommand, createLiveCommand, rejectKubectlFlags } from "./command-kinds.ts";
import type { Call, CommandSpec } from "./command-spec.ts";
import { loadOnce } from "./load-once.ts";
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

const loadRender = loadOnce(() => import("../commands/render.ts"));
const loadNames = loadOnce(() => import("../commands/names.ts"));
const loadPlan = loadOnce(() => import("../commands/plan.ts"));
const loadStatus = loadOnce(() => import("../commands/status.ts"));
const loadAdmit = loadOnce(() => import("../commands/admit.ts"));
const loadDiff = loadOnce(() => import("../commands/diff.ts"));
const loadCost = loadOnce(() => import("../commands/cost.ts"));
const loadKueuePodSets = loadOnce(() => import("../commands/kueue-pod-sets.ts"));

const render = createFileCommand({
  name: "render",
  description: "Print the objects that the control plane creates for a JobSet.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: createJobSetOptions("yaml"),
  help: `
JobSets are admitted as in a cluster: decoded, defaulted, and validated by the CRD schema and JobSet's webhook. The headless
Service comes first, then the PVCs, then the Jobs in spec order. For a JobSet without a UID, the objects omit the owner
reference and the label jobset.sigs.k8s.io/jobset-uid.

Examples:
  jobset render -f train.yaml
  jobset render -f manifests/ -R -o table
  kubectl get jobset train -o json | jobset render -f - -o name`,
  run: async ({ options, world }: Call<JobSetOptions>) =>
    (await loadRender()).render(options, world),
});

const names = createLiveCommand({
  name: "names",
  description: "Print the names of a JobSet's Jobs and Pods, with their DNS names.",
  namespace: `only the JobSets of this namespace; with -f: ${manifestNamespaceHelp}`,
  options: [
    ...createJobSetOptions("table"),
    { flags: "--budget", description: "print the lengths and limits of the names" },
  ],
  checks: [
    (command) => {
      const { budget, output } = command.opts<NamesOptions>();
      if (budget && output === "name")
        command.error("--budget prints no names and cannot be combined with -o name");
    },
  ],
  help: `
With -f, the JobSets are manifests and are admitted as by jobset render. With -o name, only the DNS names of the Pods are
printed, one per line, as in an MPI hostfile. With --budget, the output shows the longest name of each use, the characters
left, the effect of a longer name, and collisions with names of other JobSets.

Examples:
  jobset names train -n ml
  jobset names -f train.yaml
  jobset names -f train.yaml -o name > hostfile
  jobset names -f train.yaml --budget`,
  run: async ({ options, args, world }: Call<NamesOptions>) =>
    (await loadNames()).names({ ...options, names: args }, world),
});

const clusterNamespaceHelp =
  "only the JobSets of this namespace; with -f, also the namespace of objects without one";

const plan = createLiveCommand({
  name: "plan",
  description:
    "Print the next actions of the controller for the JobSets of a cluster, with reasons.",
  namespace: clusterNamespaceHelp,
  options: createPassOptions(),
  help: `
With -f, the files contain the objects of the cluster: JobSets, Jobs, Services, PVCs and Pods. They are used as stored
objects. A JobSet without a UID is not stored yet, so it is created first, as in a cluster. Exits with 1 if such a JobSet
is denied, or if a reconcile fails. The output omits values of environment variables.

Examples:
  jobset plan -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset plan -f -
  jobset plan -f dump.yaml --now 2026-11-21T12:00:00Z -o json`,
  run: async ({ options, args, world }: Call<ClusterOptions>) =>
    (await loadPlan()).plan({ ...options, names: args }, world),
});

const status = createLiveCommand({
  name: "status",
  description: "Print the next status of the JobSets of a cluster.",
  namespace: clusterNamespaceHelp,
  options: createPassOptions(createOutputOption("table", ["name"])),
  help: `
The files are read as by jobset plan: JobSets without a UID are created first.

Examples:
  jobset status train -n ml
  kubectl get jobsets,jobs,services,pvc,pods -A -o yaml | jobset status -f -`,
  run: async ({ options, args, world }: Call<ClusterOptions>) =>
    (await loadStatus()).status({ ...options, names: args }, world),
});

const clusterOption = {
  flags: "--cluster <file>",
  description: "the objects of the cluster; repeatable",
  value: parseWith(({ collect }) => collect),
};

const admit = createFileCommand({
  name: "admit",
  description: "Print whether a cluster with JobSet admits objects, with reasons for denials.",
  namespace: manifestNamespaceHelp,
  all: `${allNamespacesHelp}; --live reads every namespace at once`,
  options: [
    ...createPassOptions(createOutputOption("table", ["name"])),
    validateOption,
    {
      flags: "--old <file>",
      description: "the stored JobSets, for updates; repeatable",
      value: parseWith(({ collect }) => collect),
    },
    clusterOption,
    {
      flags: "--live",
      description: "read the cluster through kubectl",
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
JobSets are reviewed as in a cluster: decoded, defaulted, and validated by the CRD schema and JobSet's webhook. A JobSet that
is also in an --old file is an update. Pods are reviewed by both Pod webhooks, with the Pods, Nodes and Events of --cluster.
Missing information is reported as unknown. Each object is reviewed separately. Exits with 1 if an object is denied. The
output omits values of environment variables.

With --live, kubectl reads the cluster. An existing JobSet is updated, and the decision uses existing objects.

Examples:
  jobset admit -f train.yaml
  jobset admit -f edited.yaml --old stored.yaml
  jobset admit -f follower.yaml --cluster dump.yaml -o json
  jobset admit -f edited.yaml --live --context staging`,
  run: async ({ options, world }: Call<AdmitOptions>) => (await loadAdmit()).admit(options, world),
});

const diff: CommandSpec = {
  name: "diff",
  description: "Print the changes of an edit of a JobSet, whether it is admitted, and its effects.",
  arguments: [
    { name: "<old>", description: "a file with the stored JobSet" },
    { name: "<new>", description: "a file with the edited JobSet" },
  ],
  options: [
    ...createPassOptions(),
    recursiveOption,
    createNamespaceOption(manifestNamespaceHelp),
    validateOption,
    clusterOption,
  ],
  help: `
<new> is the whole JobSet, as kubectl edit or replace sends it, so omitted fields are removed. If <old> has no UID, both files
are manifests, and the defaults of JobSet's webhook are added. Without --cluster, there are no Jobs yet. Exits with 0 if
nothing changes, and with 1 if something changes or the edit is denied.

Examples:
  jobset diff train.yaml edited.yaml
  jobset diff stored.yaml edited.yaml --cluster dump.yaml -o json`,
  run: async ({ options, args: [old = "", next = ""], world }: Call<DiffOptions>) =>
    (await loadDiff()).diff([old, next], options, world),
};

const cost = createFileCommand({
  name: "cost",
  description: "Print the API writes that operations on a JobSet cost.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    createOutputOption(),
    validateOption,
    {
      flags: "--qps <rate>",
      description: "sustained requests per second; 0 means no limit",
      value: parseWith(({ parseRate }) => parseRate),
      default: 500,
    },
    {
      flags: "--burst <count>",
      description: "requests in a burst",
      value: parseWith(({ parseRate }) => parseRate),
      default: 500,
    },
    {
      flags: "--scale <name=pods>",
      description: "the number of Pods to scale each Job of a ReplicatedJob to; repeatable",
      value: parseWith(({ parseScale }) => parseScale),
    },
  ],
  help: `
JobSets are admitted as by jobset render, then created, restarted, suspended, resumed, scaled and deleted in a simulated
cluster without faults. Their Pods run as soon as they have a node. In a real cluster, Pods start one by one, so the
controller may write the status more often. Without --scale, each Job gets twice as many Pods.

Examples:
  jobset cost -f train.yaml
  jobset cost -f train.yaml --qps 20 --burst 30 --feature-gates ElasticJobSet=true --scale workers=16`,
  run: async ({ options, world }: Call<CostOptions>) => (await loadCost()).cost(options, world),
});

const podSets = createFileCommand({
  name: "podsets",
  description: "Print the Pod sets of a JobSet's Kueue Workload, which determine its quota.",
  namespace: manifestNamespaceHelp,
  all: allNamespacesHelp,
  options: [
    featureGatesOption,
    createOutputOption("yaml"),
    validateOption,
    {
      flags: "--kueue-feature-gates <gates>",
      description: "feature gates of Kueue: Gate=true,Gate=false",
      value: () => import("./kueue-gates.ts"),
      defaultText: "Kueue's defaults",
    },
  ],
  help: `
JobSets are admitted as by jobset render. A Pod set corresponds to a ReplicatedJob: its Pod template, and the number of Pods
of all its Jobs.

Examples:
  jobset kueue podsets -f train.yaml
  jobset kueue podsets -f train.yaml -o table --kueue-feature-gates TopologyAwareScheduling=false`,
  run: async ({ options, world }: Call<KueuePodSetsOptions>) =>
    (await loadKueuePodSets()).kueuePodSets(options, world),
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
  { name: "kueue", description: "Print what Kueue derives from a JobSet.", commands: [podSets] },
];
