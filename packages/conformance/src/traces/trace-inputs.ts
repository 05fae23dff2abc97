import { getLabel, getName, isObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { ServerReply, ServerRequest } from "@jobset-ts/sim/kernel";
import type { Process } from "../../../sim/src/kernel/component.ts";
import { NAMESPACE, OTHER_NAMESPACE } from "./projection.ts";
import {
  endPod,
  KILLED,
  type KubeletModes,
  killPod,
  runPod,
  setPodCondition,
  setRestarts,
} from "./scripted-kubelet.ts";
import type { TraceLine } from "./trace.ts";
import { getCompletionIndex } from "./trace-window.ts";

/** Performs an input and returns the API server's response. */
type Input = (
  object: TraceLine["object"],
  process: Process<unknown>,
) => readonly ServerReply[] | undefined;

/** The requests of users. */
export const userInputs: Readonly<Record<string, Input>> = {
  createNode: (object, process) => createNode(process, object.node ?? object),
  patchNode: ({ name, patch }, process) => {
    const node = {
      ...listMembers(patch),
      ...createNamedObject("Node", name, "", listMembers(patch).metadata),
    };
    return [process.request({ verb: "patch", object: node })];
  },
  deleteNode: ({ name }, process) => [
    process.request({ verb: "delete", object: createNamedObject("Node", name, "") }),
  ],
  createPriorityClass: ({ name, value, extra }, process) => {
    const object = {
      ...createNamedObject("PriorityClass", name, ""),
      value,
      ...listMembers(extra),
    };
    return [process.request({ verb: "create", object })];
  },
  createJob: ({ name, spec, pod, meta }, process) => {
    const template = podTemplate(listMembers(pod));
    const job = {
      ...createNamedObject("Job", name, NAMESPACE, meta),
      spec: { ...listMembers(spec), template },
    };
    return [process.request({ verb: "create", object: job })];
  },
  patchJob: ({ name, patch }, process) => [
    process.request({ verb: "patch", object: createPatch("Job", name, patch) }),
  ],
  patchJobStatus: ({ name, patch }, process) => [
    process.request({
      verb: "patch",
      object: createPatch("Job", name, patch),
      subresource: "status",
    }),
  ],
  deleteJob: ({ name, policy }, process) => [
    process.request({
      verb: "delete",
      object: createNamedObject("Job", name, NAMESPACE),
      ...(policy !== undefined && { propagationPolicy: policy as "Foreground" }),
    }),
  ],
  createPod: ({ manifest, otherNamespace }, process) => {
    const { metadata, ...members } = listMembers(manifest);
    const namespace = otherNamespace === true ? OTHER_NAMESPACE : NAMESPACE;
    const pod = {
      ...members,
      ...createNamedObject("Pod", listMembers(metadata).name, namespace, metadata),
    };
    return [process.request({ verb: "create", object: pod })];
  },
  patchPod: ({ select, patch }, process) =>
    selectPods(process, select).map((pod) =>
      process.request({ verb: "patch", object: createPatch("Pod", getName(pod), patch) }),
    ),
  deletePod: ({ select, grace }, process) =>
    selectPods(process, select).map((pod) =>
      process.request({
        verb: "delete",
        object: createNamedObject("Pod", getName(pod), NAMESPACE),
        ...(typeof grace === "number" && { gracePeriodSeconds: grace }),
      }),
    ),
};

/** The manual steps of the kubelet script. */
export const kubeletInputs: Readonly<Record<string, Input>> = {
  mode: (modes, process) => {
    process.memory = modes as unknown as KubeletModes;
  },
  run: ({ select, ready }, process) => {
    for (const pod of selectPods(process, select)) runPod(process, pod, ready !== false);
  },
  exit: ({ select, code }, process) => {
    for (const pod of selectPods(process, select)) endPod(process, pod, Number(code));
  },
  kill: ({ select, code }, process) => {
    const terminating = { ...listMembers(select), which: "terminating" };
    for (const pod of selectPods(process, terminating))
      killPod(process, pod, Number(code ?? KILLED));
  },
  condition: ({ select, condition }, process) => {
    for (const pod of selectPods(process, select)) {
      setPodCondition(process, pod, condition as Parameters<typeof setPodCondition>[2]);
    }
  },
  restarts: ({ select, restarts }, process) => {
    for (const pod of selectPods(process, select)) setRestarts(process, pod, Number(restarts));
  },
};

/** Returns the Pods that an input selects: the active ones, or those that are being deleted. */
function selectPods(process: Process<unknown>, select: unknown): readonly Pod[] {
  const { job, index, count, all, pod: name, which } = listMembers(select);
  const pods = process.objects.ofKind<Pod>("Pod").filter((pod) => {
    if (pod.metadata.namespace !== NAMESPACE) return false;
    if (name !== undefined) return getName(pod) === name;
    if (job !== undefined && getLabel(pod, "batch.kubernetes.io/job-name") !== job) return false;
    if (index !== undefined && getCompletionIndex(pod) !== index) return false;
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    if (which === "terminating") return isTerminating;
    return !isTerminating && pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";
  });
  const isAll = all === true || which === "terminating";
  return pods.slice(0, typeof count === "number" ? count : isAll ? pods.length : 1);
}

export function createNode(process: Process<unknown>, node: unknown): readonly ServerReply[] {
  const { name, labels, taints, unschedulable, allocatable } = listMembers(node);
  const all = { "kubernetes.io/hostname": String(name), ...listMembers(labels) };
  const object = {
    ...createNamedObject("Node", name, "", { labels: all }),
    spec: {
      ...(taints !== undefined && { taints }),
      ...(unschedulable !== undefined && { unschedulable }),
    },
  };
  const resources = { cpu: "64", memory: "64Gi", pods: "110", ...listMembers(allocatable) };
  const status = {
    allocatable: resources,
    capacity: resources,
    conditions: [{ type: "Ready", status: "True" }],
  };
  return [
    process.request({ verb: "create", object }),
    process.request({ verb: "patch", subresource: "status", object: { ...object, status } }),
  ];
}

function createPatch(kind: string, name: unknown, patch: unknown): ServerRequest["object"] {
  return {
    ...listMembers(patch),
    ...createNamedObject(kind, name, NAMESPACE, listMembers(patch).metadata),
  };
}

/** Returns the Pod template of a scenario's Job. Its own members override the common ones. */
function podTemplate({ metadata, spec }: Readonly<Record<string, unknown>>) {
  const same = { restartPolicy: "Never", containers: [{ name: "main", image: "w:1" }] };
  return { metadata, spec: { ...same, ...listMembers(spec) } };
}

function createNamedObject(
  kind: string,
  name: unknown,
  namespace: string,
  metadata?: unknown,
): ServerRequest["object"] {
  const place = namespace === "" ? {} : { namespace };
  return { kind, metadata: { ...listMembers(metadata), name: String(name), ...place } };
}

function listMembers(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
