import type { JobControllerKind } from "../job-controller/stale-caches.ts";

/** A fault of nodes, Pods or built-in controllers. Times are milliseconds since the start of the run. */
export type ClusterFault =
  /** Disconnects a node: its Pods continue to run, but it reports nothing. */
  | {
      readonly fault: "CutOffNode";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** Cordons a node and evicts its Pods. Afterwards, the node accepts Pods again. */
  | {
      readonly fault: "Drain";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** Removes all nodes with a label. They come back afterwards. */
  | {
      readonly fault: "LoseDomain";
      readonly label: string;
      readonly value: string;
      readonly from: number;
      readonly until: number;
    }
  /** Creates a Pod of the highest priority that requests all CPU of a node. */
  | {
      readonly fault: "Preempt";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** Changes or removes a label of a node for a time. */
  | {
      readonly fault: "Relabel";
      readonly node: string;
      readonly label: string;
      readonly value?: string;
      readonly from: number;
      readonly until: number;
    }
  /** Taints a node. No Pod tolerates the taint. */
  | {
      readonly fault: "Taint";
      readonly node: string;
      readonly effect: "NoSchedule" | "NoExecute";
      readonly from: number;
      readonly until: number;
    }
  /** Slows a built-in controller: everything that it starts in this period takes longer. */
  | {
      readonly fault: "Slow";
      readonly component: SlowComponent;
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** Restarts the Job controller, which loses its back-off, retries and pending work. */
  | { readonly fault: "RestartJobController"; readonly at: number }
  /** Delays the changes of a kind in the Job controller's cache until the end of a time. */
  | {
      readonly fault: "StaleJobController";
      readonly kind: JobControllerKind;
      readonly from: number;
      readonly until: number;
    }
  /** Delays the JobSets that the in-place restart agents see. */
  | {
      readonly fault: "SlowAgents";
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** Kills the containers of a Job's Pods, including the agents: of one completion index, or of all. */
  | {
      readonly fault: "KillContainers";
      readonly job: string;
      readonly index?: number;
      readonly at: number;
    };

/** The built-in controllers that a fault can slow. */
export const slowComponents = [
  "garbage-collector",
  "job-controller",
  "scheduler",
  "kubelet",
] as const;

export type SlowComponent = (typeof slowComponents)[number];

export const clusterFaultNames = [
  "CutOffNode",
  "Drain",
  "LoseDomain",
  "Preempt",
  "Relabel",
  "Taint",
  "Slow",
  "RestartJobController",
  "StaleJobController",
  "SlowAgents",
  "KillContainers",
] as const satisfies readonly ClusterFault["fault"][];

/** Describes a fault for people. */
export function clusterFaultText(fault: ClusterFault): string {
  switch (fault.fault) {
    case "CutOffNode":
      return `${fault.node} is disconnected`;
    case "Drain":
      return `${fault.node} is drained`;
    case "LoseDomain":
      return `the nodes with ${fault.label}=${fault.value} are gone`;
    case "Preempt":
      return `a Pod of the highest priority requests all CPU of ${fault.node}`;
    case "Relabel":
      return fault.value === undefined
        ? `${fault.node} does not have the label ${fault.label}`
        : `${fault.node} has ${fault.label}=${fault.value}`;
    case "Taint":
      return `${fault.node} has a taint with the effect ${fault.effect}`;
    case "Slow":
      return `the ${fault.component} takes ${fault.ms} ms longer`;
    case "RestartJobController":
      return "the Job controller restarts";
    case "StaleJobController":
      return `the Job controller receives no ${fault.kind} events`;
    case "SlowAgents":
      return `the in-place restart agents see JobSets ${fault.ms} ms later`;
    case "KillContainers":
      return fault.index === undefined
        ? `the containers of ${fault.job} are killed`
        : `the containers of ${fault.job} at index ${fault.index} are killed`;
  }
}
