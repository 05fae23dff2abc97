import type { Oracle } from "../oracles/oracle.ts";
import { hasStandby } from "./interventions.ts";
import type { Action, Scenario } from "./scenario.ts";

/** Whether what an oracle says has to hold when these things go wrong, and users do this. */
export function isPromised(
  holds: Oracle["holds"],
  { faults, actions }: Pick<Scenario, "faults" | "actions">,
): boolean {
  switch (holds) {
    case "Always":
      return true;
    case "FreshCaches":
      return !hasStandby(faults) && !faults.some(({ fault }) => fault === "TimeTravel");
    case "NodesKeepLabels":
      return !faults.some(({ fault }) => fault === "Relabel");
    case "NodeLabelsArrive":
      return (
        !faults.some(({ fault }) => fault === "Relabel") ||
        !faults.some((one) => "kind" in one && one.kind === "Node")
      );
    case "JobsKeepLabels":
      return !actions.some(editsLabelsOfJob);
    case "EventsArrive":
      return !faults.some(({ fault }) => fault === "LoseEvents" || fault === "DelayEvents");
    case "WebhooksAgree":
      return !faults.some(({ fault }) => fault === "StaleWebhook");
  }
}

function editsLabelsOfJob({ request: { verb, object } }: Action): boolean {
  const isEdit = verb === "patch" || verb === "update";
  return isEdit && object.kind === "Job" && object.metadata?.labels !== undefined;
}
