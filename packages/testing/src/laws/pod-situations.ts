import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { KubernetesObject, Pod, PodSpec } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aJob } from "../builders/a-job.ts";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import { asJson } from "./as-json.ts";
import { type EnumeratedCases, enumerateCases, mapCases } from "./enumerated-cases.ts";
import { listAllMembers, mergeValues } from "./schema-samples.ts";
import type { WebhookCase } from "./webhook-law.ts";

/** A Pod in a request, and the related facts of the cluster. */
export interface PodCase extends WebhookCase {
  readonly kind: "Pod";
  readonly object: Pod;
  readonly topologyKey: string;
}

/** Variations of a situation that do not affect the result. */
export interface SituationVariant {
  readonly topologyKey: string;
  /** The index of the Pod's Job. */
  readonly jobIndex: number;
  /** The completion index of a follower. */
  readonly podIndex: number;
  /** The topology domain of the leader. An empty string is a valid domain. */
  readonly domain: string;
  readonly bystanders: readonly Bystander[];
}

const bystanders = [
  /** The leader of the next Job of the same JobSet, in another domain. */
  "NextJobsLeader",
  /** A leader of the same name in another namespace, in another domain. */
  "Namesake",
  /** Another follower of the same Job. */
  "Sibling",
  /** An earlier, finished leader of the Job, in another domain. */
  "Failed",
  /** The leader of a Job whose index starts with the same digits, in another domain. */
  "LongerIndex",
  /** The leader of another JobSet, in another domain. */
  "OtherJobSet",
] as const;
type Bystander = (typeof bystanders)[number];

/** No bystander, each bystander alone, and all of them. */
const bystandersInTurn: readonly (readonly Bystander[])[] = [
  [],
  ...bystanders.map((one) => [one]),
  bystanders,
];
/** An empty string is a valid domain. */
const domains = ["r1", ""] as const;

/** The situation of a follower, named after the state of its leader. */
export type LeaderSituation = keyof typeof leaderSituations;

/** The node selector of a follower in the request. */
export type Selector = "Right" | "RightAmongOthers" | "None" | "Empty" | "OtherKey" | "OtherDomain";

/**
 * Returns followers in each of these situations with each of these node selectors, in each domain and with every
 * bystander.
 */
export function followers(
  situations: readonly LeaderSituation[],
  selectors: readonly Selector[],
): EnumeratedCases<PodCase> {
  const items = situations.flatMap((situation) =>
    selectors.flatMap((selector) =>
      domains.flatMap((domain) =>
        bystandersInTurn.map((beside) => ({ situation, selector, domain, beside })),
      ),
    ),
  );
  return enumerateCases(items, ({ situation, selector, domain, beside }) =>
    fc
      .tuple(situationVariants(domain, beside), fc.constantFrom(...surroundings))
      .map(([world, around]) => {
        const { pod = (one) => one, objects }: LeaderState = leaderSituations[situation];
        const follower = getFollower(world, selector);
        const created = asNewPod(pod(follower));
        const cluster = [
          aNode("n1").withLabels({ [world.topologyKey]: world.domain }),
          aNode("n2").withLabels({ [world.topologyKey]: otherDomain }),
          ...objects(world),
          ...world.bystanders.map((one) => createBystander(one, world)),
        ].filter(isUnique);
        return {
          kind: "Pod",
          situation: `${situation}; ${selectorWords[selector]}`,
          operation: "CREATE",
          topologyKey: world.topologyKey,
          object: asJson<Pod>(around.follower?.(created) ?? created),
          cluster: asJson(cluster.map((one) => around.existing?.(one) ?? one)),
        };
      }),
  );
}

/** Changes of the follower and of the existing objects that do not affect the result. */
interface Surrounding {
  readonly follower?: (pod: Pod) => Pod;
  /** Returns undefined if the object stays the same. */
  readonly existing?: (object: KubernetesObject) => KubernetesObject | undefined;
}

const followerWith = (members: Partial<PodSpec>): Surrounding => ({
  follower: (pod) => ({ ...pod, spec: { ...pod.spec, ...members } as PodSpec }),
});
const existingWith = (kind: string, members: object): Surrounding => ({
  existing: (object) => (object.kind === kind ? merge(object, members) : undefined),
});
const merge = (object: KubernetesObject, members: object) =>
  mergeValues(object, members) as KubernetesObject;
const notReady = { status: { conditions: [{ type: "Ready", status: "False" }] } };
const restarted = { metadata: { labels: { [RESTART_ATTEMPT_KEY]: "1" } } };
/** Other objects stay in the namespace `default` or `other`. */
const moved = { metadata: { namespace: "ml" } };
const isInDefault = ({ metadata }: KubernetesObject) => metadata.namespace === "default";

const surroundings: readonly Surrounding[] = [
  {},
  {},
  followerWith({ priorityClassName: "high" }),
  followerWith({ affinity: { nodeAffinity: {} } }),
  followerWith({ nodeName: "n1" }),
  existingWith("Node", { spec: { unschedulable: true } }),
  existingWith("Node", notReady),
  existingWith("Pod", notReady),
  {
    follower: (pod) => merge(pod as never, restarted) as unknown as Pod,
    existing: (object) => (object.kind === "Pod" ? merge(object, restarted) : undefined),
  },
  {
    follower: (pod) => merge(pod as never, moved) as unknown as Pod,
    existing: (object) => (isInDefault(object) ? merge(object, moved) : undefined),
  },
];

/** Of two objects with the same name, the last one counts. A situation may replace a node. */
function isUnique(
  { kind, metadata }: KubernetesObject,
  index: number,
  all: readonly KubernetesObject[],
): boolean {
  const isSame = (one: KubernetesObject) =>
    one.kind === kind &&
    one.metadata.name === metadata.name &&
    one.metadata.namespace === metadata.namespace;
  return all.findLastIndex(isSame) === index;
}

function situationVariants(
  domain: string,
  bystanders: readonly Bystander[],
): fc.Arbitrary<SituationVariant> {
  return fc.record({
    topologyKey: fc.constantFrom("rack", "cloud.google.com/gke-nodepool"),
    jobIndex: fc.constantFrom(0, 1, 12),
    podIndex: fc.constantFrom(1, 3, 10),
    domain: fc.constant(domain),
    bystanders: fc.constant(bystanders),
  });
}

const otherDomain = "r2";

const selectorWords: Readonly<Record<Selector, string>> = {
  Right: "the Pod has the node selector of the domain",
  RightAmongOthers: "the Pod has the node selector of the domain and others",
  None: "the Pod has no node selector",
  Empty: "the Pod has an empty node selector",
  OtherKey: "the Pod's node selector has another key",
  OtherDomain: "the Pod's node selector names another domain",
};

interface LeaderState {
  /** Additional objects. Two nodes in two domains always exist. */
  readonly objects: (world: SituationVariant) => readonly KubernetesObject[];
  /** Changes the follower. */
  readonly pod?: (follower: APod) => APod;
}

/** The states of the leader by description. */
const leaderSituations = {
  "the leader runs": { objects: (world) => [getLeader(world)] },
  "the leader is bound and has not started": {
    objects: (world) => [getLeader(world).withStatus({ phase: "Pending" })],
  },
  "the leader's phase is unknown": {
    objects: (world) => [getLeader(world).withStatus({ phase: "Unknown" })],
  },
  "the leader runs beside an earlier one that failed": {
    objects: (world) => [getLeader(world), withFailedPhase(getLeader(world, "zzzz1"))],
  },
  "the leader runs beside an earlier one that succeeded": {
    objects: (world) => [getLeader(world), withSucceededPhase(getLeader(world, "zzzz1"))],
  },
  "the leader runs beside an earlier one that is being deleted": {
    objects: (world) => [
      getLeader(world),
      inOtherNamespace(getLeader(world, "zzzz1")).beingDeleted(),
    ],
  },
  "there is no leader": { objects: () => [] },
  "there is no leader, and a label that identifies it is missing": {
    objects: () => [],
    pod: (follower) => follower.withLabels({ [REPLICATED_JOB_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its JobSet": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [JOBSET_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its ReplicatedJob": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [REPLICATED_JOB_NAME_KEY]: undefined }),
  },
  "the leader runs, but the follower does not name its Job": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withLabels({ [JOB_INDEX_KEY]: undefined }),
  },
  "two leaders run": { objects: (world) => [getLeader(world), getLeader(world, "aaaa1")] },
  "one leader runs and another waits for a node": {
    objects: (world) => [getLeader(world), withoutNode(getLeader(world, "aaaa1"))],
  },
  "the leader waits for a node": { objects: (world) => [withoutNode(getLeader(world))] },
  "the leader waits for a node, and no node has capacity": {
    objects: (world) => [
      withoutNode(getLeader(world)).withStatus({
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/3 nodes are available: 3 Insufficient google.com/tpu.",
          },
        ],
      }),
    ],
  },
  "the leader waits for a node beside an earlier one that failed": {
    objects: (world) => [withoutNode(getLeader(world)), withFailedPhase(getLeader(world, "zzzz1"))],
  },
  "the leader belongs to an earlier Job of the same name": {
    objects: (world) => [getLeader(world).controlledBy(createJob(world).withUid("an-earlier-uid"))],
  },
  "the leader belongs to an earlier Job and waits for a node": {
    objects: (world) => [
      withoutNode(getLeader(world)).controlledBy(createJob(world).withUid("an-earlier-uid")),
    ],
  },
  "the leader has no owner": { objects: (world) => [getLeader(world).withoutOwner()] },
  "the follower has no owner": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => follower.withoutOwner(),
  },
  "the only leader has failed": { objects: (world) => [withFailedPhase(getLeader(world))] },
  "the only leader has succeeded": { objects: (world) => [withSucceededPhase(getLeader(world))] },
  "the only leader is being deleted": { objects: (world) => [getLeader(world).beingDeleted()] },
  "the leader's node is gone": {
    objects: (world) => [getLeader(world).onNode("n9")],
  },
  "the leader's node is in no domain": {
    objects: (world) => [getLeader(world), aNode("n1")],
  },
  "the leader's node is in a domain of another key only": {
    objects: (world) => [getLeader(world), aNode("n1").withLabels({ "acme.com/row": "r1" })],
  },
  "the leader has no phase yet": { objects: (world) => [getLeader(world).withStatus(noPhase)] },
  "three leaders run": {
    objects: (world) => ["aaaa0", "aaaa1", "zzzz1"].map((suffix) => getLeader(world, suffix)),
  },
  "the leader's controller is its second owner": {
    objects: (world) => [withOwnerBefore(getLeader(world))],
  },
  "the follower's controller is its second owner": {
    objects: (world) => [getLeader(world)],
    pod: (follower) => withOwnerBefore(follower),
  },
  "leader and follower have the same owner, which controls neither": {
    objects: (world) => [
      withOwnerBefore(getLeader(world).controlledBy(createJob(world).withUid("an-earlier-uid"))),
    ],
    pod: (follower) => withOwnerBefore(follower),
  },
} satisfies Readonly<Record<string, LeaderState>>;

function createJob({ jobIndex }: SituationVariant) {
  return aJob(`train-workers-${jobIndex}`);
}

/** Returns a leader that runs on `n1`. */
function getLeader(world: SituationVariant, suffix = "aaaa0"): APod {
  return jobsLeader(world, world.jobIndex, suffix).onNode("n1").withStatus({ phase: "Running" });
}

function jobsLeader({ topologyKey }: SituationVariant, jobIndex: number, suffix: string): APod {
  return withTrainAnnotations(aPod(`train-workers-${jobIndex}-0-${suffix}`), topologyKey);
}

/** Adds exclusive placement and the annotations that JobSet gives its Pods. */
function withTrainAnnotations(pod: APod, topologyKey: string): APod {
  return pod.exclusive(topologyKey).withAnnotations({ [JOBSET_NAME_KEY]: "train" });
}

const noPhase = { phase: undefined } as unknown as NonNullable<Pod["status"]>;

/** Adds another owner, which is not the controller, before the controller. */
function withOwnerBefore(pod: APod): APod {
  const owner = { apiVersion: "a.io/v1", kind: "Study", name: "study", uid: "study-uid" };
  const { ownerReferences = [] } = pod.metadata;
  const copy = pod.withLabels({});
  copy.metadata.ownerReferences = [owner, ...ownerReferences];
  return copy;
}

function withoutNode(leader: APod): APod {
  return leader.withSpec({ nodeName: undefined }).withStatus({ phase: "Pending" });
}

function inOtherNamespace(pod: APod): APod {
  return pod.onNode("n2");
}

function withFailedPhase(leader: APod): APod {
  return inOtherNamespace(leader).withStatus({ phase: "Failed" });
}

function withSucceededPhase(leader: APod): APod {
  return inOtherNamespace(leader).withStatus({ phase: "Succeeded" });
}

function createBystander(which: Bystander, world: SituationVariant): KubernetesObject {
  switch (which) {
    case "NextJobsLeader":
      return inOtherNamespace(jobsLeader(world, world.jobIndex + 1, "bbbb0")).withStatus({
        phase: "Running",
      });
    case "Namesake":
      return inOtherNamespace(getLeader(world, "cccc0")).inNamespace("other");
    case "Sibling":
      return inOtherNamespace(
        withTrainAnnotations(aPod(`train-workers-${world.jobIndex}-2-dddd0`), world.topologyKey),
      ).withStatus({ phase: "Running" });
    case "Failed":
      return withFailedPhase(getLeader(world, "eeee0"));
    case "LongerIndex":
      return inOtherNamespace(jobsLeader(world, world.jobIndex * 10 + 5, "ffff0")).withStatus({
        phase: "Running",
      });
    case "OtherJobSet":
      return inOtherNamespace(
        aPod(`other-workers-${world.jobIndex}-0-gggg0`)
          .exclusive(world.topologyKey)
          .withAnnotations({ [JOBSET_NAME_KEY]: "other" }),
      ).withStatus({ phase: "Running" });
  }
}

function getFollower(world: SituationVariant, selector: Selector): APod {
  const { topologyKey, domain } = world;
  const selectors: Readonly<Record<Selector, Readonly<Record<string, string>> | undefined>> = {
    Right: { [topologyKey]: domain },
    RightAmongOthers: { disk: "ssd", [topologyKey]: domain, arch: "arm64" },
    None: undefined,
    Empty: {},
    OtherKey: { "cloud.google.com/gke-tpu-accelerator": "v5" },
    OtherDomain: { [topologyKey]: otherDomain },
  };
  const nodeSelector = selectors[selector];
  const name = `train-workers-${world.jobIndex}-${world.podIndex}-vwxyz`;
  return withTrainAnnotations(aPod(name), topologyKey).withSpec({
    ...(nodeSelector !== undefined && { nodeSelector }),
    priority: 0,
  });
}

/** A new Pod gets its name when it is stored, and has no UID or status yet. */
function asNewPod({ metadata, status: _, ...pod }: Pod): Pod {
  const { name = "", uid: __, ...rest } = metadata;
  return { ...pod, metadata: { generateName: name.replace(/[^-]+$/, ""), ...rest } };
}

/**
 * Pods that are not followers: leaders, Pods that share their domain, Pods placed by node labels, and Pods without a
 * JobSet.
 */
export type Role = "Leader" | "Shared" | "PlacedByNodeLabels" | "Foreign";

const roleWords: Readonly<Record<Role, string>> = {
  Leader: "the Pod is its Job's leader under exclusive placement",
  Shared: "the Pod belongs to a JobSet without exclusive placement",
  PlacedByNodeLabels: "the Pod belongs to a JobSet that is placed by node labels",
  Foreign: "the Pod belongs to no JobSet",
};

/** Returns Pods in each of these roles, with each priority and each affinity that a template may have. */
export function listPods(...roles: readonly Role[]): EnumeratedCases<PodCase> {
  const items = roles.flatMap((role) =>
    ([0, 100, -5, 2_000_000_000] as const).flatMap((priority) =>
      usersAffinities.map((affinity) => ({ role, priority, affinity })),
    ),
  );
  return enumerateCases(items, (item) =>
    fc
      .record({
        world: fc.constantFrom(...domains).chain((domain) => situationVariants(domain, [])),
        isFirst: fc.boolean(),
        usersLabel: fc.constantFrom(undefined, "7"),
        nodeSelector: fc.constantFrom(undefined, { disk: "ssd" }),
        priorityClassName: fc.constantFrom(undefined, "high"),
        hasOtherLeader: fc.boolean(),
        isLabelled: fc.boolean(),
      })
      .map((generated) => getPodCase({ ...item, ...generated })),
  );
}

interface DrawnPod {
  readonly role: Role;
  readonly world: SituationVariant;
  /** Whether the Pod has index 0, like a leader. */
  readonly isFirst: boolean;
  readonly priority: number;
  readonly usersLabel: string | undefined;
  readonly affinity: (typeof usersAffinities)[number];
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
  readonly priorityClassName: string | undefined;
  /** Whether a Pod with index 0 has an earlier leader. */
  readonly hasOtherLeader: boolean;
  readonly isLabelled: boolean;
}

function getPodCase(generated: DrawnPod): PodCase {
  const { role, world, priority, usersLabel, affinity, nodeSelector } = generated;
  const index = role === "Leader" || generated.isFirst ? 0 : world.podIndex;
  let pod: APod = aPod(`train-workers-${world.jobIndex}-${index}-vwxyz`)
    .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
    .withLabels({ [PRIORITY_KEY]: usersLabel })
    .withSpec({
      priority,
      affinity,
      nodeSelector,
      ...(generated.priorityClassName && { priorityClassName: generated.priorityClassName }),
    });
  if (role !== "Shared") pod = pod.exclusive(world.topologyKey);
  if (role === "PlacedByNodeLabels") {
    pod = pod.withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "true" });
  }
  if (role === "Foreign") pod = foreign(pod, generated.isLabelled);
  return {
    kind: "Pod",
    situation: roleWords[role],
    operation: "CREATE",
    topologyKey: world.topologyKey,
    object: asJson(asNewPod(pod)),
    cluster: asJson([
      aNode("n1").withLabels({ [world.topologyKey]: world.domain }),
      ...(index === 0 && !generated.hasOtherLeader ? [] : [getLeader(world)]),
    ]),
  };
}

/** Adds every field of the schema to the Pods, one of them empty. Existing fields are kept. */
export function withEveryMember(cases: EnumeratedCases<PodCase>): EnumeratedCases<PodCase> {
  return mapCases(cases, (generated) => {
    const { nodeSelector: _, affinity: __, ...every } = listAllMembers("PodSpec") as PodSpec;
    const { containers } = every;
    const spec = { ...every, ...generated.object.spec, containers, imagePullSecrets: [] };
    const situation = `${generated.situation}; the Pod has every field of the schema`;
    return { ...generated, situation, object: { ...generated.object, spec } };
  });
}

/** The annotation counts, not the label. A Pod with only the label belongs to no JobSet. */
function foreign(pod: APod, isLabelled: boolean): APod {
  const bare = pod.withAnnotations({ [JOBSET_NAME_KEY]: undefined });
  return isLabelled
    ? bare
    : bare.withLabels({ [JOBSET_NAME_KEY]: undefined, [JOB_COMPLETION_INDEX_KEY]: undefined });
}

const term = (key: string, topologyKey: string) => ({
  labelSelector: { matchLabels: { [key]: "x" } },
  topologyKey,
});
const required = "requiredDuringSchedulingIgnoredDuringExecution";

/** Affinities of a template. They must be kept. */
const usersAffinities = [
  undefined,
  { podAffinity: { [required]: [term("app", "zone")] } },
  {
    podAffinity: { [required]: [term("app", "zone"), term("tier", "zone")] },
    podAntiAffinity: { [required]: [term("app", "host"), term("tier", "host")] },
  },
  { podAntiAffinity: { [required]: [term("app", "host")] }, nodeAffinity: {} },
  {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: term("app", "host") },
      ],
    },
  },
];
