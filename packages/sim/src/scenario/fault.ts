import type { EpochMillis } from "@jobset-ts/api";
import { createRejection, TIMED_OUT } from "../api-server/rejections.ts";
import {
  type NetworkFaults,
  NO_REQUEST_FAULT,
  type RequestFate,
} from "../jobset-controller/network-faults.ts";
import type { WebhookName } from "../jobset-controller/webhooks.ts";
import { isWithin, START_TIME } from "../kernel/cluster.ts";
import { type ClusterFault, clusterFaultNames, clusterFaultText } from "./cluster-fault.ts";

/**
 * A fault in a run: plain data, in milliseconds since the start of the run. Requests are those of the JobSet
 * controller, counted from 1.
 */
export type Fault =
  /** Delays the changes of a kind in the controller's cache until the end of a time. */
  | {
      readonly fault: "HoldBack";
      readonly kind: string;
      readonly from: number;
      readonly until: number;
    }
  /**
   * Delays the changes of a kind. Afterwards, the controller lists the objects again, so it sees
   * only the final state.
   */
  | {
      readonly fault: "Relist";
      readonly kind: string;
      readonly from: number;
      readonly until: number;
    }
  /** Delays a request. */
  | { readonly fault: "DelayRequest"; readonly request: number; readonly ms: number }
  /** Loses a request before the server handles it. */
  | { readonly fault: "LoseRequest"; readonly request: number }
  /** Loses the response to a request after the server has handled it. */
  | { readonly fault: "LoseReply"; readonly request: number }
  /** Rejects a request with a status code that is unrelated to its object. */
  | { readonly fault: "Refuse"; readonly request: number; readonly code: RefusalCode }
  /** Rejects all requests about an object. */
  | {
      readonly fault: "RefuseObject";
      readonly kind: string;
      readonly name: string;
      readonly from: number;
      readonly until: number;
    }
  /** Makes another client write the object of a request right before the request. */
  | { readonly fault: "Race"; readonly request: number }
  /**
   * Crashes the controller before it sends a request or after the server has handled it. The controller restarts later.
   */
  | {
      readonly fault: "Crash";
      readonly request: number;
      readonly when: "Before" | "After";
      readonly downMs: number;
    }
  /** Triggers a reconcile of a JobSet without a cause. */
  | { readonly fault: "Spurious"; readonly at: number; readonly jobSet: string }
  /** Rejects requests that call JobSet's webhooks: the named ones, or all. */
  | {
      readonly fault: "WebhookOutage";
      readonly webhooks?: readonly WebhookName[];
      readonly from: number;
      readonly until: number;
    }
  /** Freezes the caches of one of JobSet's webhooks, as in a replica that gets no events. */
  | {
      readonly fault: "StaleWebhook";
      readonly webhook: WebhookName;
      readonly from: number;
      readonly until: number;
    }
  /** Sets a clock ahead or back. Default: the controller's clock. */
  | { readonly fault: "ClockOffset"; readonly clock?: ClockOwner; readonly ms: number }
  /** Sets a clock ahead or back for a limited time. The clock jumps at its start and end. */
  | {
      readonly fault: "ClockJump";
      readonly clock?: ClockOwner;
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** Restarts the controller, which then lists a kind in an earlier state. Later changes arrive afterwards. */
  | {
      readonly fault: "TimeTravel";
      readonly kind: string;
      readonly at: number;
      readonly backMs: number;
      readonly forMs: number;
    }
  /** Freezes the controller. If that outlasts its lease, another replica leads, and for a moment both act. */
  | { readonly fault: "Freeze"; readonly from: number; readonly until: number }
  /** Loses the controller's Events. */
  | { readonly fault: "LoseEvents"; readonly from: number; readonly until: number }
  /**
   * Delays the controller's Events until the end of a time. The last Event arrives first, and equal Events arrive as
   * one.
   */
  | { readonly fault: "DelayEvents"; readonly from: number; readonly until: number }
  | ClusterFault;

/**
 * The names of all faults.
 *
 * @example faultNames.includes("Crash") // => true
 */
export const faultNames = [
  "HoldBack",
  "Relist",
  "DelayRequest",
  "LoseRequest",
  "LoseReply",
  "Refuse",
  "RefuseObject",
  "Race",
  "Crash",
  "Spurious",
  "WebhookOutage",
  "StaleWebhook",
  "ClockOffset",
  "ClockJump",
  "TimeTravel",
  "Freeze",
  "LoseEvents",
  "DelayEvents",
  ...clusterFaultNames,
] as const satisfies readonly Fault["fault"][];

/** The other programs whose clocks affect JobSets. Kubernetes' own controllers count as one. */
export const clockOwners = ["api-server", "kube-controller-manager", "kubelet"] as const;

export type ClockOwner = (typeof clockOwners)[number];

export type RefusalCode = 403 | 429 | 500 | 503;

/** Describes a fault for people. */
export function faultText(fault: Fault): string {
  switch (fault.fault) {
    case "HoldBack":
      return `the controller receives no ${fault.kind} events`;
    case "Relist":
      return `the controller receives no ${fault.kind} events and lists them again afterwards`;
    case "DelayRequest":
      return `request ${fault.request} takes ${fault.ms} ms longer`;
    case "LoseRequest":
      return `request ${fault.request} gets lost`;
    case "LoseReply":
      return `the response to request ${fault.request} gets lost`;
    case "Refuse":
      return `request ${fault.request} is rejected with ${fault.code}`;
    case "RefuseObject":
      return `all requests about ${fault.kind} ${fault.name} are rejected`;
    case "Race":
      return `another client writes right before request ${fault.request}`;
    case "Crash":
      return `the controller crashes ${fault.when === "Before" ? "before" : "after"} request ${fault.request} and restarts after ${fault.downMs} ms`;
    case "Spurious":
      return `the controller reconciles ${fault.jobSet} without a cause`;
    case "WebhookOutage":
      return fault.webhooks === undefined
        ? "JobSet's webhooks do not respond"
        : `JobSet's webhooks do not respond: ${fault.webhooks.join(", ")}`;
    case "StaleWebhook":
      return `the webhook ${fault.webhook} receives no events`;
    case "ClockOffset":
      return `${formatClock(fault.clock)} is ${offsetText(fault.ms)}`;
    case "ClockJump":
      return `${formatClock(fault.clock)} jumps to ${offsetText(fault.ms)}`;
    case "TimeTravel":
      return `the controller restarts and sees each ${fault.kind} as it was ${fault.backMs} ms earlier for ${fault.forMs} ms`;
    case "Freeze":
      return "the controller is frozen";
    case "LoseEvents":
      return "the controller's Events get lost";
    case "DelayEvents":
      return "the controller's Events are delayed";
    default:
      return clusterFaultText(fault);
  }
}

function formatClock(owner: ClockOwner | undefined): string {
  switch (owner) {
    case undefined:
      return "the controller's clock";
    case "api-server":
      return "the API server's clock";
    case "kube-controller-manager":
      return "the clock of the built-in controllers";
    case "kubelet":
      return "the clock of all kubelets";
  }
}

function offsetText(ms: number): string {
  return `${Math.abs(ms)} ms ${ms < 0 ? "behind" : "ahead"}`;
}

/** Returns when the last fault with a duration ends. Faults of single requests end with the requests. */
export function faultsEndAt(faults: readonly Fault[]): number {
  return Math.max(0, ...faults.map(getEnd));
}

function getEnd(fault: Fault): number {
  switch (fault.fault) {
    case "TimeTravel":
      return fault.at + fault.forMs;
    case "Slow":
    case "SlowAgents":
      // The last request in this time arrives later by the delay.
      return fault.until + fault.ms;
    case "ClockJump":
      // Until then, times of other clocks may be in the future, or delay actions that depend on them.
      return fault.until + (fault.clock === undefined ? 0 : Math.abs(fault.ms));
    default:
      return "until" in fault ? fault.until : 0;
  }
}

/** Returns the faults that concern the controller's network. */
export function getNetworkFaults(faults: readonly Fault[]): NetworkFaults {
  const selectFaults = <Name extends Fault["fault"]>(...names: readonly Name[]) =>
    faults.filter((one): one is Extract<Fault, { fault: Name }> =>
      (names as readonly string[]).includes(one.fault),
    );
  const [holds, outages, refusedObjects, eventFaults] = [
    selectFaults("HoldBack", "Relist"),
    selectFaults("WebhookOutage"),
    selectFaults("RefuseObject"),
    selectFaults("LoseEvents", "DelayEvents"),
  ];
  const fates = fatesByRequest(faults);
  return {
    getClockOffset: getClockOffset(faults) ?? (() => 0),
    getWatchDelay: (kind, now) => {
      const hold = holds.find((one) => one.kind === kind && isWithin(one, now));
      return hold && { until: START_TIME + hold.until, collapses: hold.fault === "Relist" };
    },
    getRequestFate: ({ object }, number, now) => {
      const rejected = refusedObjects.find(
        (one) =>
          one.kind === object.kind && one.name === object.metadata?.name && isWithin(one, now),
      );
      if (rejected !== undefined) return { rejection: REJECTIONS[403] };
      return fates.get(number) ?? NO_REQUEST_FAULT;
    },
    isWebhookDown: (webhook, now) =>
      outages.some((one) => (one.webhooks?.includes(webhook) ?? true) && isWithin(one, now)),
    getEventFate: (now) => {
      const fault = eventFaults.find((one) => isWithin(one, now));
      if (fault === undefined) return "Reported";
      return fault.fault === "LoseEvents" ? "Lost" : { until: START_TIME + fault.until };
    },
    remembersAll: selectFaults("TimeTravel").length > 0,
  };
}

/**
 * Returns how many milliseconds a clock is ahead at an instant.
 *
 * @param owner - default: the controller
 * @returns `undefined` if the clock is always right
 */
export function getClockOffset(
  faults: readonly Fault[],
  owner?: ClockOwner,
): ((now: EpochMillis) => number) | undefined {
  const own = faults.flatMap((one) =>
    (one.fault === "ClockJump" || one.fault === "ClockOffset") && one.clock === owner ? [one] : [],
  );
  if (own.length === 0) return undefined;
  const always = own.findLast(({ fault }) => fault === "ClockOffset")?.ms ?? 0;
  return (now) => own.find((one) => one.fault === "ClockJump" && isWithin(one, now))?.ms ?? always;
}

function fatesByRequest(faults: readonly Fault[]): ReadonlyMap<number, RequestFate> {
  const fates = new Map<number, RequestFate>();
  for (const fault of faults) {
    const fate = getFate(fault);
    if (fate === undefined || !("request" in fault)) continue;
    fates.set(fault.request, { ...fates.get(fault.request), ...fate });
  }
  return fates;
}

function getFate(fault: Fault): RequestFate | undefined {
  switch (fault.fault) {
    case "DelayRequest":
      return { delayMs: fault.ms };
    case "LoseRequest":
      return { rejection: TIMED_OUT };
    case "LoseReply":
      return { replyLost: true };
    case "Refuse":
      return { rejection: REJECTIONS[fault.code] };
    case "Race":
      return { hasConflictingWrite: true };
    case "Crash":
      return { crash: fault.when, downMs: fault.downMs };
    default:
      return undefined;
  }
}

/** The API server's messages for rejections that are unrelated to the object. */
const REJECTIONS = {
  403: createRejection(403, "Forbidden", "exceeded quota: compute-resources"),
  429: createRejection(
    429,
    "TooManyRequests",
    "the server has received too many requests and has asked us to try again later",
  ),
  500: createRejection(
    500,
    "InternalError",
    "an error on the server has prevented the request from succeeding",
  ),
  503: createRejection(
    503,
    "ServiceUnavailable",
    "the server is currently unable to handle the request",
  ),
};
