import {
  asArray,
  asString,
  getName,
  isObject,
  type Node,
  type Pod,
  type PodSpec,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import { withMembers } from "../with-members.ts";
import type { AdmissionResult, AdmissionStep, Review } from "./admission-step.ts";
import type { Stored } from "./objects.ts";
import { createRejection } from "./rejections.ts";
import { deepFreeze } from "./stored-values.ts";

/**
 * The built-in admission plugins that affect JobSets. They run before all webhooks, so a webhook sees the priority of a
 * new Pod.
 *
 * @see Kubernetes `Priority`, `DefaultTolerationSeconds`, `TaintNodesByCondition`
 */
export const builtInAdmission: readonly AdmissionStep[] = [
  { name: "Priority", mutates: true, kinds: ["Pod"], onUpdate: false, review: withPriority },
  {
    name: "DefaultTolerationSeconds",
    mutates: true,
    kinds: ["Pod"],
    onUpdate: false,
    review: ({ object }) => ({ ok: true, object: withDefaultTolerations(object) }),
  },
  {
    name: "TaintNodesByCondition",
    mutates: true,
    kinds: ["Node"],
    onUpdate: false,
    review: ({ object }) => ({ ok: true, object: withNotReadyTaint(object) }),
  },
];

export const NOT_READY_TAINT = "node.kubernetes.io/not-ready";
export const UNREACHABLE_TAINT = "node.kubernetes.io/unreachable";

type PriorityClass = Stored & {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
};

/** The PriorityClasses that exist in every cluster. */
const SYSTEM_PRIORITIES: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

function withPriority({ object, objects }: Review): AdmissionResult {
  const pod = object as unknown as Pod;
  const className = asString(pod.spec?.priorityClassName);
  const priorityClass =
    className === ""
      ? defaultClass(objects.ofKind<PriorityClass>("PriorityClass"))
      : objects.get<PriorityClass>("PriorityClass", "", className);
  const name = priorityClass === undefined ? className : getName(priorityClass);
  const priority = priorityClass?.value ?? SYSTEM_PRIORITIES[name];
  if (className !== "" && priority === undefined) {
    return forbidPod(pod, `no PriorityClass with name ${className} was found`);
  }
  const computed = priority ?? 0;
  if (pod.spec?.priority !== undefined && pod.spec.priority !== computed) {
    return forbidPod(
      pod,
      `the integer value of priority (${pod.spec.priority}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`,
    );
  }
  const spec = {
    ...pod.spec,
    priority: computed,
    ...(name !== "" && { priorityClassName: name }),
    preemptionPolicy:
      pod.spec?.preemptionPolicy ?? priorityClass?.preemptionPolicy ?? "PreemptLowerPriority",
  };
  return { ok: true, object: deepFreeze(withMembers(object, { spec })) };
}

/** Returns the default PriorityClass. If there are several, the one with the lowest value wins. */
function defaultClass(classes: readonly PriorityClass[]): PriorityClass | undefined {
  return classes
    .filter(({ globalDefault }) => globalDefault === true)
    .sort((one, other) => (one.value ?? 0) - (other.value ?? 0))[0];
}

function forbidPod(pod: Pod, reason: string): AdmissionResult {
  const name = getName(pod) || asString(pod.metadata.generateName);
  return createRejection(403, "Forbidden", `pods "${name}" is forbidden: ${reason}`);
}

const DEFAULT_TOLERATION_SECONDS = 300;

/** Adds the default tolerations for lost nodes, unless the Pod has its own. */
function withDefaultTolerations(object: Stored): Stored {
  const tolerations = asArray((object as unknown as Pod).spec?.tolerations);
  const missing = [NOT_READY_TAINT, UNREACHABLE_TAINT].filter(
    (taint) => !tolerations.some((toleration) => matchesTaint(toleration, taint)),
  );
  if (missing.length === 0) return object;
  const added = missing.map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: DEFAULT_TOLERATION_SECONDS,
  }));
  const spec = withMembers(object.spec as PodSpec, {
    tolerations: [...tolerations, ...added] as Toleration[],
  });
  return deepFreeze(withMembers(object, { spec }));
}

function matchesTaint(toleration: Toleration, taint: string): boolean {
  if (!isObject(toleration)) return false;
  const { key = "", effect = "" } = toleration;
  return (key === taint || key === "") && (effect === "NoExecute" || (effect as string) === "");
}

/** Taints a new node until the node lifecycle controller has seen it ready. */
function withNotReadyTaint(object: Stored): Stored {
  const spec = (object as unknown as Node).spec ?? {};
  const taints = asArray(spec.taints);
  if (taints.some(({ key, effect }) => key === NOT_READY_TAINT && effect === "NoSchedule")) {
    return object;
  }
  const notReady = { key: NOT_READY_TAINT, effect: "NoSchedule" };
  return deepFreeze({ ...object, spec: { ...spec, taints: [...taints, notReady] } });
}
