import type { DependsOn, JobSet, ReplicatedJob } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue";
import { ago } from "./event-times.ts";
import type { RandomChoices } from "./random-choices.ts";

/** The properties that a fault requires of its JobSet. All others are random. */
export interface ShapeRequirements {
  /** Whether exclusive placement is used, by the label {@link JobSetShape.topologyKey}. */
  readonly exclusive?: boolean;
  /** The minimum number of Pods per Job. */
  readonly pods?: number;
  /** The minimum number of ReplicatedJobs. */
  readonly replicatedJobs?: number;
  /** The minimum number of Jobs in each ReplicatedJob. */
  readonly replicas?: number;
  /** Whether no ReplicatedJob waits for another one. */
  readonly startsAtOnce?: boolean;
  /** Whether the JobSet is or was in a Kueue queue. */
  readonly queued?: boolean;
  /** Whether the JobSet has a headless Service. */
  readonly hostnames?: boolean;
  /** The JobSet's name. A short name by default. */
  readonly name?: string;
  readonly namespace?: string;
  readonly restarted?: boolean;
  /** Whether its Pods have indexes. They may have none only without exclusive placement. */
  readonly indexed?: boolean;
  /** Whether no index has succeeded. */
  readonly fresh?: boolean;
  /** The topology label of exclusive placement. One of the common cloud labels by default. */
  readonly topologyKey?: string;
}

/** The properties of a JobSet before a fault is applied. */
export interface JobSetShape {
  readonly jobSet: JobSet;
  /** The node label of exclusive placement. Undefined if Jobs may run anywhere. */
  readonly topologyKey: string | undefined;
  /** How ReplicatedJobs wait for the preceding one. */
  readonly waits: "none" | "InOrder" | "dependsOn";
  readonly queue: string | undefined;
  /** How many indexes of every Job have succeeded. Their Pods are gone. */
  readonly doneCount: number;
}

/** Creates the random properties of a JobSet that meets the requirements of a fault. */
export function createShape(dice: RandomChoices, wishes: ShapeRequirements): JobSetShape {
  const { exclusive = dice.isOneIn(2), queued, restarted = dice.isOneIn(4) } = wishes;
  const topologyKey = exclusive
    ? (wishes.topologyKey ??
      dice.pickOne("rack", "cloud.google.com/gke-nodepool", "topology.example.com/block"))
    : undefined;
  const waits =
    wishes.startsAtOnce === true ? "none" : dice.pickOne("none", "none", "InOrder", "dependsOn");
  const queue = (queued ?? dice.isOneIn(5)) ? dice.pickOne("gpu", "team-a") : undefined;
  const isIndexed = exclusive || (wishes.indexed ?? !dice.isOneIn(6));
  const doneCount = !exclusive && isIndexed && wishes.fresh !== true && dice.isOneIn(4) ? 2 : 0;
  const onEach = exclusive && dice.isOneIn(3);
  const placement = createPlacement(dice, topologyKey);
  const labels: Record<string, string> = queue === undefined ? {} : { [QUEUE_NAME_KEY]: queue };
  const namespace = wishes.namespace ?? dice.pickOne("ml", "team-a");
  const name = wishes.name ?? dice.pickOne("js", "train", "llm-7b");
  const restarts = restarted ? 1 + dice.pickBelow(3) : 0;
  const jobSet: JobSet = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name,
      namespace,
      uid: `${namespace}-${name}-uid`,
      generation: 1,
      creationTimestamp: ago(dice.pickOne(300, 90, 3600, 200_000)),
      labels: dice.isOneIn(3) ? { ...labels, team: "a" } : labels,
      annotations: onEach ? {} : placement,
    },
    spec: {
      network: {
        enableDNSHostnames: wishes.hostnames ?? !dice.isOneIn(6),
        publishNotReadyAddresses: true,
        ...(dice.isOneIn(5) && { subdomain: `${name}-net` }),
      },
      successPolicy: { operator: "All" },
      startupPolicy: { startupPolicyOrder: waits === "InOrder" ? "InOrder" : "AnyOrder" },
      ...((restarts > 0 || dice.isOneIn(3)) && {
        failurePolicy: {
          maxRestarts: 6,
          restartStrategy: dice.pickOne("Recreate", "BlockingRecreate"),
        },
      }),
      ...(queue !== undefined && { suspend: false }),
      replicatedJobs: replicatedJobs(dice, wishes, {
        inChain: waits === "dependsOn",
        annotations: onEach ? placement : {},
        doneCount,
        isIndexed,
      }),
    },
    status: {
      restarts,
      ...(restarts > 0 && { restartsCountTowardsMax: dice.pickOne(restarts, 0) }),
    },
  };
  return { jobSet, topologyKey, waits, queue, doneCount };
}

/** Returns the annotations of exclusive placement, sometimes by node labels. */
function createPlacement(
  dice: RandomChoices,
  topologyKey: string | undefined,
): Record<string, string> {
  if (topologyKey !== undefined) return { [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey };
  return dice.isOneIn(8)
    ? { [EXCLUSIVE_TOPOLOGY_KEY]: "rack", [NODE_SELECTOR_STRATEGY_KEY]: "true" }
    : {};
}

const names = ["w", "driver", "workers-b"] as const;

function replicatedJobs(
  dice: RandomChoices,
  { pods = 1, replicas = 1, replicatedJobs: least = 1 }: ShapeRequirements,
  {
    inChain,
    annotations,
    doneCount,
    isIndexed,
  }: {
    readonly inChain: boolean;
    readonly annotations: Record<string, string>;
    readonly doneCount: number;
    readonly isIndexed: boolean;
  },
): ReplicatedJob[] {
  const count = Math.max(least, dice.pickOne(1, 2, 1, 3));
  const isLarge = dice.isOneIn(100);
  return names.slice(0, count).map((name, at) => {
    const podCount = pods + dice.pickOne(1, 2, 0, 3);
    const left = isLarge ? 5 : podCount;
    // Near the end, fewer indexes are left than may run in parallel.
    const parallelism = dice.isOneIn(2) ? left + doneCount : left;
    const before = names[at - 1];
    const dependsOn: DependsOn[] =
      inChain && before !== undefined ? [{ name: before, status: "Ready" }] : [];
    return {
      name,
      groupName: dice.pickOne("default", "g"),
      replicas: isLarge ? 40 : replicas + dice.pickOne(0, 1, 2),
      ...(dependsOn.length > 0 && { dependsOn }),
      template: {
        metadata: Object.keys(annotations).length > 0 ? { annotations } : {},
        spec: {
          parallelism,
          completions: left + doneCount,
          completionMode: isIndexed ? "Indexed" : "NonIndexed",
          backoffLimit: 6,
          template: {
            spec: {
              restartPolicy: dice.pickOne("OnFailure", "Never"),
              containers: [{ name: "main", image: "registry.example/team/trainer:v4" }],
            },
          },
        },
      },
    };
  });
}
