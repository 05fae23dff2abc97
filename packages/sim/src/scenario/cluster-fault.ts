import type { JobControllerKind } from "../job-controller/stale-caches.ts";

/** Something that goes wrong with nodes, Pods and the built-in controllers. Times are milliseconds since the run began. */
export type ClusterFault =
  /** A node is disconnected: its Pods continue, but nothing is reported. */
  | {
      readonly fault: "CutOffNode";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** A node is cordoned and its Pods are evicted; afterwards it takes Pods again. */
  | {
      readonly fault: "Drain";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** All nodes with a label are gone, and come back afterwards. */
  | {
      readonly fault: "LoseDomain";
      readonly label: string;
      readonly value: string;
      readonly from: number;
      readonly until: number;
    }
  /** A Pod of the highest priority takes all of a node's CPU. */
  | {
      readonly fault: "Preempt";
      readonly node: string;
      readonly from: number;
      readonly until: number;
    }
  /** A label of a node is another one for a time, or none. */
  | {
      readonly fault: "Relabel";
      readonly node: string;
      readonly label: string;
      readonly value?: string;
      readonly from: number;
      readonly until: number;
    }
  /** A node has a taint without any toleration. */
  | {
      readonly fault: "Taint";
      readonly node: string;
      readonly effect: "NoSchedule" | "NoExecute";
      readonly from: number;
      readonly until: number;
    }
  /** A built-in controller takes longer for everything that it begins meanwhile. */
  | {
      readonly fault: "Slow";
      readonly component: SlowComponent;
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** The Job controller restarts: it forgets its back-off, retries and pending work. */
  | { readonly fault: "RestartJobController"; readonly at: number }
  /** The changes of a kind reach the Job controller's cache only at the end of a time. */
  | {
      readonly fault: "StaleJobController";
      readonly kind: JobControllerKind;
      readonly from: number;
      readonly until: number;
    }
  /** The in-place restart agents hear later of their JobSets. */
  | {
      readonly fault: "SlowAgents";
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** The containers of a Job's Pods are killed, and the agents in them: of one completion index, or of all. */
  | {
      readonly fault: "KillContainers";
      readonly job: string;
      readonly index?: number;
      readonly at: number;
    };

/** The built-in controllers that may be slow. */
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

/** What goes wrong by a fault, for a person. */
export function clusterFaultText(fault: ClusterFault): string {
  switch (fault.fault) {
    case "CutOffNode":
      return `${fault.node} is cut off`;
    case "Drain":
      return `${fault.node} is drained`;
    case "LoseDomain":
      return `the nodes with ${fault.label}=${fault.value} are gone`;
    case "Preempt":
      return `a Pod of the highest priority takes ${fault.node} for itself`;
    case "Relabel":
      return fault.value === undefined
        ? `${fault.node} is without the label ${fault.label}`
        : `${fault.node} has ${fault.label}=${fault.value}`;
    case "Taint":
      return `${fault.node} has a taint with the effect ${fault.effect}`;
    case "Slow":
      return `the ${fault.component} takes ${fault.ms} ms longer`;
    case "RestartJobController":
      return "the Job controller restarts";
    case "StaleJobController":
      return `the Job controller hears of no ${fault.kind}`;
    case "SlowAgents":
      return `the in-place restart agents hear of their JobSets ${fault.ms} ms later`;
    case "KillContainers":
      return fault.index === undefined
        ? `the containers of ${fault.job} are killed`
        : `the containers of ${fault.job} at index ${fault.index} are killed`;
  }
}
