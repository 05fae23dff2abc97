import type { Oracle } from "../oracles/oracle.ts";
import type { Fault } from "./fault.ts";
import { hasStandby } from "./interventions.ts";

/** Whether what an oracle says has to hold when these things go wrong. */
export function isPromised(holds: Oracle["holds"], faults: readonly Fault[]): boolean {
  switch (holds) {
    case "Always":
      return true;
    case "FreshCaches":
      return !hasStandby(faults) && !faults.some(({ fault }) => fault === "TimeTravel");
    case "NodesKeepLabels":
      return !faults.some(({ fault }) => fault === "Relabel");
    case "NodeLabelsArrive":
      return (
        isPromised("NodesKeepLabels", faults) ||
        !faults.some((one) => "kind" in one && one.kind === "Node")
      );
    case "EventsArrive":
      return !faults.some(({ fault }) => fault === "LoseEvents" || fault === "DelayEvents");
    case "WebhooksAgree":
      return !faults.some(({ fault }) => fault === "StaleWebhook");
  }
}
