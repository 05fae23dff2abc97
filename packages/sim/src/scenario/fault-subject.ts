import { keyOf, labelOf, type Node } from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";

/** A member of a fault that names what a scenario does not have. */
export interface MissingSubject {
  readonly member: string;
  readonly named: string;
  /** What it has to be. */
  readonly expected: string;
}

/**
 * What a fault is about that there never is in a scenario: a node, a label of nodes, or a JobSet, of those that are there at
 * the beginning or that users create. Such a fault would not happen. Of Jobs and Pods nobody can tell beforehand.
 *
 * @returns `undefined` where all is there that it names
 */
export function missingSubject(
  fault: Fault,
  { objects, actions }: Pick<Scenario, "objects" | "actions">,
): MissingSubject | undefined {
  const made = actions.flatMap(({ request }) =>
    request.verb === "create" && request.subresource === undefined ? [request.object] : [],
  );
  const isThere = (kind: string, key: string, of: (object: RequestedObject) => string) =>
    [...objects, ...made].some((object) => object.kind === kind && of(object) === key);
  if ("node" in fault && !isThere("Node", fault.node, ({ metadata }) => metadata?.name ?? "")) {
    return { member: "node", named: fault.node, expected: "must name a Node of the scenario" };
  }
  if ("jobSet" in fault && !isThere("JobSet", fault.jobSet, keyOf as never)) {
    const expected = "must name a JobSet of the scenario, with its namespace before it";
    return { member: "jobSet", named: fault.jobSet, expected };
  }
  if (fault.fault === "LoseDomain") {
    const { label, value } = fault;
    const hasNodes = objects.some(
      (object) => object.kind === "Node" && labelOf(object as Node, label) === value,
    );
    const expected = `must be what a Node at the beginning has as its label ${label}`;
    if (!hasNodes) return { member: "value", named: value, expected };
  }
  return undefined;
}
