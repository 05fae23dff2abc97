import type { FaultCondition } from "../laws/law.ts";
import type { Fault } from "./fault.ts";
import { hasStandby } from "./interventions.ts";

/** Reports whether a law with this condition holds under these faults. */
export function isValidUnder(condition: FaultCondition, faults: readonly Fault[]): boolean {
  switch (condition) {
    case "Always":
      return true;
    case "FreshCaches":
      return !hasStandby(faults) && !faults.some(({ fault }) => fault === "TimeTravel");
    case "NodesKeepLabels":
      return !faults.some(({ fault }) => fault === "Relabel");
    case "NodeLabelsArrive":
      return (
        isValidUnder("NodesKeepLabels", faults) ||
        !faults.some((one) => "kind" in one && one.kind === "Node")
      );
    case "EventsArrive":
      return !faults.some(({ fault }) => fault === "LoseEvents" || fault === "DelayEvents");
    case "WebhooksAgree":
      return !faults.some(({ fault }) => fault === "StaleWebhook");
  }
}
