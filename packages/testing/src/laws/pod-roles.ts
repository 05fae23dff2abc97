import {
  JOB_COMPLETION_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import fc from "fast-check";
import { aNode } from "../builders/a-node.ts";
import { type APod, aPod } from "../builders/a-pod.ts";
import { asJson } from "./as-json.ts";
import { type EnumeratedCases, enumerateCases } from "./enumerated-cases.ts";
import { getLeader } from "./leader-situations.ts";
import {
  asNewPod,
  domains,
  type PodCase,
  type SituationVariant,
  situationVariants,
} from "./pod-case.ts";

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
        world: fc.constantFrom(...domains).chain(situationVariants),
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
