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
 * Something that goes wrong in a run: plain data, in milliseconds since the run began. Requests are those of JobSet's
 * controller, counted from 1. What is not listed goes well.
 */
export type Fault =
  /** The changes of a kind reach the controller's cache only at the end of a time. */
  | {
      readonly fault: "HoldBack";
      readonly kind: string;
      readonly from: number;
      readonly until: number;
    }
  /** The same, and then the controller lists again: it sees only what is there in the end. */
  | {
      readonly fault: "Relist";
      readonly kind: string;
      readonly from: number;
      readonly until: number;
    }
  /** A request is on its way for long. */
  | { readonly fault: "DelayRequest"; readonly request: number; readonly ms: number }
  /** A request gets lost before it is served. */
  | { readonly fault: "LoseRequest"; readonly request: number }
  /** A request is served, and its answer gets lost. */
  | { readonly fault: "LoseReply"; readonly request: number }
  /** The API server rejects a request for its own reason. */
  | { readonly fault: "Refuse"; readonly request: number; readonly code: RefusalCode }
  /** The API server rejects all requests about an object. */
  | {
      readonly fault: "RefuseObject";
      readonly kind: string;
      readonly name: string;
      readonly from: number;
      readonly until: number;
    }
  /** Another client writes to the object of a request right before it. */
  | { readonly fault: "Race"; readonly request: number }
  /** The controller dies before a request is sent, or after it is served, and comes back. */
  | {
      readonly fault: "Crash";
      readonly request: number;
      readonly when: "Before" | "After";
      readonly downMs: number;
    }
  /** The controller reconciles a JobSet without a cause. */
  | { readonly fault: "Spurious"; readonly at: number; readonly jobSet: string }
  /** Whatever asks JobSet's webhooks is refused: those that are named, or all. */
  | {
      readonly fault: "WebhookOutage";
      readonly webhooks?: readonly WebhookName[];
      readonly from: number;
      readonly until: number;
    }
  /** One of JobSet's webhooks answers by what was known when the time began, as a replica does that hears of nothing. */
  | {
      readonly fault: "StaleWebhook";
      readonly webhook: WebhookName;
      readonly from: number;
      readonly until: number;
    }
  /** A clock is ahead, or behind: the controller's, unless another one is named. */
  | { readonly fault: "ClockOffset"; readonly clock?: ClockOwner; readonly ms: number }
  /** The same for a time, at whose ends it jumps. */
  | {
      readonly fault: "ClockJump";
      readonly clock?: ClockOwner;
      readonly ms: number;
      readonly from: number;
      readonly until: number;
    }
  /** The controller restarts and lists a kind as it was some time before. Later changes arrive afterwards. */
  | {
      readonly fault: "TimeTravel";
      readonly kind: string;
      readonly at: number;
      readonly backMs: number;
      readonly forMs: number;
    }
  /** The controller stands still. If that outlasts its lease, another one leads, and soon two act for a moment. */
  | { readonly fault: "Freeze"; readonly from: number; readonly until: number }
  /** The controller's Events get lost. */
  | { readonly fault: "LoseEvents"; readonly from: number; readonly until: number }
  /** The controller's Events come at the end of a time, the last one first, and those that are alike as one. */
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

/** The programs beside the controller whose clocks JobSets depend on; Kubernetes' own controllers are one. */
export const clockOwners = ["api-server", "kube-controller-manager", "kubelet"] as const;

export type ClockOwner = (typeof clockOwners)[number];

export type RefusalCode = 403 | 429 | 500 | 503;

/** What goes wrong by a fault, for a person. */
export function faultText(fault: Fault): string {
  switch (fault.fault) {
    case "HoldBack":
      return `the controller hears of no ${fault.kind}`;
    case "Relist":
      return `the controller hears of no ${fault.kind}, and lists them again afterwards`;
    case "DelayRequest":
      return `request ${fault.request} is under way for ${fault.ms} ms more`;
    case "LoseRequest":
      return `request ${fault.request} gets lost`;
    case "LoseReply":
      return `the answer to request ${fault.request} gets lost`;
    case "Refuse":
      return `request ${fault.request} is refused with ${fault.code}`;
    case "RefuseObject":
      return `all requests about ${fault.kind} ${fault.name} are rejected`;
    case "Race":
      return `another client writes right before request ${fault.request}`;
    case "Crash":
      return `the controller dies ${fault.when === "Before" ? "before it sends" : "after"} request ${fault.request}, and is back after ${fault.downMs} ms`;
    case "Spurious":
      return `the controller reconciles ${fault.jobSet} without a cause`;
    case "WebhookOutage":
      return fault.webhooks === undefined
        ? "JobSet's webhooks do not answer"
        : `JobSet's webhooks do not answer: ${fault.webhooks.join(", ")}`;
    case "StaleWebhook":
      return `the webhook ${fault.webhook} hears of nothing`;
    case "ClockOffset":
      return `${clockText(fault.clock)} is ${offsetText(fault.ms)}`;
    case "ClockJump":
      return `${clockText(fault.clock)} jumps to ${offsetText(fault.ms)}`;
    case "TimeTravel":
      return `the controller restarts, and sees each ${fault.kind} as it was ${fault.backMs} ms before for another ${fault.forMs} ms`;
    case "Freeze":
      return "the controller stands still";
    case "LoseEvents":
      return "the controller's Events get lost";
    case "DelayEvents":
      return "the controller's Events are held up";
    default:
      return clusterFaultText(fault);
  }
}

function clockText(owner: ClockOwner | undefined): string {
  switch (owner) {
    case undefined:
      return "the controller's clock";
    case "api-server":
      return "the API server's clock";
    case "kube-controller-manager":
      return "the clock of Kubernetes' own controllers";
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
      // The last request of that time arrives later by the delay.
      return fault.until + fault.ms;
    case "ClockJump":
      // What the clocks of others have written by then lies in the future, or is waited for so much longer.
      return fault.until + (fault.clock === undefined ? 0 : Math.abs(fault.ms));
    default:
      return "until" in fault ? fault.until : 0;
  }
}

/** The faults as the controller's network has them. */
export function getNetworkFaults(faults: readonly Fault[]): NetworkFaults {
  const of = <Name extends Fault["fault"]>(...names: readonly Name[]) =>
    faults.filter((one): one is Extract<Fault, { fault: Name }> =>
      (names as readonly string[]).includes(one.fault),
    );
  const [holds, outages, refusedObjects, eventFaults] = [
    of("HoldBack", "Relist"),
    of("WebhookOutage"),
    of("RefuseObject"),
    of("LoseEvents", "DelayEvents"),
  ];
  const fates = fatesByRequest(faults);
  return {
    getClockOffset: getClockOffset(faults) ?? (() => 0),
    getWatchDelay: (kind, now) => {
      const hold = holds.find((one) => one.kind === kind && isWithin(one, now));
      return hold && { until: START_TIME + hold.until, collapses: hold.fault === "Relist" };
    },
    getRequestFate: ({ object }, number, now) => {
      const refused = refusedObjects.find(
        (one) =>
          one.kind === object.kind && one.name === object.metadata?.name && isWithin(one, now),
      );
      if (refused !== undefined) return { rejection: REFUSALS[403] };
      return fates.get(number) ?? NO_REQUEST_FAULT;
    },
    isWebhookDown: (webhook, now) =>
      outages.some((one) => (one.webhooks?.includes(webhook) ?? true) && isWithin(one, now)),
    getEventFate: (now) => {
      const fault = eventFaults.find((one) => isWithin(one, now));
      if (fault === undefined) return "Reported";
      return fault.fault === "LoseEvents" ? "Lost" : { until: START_TIME + fault.until };
    },
    remembersAll: of("TimeTravel").length > 0,
  };
}

/**
 * By how many milliseconds a clock is ahead at an instant.
 *
 * @param owner - absent means the controller
 * @returns `undefined` where it is always right
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
      return { rejection: REFUSALS[fault.code] };
    case "Race":
      return { raced: true };
    case "Crash":
      return { crash: fault.when, downMs: fault.downMs };
    default:
      return undefined;
  }
}

/** How an API server words what has nothing to do with the object. */
const REFUSALS = {
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
