import { JOBSET_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject, Pod, PodSpec } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { mergeValues } from "../arbitraries/schema-samples.ts";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import { asJson } from "./as-json.ts";
import { type EnumeratedCases, enumerateCases } from "./enumerated-cases.ts";
import {
  getJobsLeader,
  getLeader,
  inOtherDomain,
  type LeaderSituation,
  type LeaderState,
  leaderSituations,
  withFailedPhase,
  withTrainAnnotations,
} from "./leader-situations.ts";
import {
  asNewPod,
  domains,
  type PodCase,
  type SituationVariant,
  situationVariants,
} from "./pod-case.ts";

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
    fc.tuple(situationVariants(domain), fc.constantFrom(...surroundings)).map(([world, around]) => {
      const { pod = (one) => one, objects }: LeaderState = leaderSituations[situation];
      const follower = getFollower(world, selector);
      const created = asNewPod(pod(follower));
      const cluster = [
        aNode("n1").withLabels({ [world.topologyKey]: world.domain }),
        aNode("n2").withLabels({ [world.topologyKey]: otherDomain }),
        ...objects(world),
        ...beside.map((one) => createBystander(one, world)),
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

const otherDomain = "r2";

const selectorWords: Readonly<Record<Selector, string>> = {
  Right: "the Pod has the node selector of the domain",
  RightAmongOthers: "the Pod has the node selector of the domain and others",
  None: "the Pod has no node selector",
  Empty: "the Pod has an empty node selector",
  OtherKey: "the Pod's node selector has another key",
  OtherDomain: "the Pod's node selector names another domain",
};

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

function createBystander(which: Bystander, world: SituationVariant): KubernetesObject {
  switch (which) {
    case "NextJobsLeader":
      return inOtherDomain(getJobsLeader(world, world.jobIndex + 1, "bbbb0")).withStatus({
        phase: "Running",
      });
    case "Namesake":
      return inOtherDomain(getLeader(world, "cccc0")).inNamespace("other");
    case "Sibling":
      return inOtherDomain(
        withTrainAnnotations(aPod(`train-workers-${world.jobIndex}-2-dddd0`), world.topologyKey),
      ).withStatus({ phase: "Running" });
    case "Failed":
      return withFailedPhase(getLeader(world, "eeee0"));
    case "LongerIndex":
      return inOtherDomain(getJobsLeader(world, world.jobIndex * 10 + 5, "ffff0")).withStatus({
        phase: "Running",
      });
    case "OtherJobSet":
      return inOtherDomain(
        aPod(`other-workers-${world.jobIndex}-0-gggg0`)
          .exclusive(world.topologyKey)
          .withAnnotations({ [JOBSET_NAME_KEY]: "other" }),
      ).withStatus({ phase: "Running" });
  }
}

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
