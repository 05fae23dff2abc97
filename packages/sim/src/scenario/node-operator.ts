import { getLabel, getName, type Node } from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Component, Process } from "../kernel/component.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";

/** Faults that a client of the API server causes. */
type Operation = Extract<
  ClusterFault,
  { fault: "Drain" | "LoseDomain" | "Preempt" | "Relabel" | "Taint" }
>;

const OPERATIONS: ReadonlySet<Fault["fault"]> = new Set([
  "Drain",
  "LoseDomain",
  "Preempt",
  "Relabel",
  "Taint",
] satisfies readonly Operation["fault"][]);

type OperatorProcess = Process<undefined>;

/** The key of the operator's first turn. */
export const PREPARE = "prepare";

/**
 * Creates the client that drains, removes, labels and taints nodes, and restores them afterwards to their initial
 * state.
 *
 * @returns `undefined` if the scenario has no such fault
 */
export function operator({ faults, objects }: Scenario): Component<undefined> | undefined {
  const operations = faults.filter((fault): fault is Operation => OPERATIONS.has(fault.fault));
  if (operations.length === 0) return undefined;
  const nodes = objects.filter(({ kind }) => kind === "Node");
  return {
    name: "operator",
    memory: undefined,
    watches: [],
    act: (key, process) => {
      if (key === PREPARE) {
        operations.forEach(({ from, until }, at) => {
          process.wake(`begin ${at}`, from);
          process.wake(`end ${at}`, Math.max(from, until));
        });
        return;
      }
      const [step, place] = key.split(" ");
      const operation = operations[Number(place)];
      if (operation === undefined) return;
      const name = `fault-${place}`;
      if (step === "begin") begin(operation, { name, key, nodes }, process);
      else end(operation, { name, key, nodes }, process);
    },
  };
}

interface Site {
  /** A name that no other fault has. */
  readonly name: string;
  readonly key: string;
  /** The nodes in their initial state. */
  readonly nodes: readonly RequestedObject[];
}

function begin(operation: Operation, { name, key, nodes }: Site, process: OperatorProcess): void {
  switch (operation.fault) {
    case "Drain":
      patchNode(process, operation.node, { spec: { unschedulable: true } });
      if (evictAll(process, operation.node) > 0) process.wake(key, EVICTION_RETRY_MS);
      break;
    case "LoseDomain":
      for (const node of nodesIn(nodes, operation)) {
        process.request({ verb: "delete", object: reference("Node", getNodeLabel(node)) });
      }
      break;
    case "Preempt":
      process.request({ verb: "create", object: preemptor(process, operation.node, name) });
      break;
    case "Relabel": {
      const labels = { [operation.label]: operation.value ?? null };
      patchNode(process, operation.node, { metadata: { labels } });
      break;
    }
    case "Taint":
      setTaint(process, operation.node, name, operation.effect);
      break;
  }
}

function end(operation: Operation, { name, nodes }: Site, process: OperatorProcess): void {
  switch (operation.fault) {
    case "Drain":
      process.forget(`begin ${name.slice("fault-".length)}`);
      patchNode(process, operation.node, { spec: { unschedulable: null } });
      break;
    case "LoseDomain":
      for (const object of nodesIn(nodes, operation)) process.request({ verb: "create", object });
      break;
    case "Preempt":
      process.request({ verb: "delete", object: reference("Pod", name, PREEMPTOR_NAMESPACE) });
      break;
    case "Relabel": {
      const was = nodes.find((node) => getNodeLabel(node) === operation.node);
      const label = was && getLabel(was as Node, operation.label);
      const labels = { [operation.label]: label ?? null };
      patchNode(process, operation.node, { metadata: { labels } });
      break;
    }
    case "Taint":
      setTaint(process, operation.node, name, undefined);
      break;
  }
}

/** When to retry an eviction that a disruption budget prevented. */
const EVICTION_RETRY_MS = 5_000;

/** Evicts the Pods of a node. Returns how many evictions a disruption budget prevented. */
function evictAll(process: OperatorProcess, node: string): number {
  let preventedCount = 0;
  for (const pod of process.objects.podsOn(node)) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    const object = reference("Pod", getName(pod), pod.metadata.namespace);
    const reply = process.request({ verb: "create", subresource: "eviction", object });
    if (!reply.ok && reply.code === 429) preventedCount += 1;
  }
  return preventedCount;
}

const PREEMPTOR_NAMESPACE = "kube-system";

/** Returns a Pod with the highest priority that requests a node's whole CPU. */
function preemptor(process: OperatorProcess, node: string, name: string): RequestedObject {
  const stored = process.objects.get<Node>("Node", "", node);
  const cpu = String(stored?.status?.allocatable?.cpu ?? "1");
  const fields = [{ key: "metadata.name", operator: "In", values: [node] }];
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: fields }],
    },
  };
  const containers = [{ name: "main", image: "busybox", resources: { requests: { cpu } } }];
  return {
    kind: "Pod",
    metadata: { name, namespace: PREEMPTOR_NAMESPACE },
    spec: { priorityClassName: "system-node-critical", affinity: { nodeAffinity }, containers },
  };
}

function setTaint(
  process: OperatorProcess,
  node: string,
  name: string,
  effect: "NoSchedule" | "NoExecute" | undefined,
): void {
  const stored = process.objects.get<Node>("Node", "", node);
  if (stored === undefined) return;
  const key = `example.com/${name}`;
  process.edit(stored, (draft) => {
    draft.spec ??= {};
    const others = (draft.spec.taints ?? []).filter((taint) => taint.key !== key);
    draft.spec.taints = effect === undefined ? others : [...others, { key, effect }];
    if (draft.spec.taints.length === 0) delete draft.spec.taints;
  });
}

function patchNode(process: OperatorProcess, name: string, members: object): void {
  if (process.objects.get("Node", "", name) === undefined) return;
  const { metadata } = members as { readonly metadata?: object };
  const object = { ...members, kind: "Node", metadata: { ...metadata, name } };
  process.request({ verb: "patch", object: object as RequestedObject });
}

function nodesIn(
  nodes: readonly RequestedObject[],
  { label, value }: { readonly label: string; readonly value: string },
): readonly RequestedObject[] {
  return nodes.filter((node) => getLabel(node as Node, label) === value);
}

function getNodeLabel(node: RequestedObject): string {
  return getName(node as Node);
}

function reference(kind: string, name: string, namespace?: string): RequestedObject {
  return { kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
