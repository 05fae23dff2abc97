import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue";
import type { RequestedObject } from "../api-server/api-request.ts";
import { EXCLUSIVE } from "./scenario-edits.ts";
import type { ScenarioSize } from "./scenario-size.ts";
import type { SeededRandom } from "./seeded-random.ts";

const NAMESPACE = "ml";
export const NAME = "train";
export const NAMES = ["leader", "workers", "store"];

/** Draws a JobSet. All of its choices depend only on the seed. */
export function drawJobSet(chance: SeededRandom, size: ScenarioSize): RequestedObject {
  const { below, happens, pick } = chance;
  const count = 1 + below(size.replicatedJobs, "replicatedJobs");
  const names = NAMES.slice(0, count);
  const isExclusive = happens(0.3, "exclusive");
  const isInOrder = happens(0.4, "inOrder");
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name: NAME,
      namespace: NAMESPACE,
      ...(isQueued(chance) && { labels: { [QUEUE_NAME_KEY]: "queue" } }),
      ...(isExclusive && { annotations: EXCLUSIVE }),
    },
    spec: {
      replicatedJobs: names.map((name, at) =>
        getReplicatedJob(chance, size, name, isInOrder ? [] : names.slice(0, at)),
      ),
      ...(happens(0.3, "suspend") && { suspend: true }),
      ...(isInOrder && { startupPolicy: { startupPolicyOrder: "InOrder" } }),
      ...(isInPlace(chance)
        ? { failurePolicy: { ...getFailurePolicy(chance), restartStrategy: "InPlaceRestart" } }
        : happens(0.7, "failurePolicy") && { failurePolicy: getFailurePolicy(chance) }),
      ...(hasSuccessPolicy(chance) && {
        successPolicy: {
          operator: getOperator(chance),
          ...(hasTargets(chance) && { targetReplicatedJobs: [names[0]] }),
        },
      }),
      ...(happens(0.1, "managed") && {
        managedBy: pick([JOBSET_CONTROLLER_NAME, "example.com/another"], "managedBy"),
      }),
      ...(happens(0.3, "ttl") && { ttlSecondsAfterFinished: pick([0, 1, 60], "ttlSeconds") }),
      ...(happens(0.6, "network") && { network: { enableDNSHostnames: true } }),
    },
  };
}

/** Reports whether a random JobSet waits for quota. */
export function isQueued({ happens }: SeededRandom): boolean {
  return happens(0.1, "queued");
}

/** Reports whether a random JobSet uses in-place restart. */
export function isInPlace({ happens }: SeededRandom): boolean {
  return happens(0.1, "inPlace");
}

function hasSuccessPolicy({ happens }: SeededRandom): boolean {
  return happens(0.4, "successPolicy");
}

function getOperator({ pick }: SeededRandom): "All" | "Any" {
  return pick(["All", "Any"] as const, "operator");
}

function hasTargets({ happens }: SeededRandom): boolean {
  return happens(0.5, "targets");
}

/** Reports whether a random JobSet succeeds by its first ReplicatedJob alone. */
export function isAnySuccess(chance: SeededRandom): boolean {
  return hasSuccessPolicy(chance) && (hasTargets(chance) || getOperator(chance) === "Any");
}

function getReplicatedJob(
  chance: SeededRandom,
  size: ScenarioSize,
  name: string,
  before: readonly string[],
) {
  const { below, happens, pick } = chance;
  const pods = 1 + below(size.pods, "pods", name);
  const inPlace = isInPlace(chance);
  const [first, last] = [before[0], before.at(-1)];
  const dependency = (of: string, ...path: readonly string[]) => ({
    name: of,
    status: pick(["Ready", "Complete"], "dependency", name, ...path),
  });
  const dependsOn =
    last !== undefined && happens(0.25, "dependsOn", name)
      ? [
          dependency(last),
          ...(first !== undefined && first !== last && happens(0.6, "dependsOnBoth", name)
            ? [dependency(first, "first")]
            : []),
        ]
      : undefined;
  return {
    name,
    replicas: 1 + below(size.replicas, "replicas", name),
    ...(dependsOn && { dependsOn }),
    template: {
      spec: {
        parallelism: pods,
        completions: pods,
        ...(inPlace
          ? { backoffLimit: MAX_INT32, podReplacementPolicy: "Failed" }
          : { backoffLimit: pick([0, 0, 1], "backoffLimit", name) }),
        template: {
          spec: {
            restartPolicy: inPlace ? "OnFailure" : "Never",
            containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "1" } } }],
          },
        },
      },
    },
  };
}

function getFailurePolicy(chance: SeededRandom) {
  const { below, happens, pick } = chance;
  return {
    maxRestarts: below(4, "maxRestarts"),
    ...(happens(0.4, "strategy") && {
      restartStrategy: pick(["Recreate", "BlockingRecreate"], "restartStrategy"),
    }),
    ...(hasRule(chance) && {
      rules: [
        {
          name: "rule",
          action: actionOnFailure(chance),
          onJobFailureReasons: [pick(["BackoffLimitExceeded", "DeadlineExceeded"], "reason")],
          ...(happens(0.3, "patterns") && {
            onJobFailureMessagePatterns: [pick(["backoff limit", "out of memory"], "pattern")],
          }),
        },
      ],
    }),
  };
}

function hasRule({ happens }: SeededRandom): boolean {
  return happens(0.4, "rules");
}

function actionOnFailure({ pick }: SeededRandom) {
  return pick(["FailJobSet", "RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"], "action");
}

/** Reports whether a random JobSet may have a policy under which only success ends its restarts. */
export function restartsWithoutLimit(chance: SeededRandom): boolean {
  return hasRule(chance) && actionOnFailure(chance) === "RestartJobSetAndIgnoreMaxRestarts";
}
