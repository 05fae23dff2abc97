import { type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import { getLabel, getName, type Node, namespacedName } from "@jobset-ts/api/kubernetes";
import { indexedReplicatedJobs } from "@jobset-ts/core/desired";
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
 * Returns the subject of a fault that a scenario never contains: a node, a node label, a JobSet or a Job that neither
 * exists at the start nor is created by users or a JobSet. Such a fault would have no effect. Whether a Job of a JobSet
 * will exist and have Pods cannot be known in advance.
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
  const all = [...objects, ...made];
  const isThere = (kind: string, key: string, of: (object: RequestedObject) => string) =>
    all.some((object) => object.kind === kind && of(object) === key);
  if ("node" in fault && !isThere("Node", fault.node, ({ metadata }) => metadata?.name ?? "")) {
    return { member: "node", named: fault.node, expected: "must name a Node of the scenario" };
  }
  if ("jobSet" in fault && !isThere("JobSet", fault.jobSet, namespacedName as never)) {
    const expected = "must name a JobSet of the scenario, with its namespace before it";
    return { member: "jobSet", named: fault.jobSet, expected };
  }
  if (fault.fault === "LoseDomain") {
    const { label, value } = fault;
    const hasNodes = objects.some(
      (object) => object.kind === "Node" && getLabel(object as Node, label) === value,
    );
    const expected = `must be what a Node at the beginning has as its label ${label}`;
    if (!hasNodes) return { member: "value", named: value, expected };
  }
  const job = jobIn(fault);
  if (job !== undefined && !all.some((object) => brings(object, job.named))) {
    return { ...job, expected: "must name a Job of the scenario, or one that its JobSets ask for" };
  }
  return undefined;
}

/** The Job that a fault is about, and the member that names it. */
function jobIn(fault: Fault): Pick<MissingSubject, "member" | "named"> | undefined {
  if (fault.fault === "KillContainers") return { member: "job", named: fault.job };
  if (fault.fault === "RefuseObject" && fault.kind === "Job") {
    return { member: "name", named: fault.name };
  }
  return undefined;
}

/** Whether an object is a Job of a name, or a JobSet that asks for one. */
function brings(object: RequestedObject, job: string): boolean {
  if (object.kind === "Job") return object.metadata?.name === job;
  if (object.kind !== "JobSet") return false;
  const jobSet = object as Unvalidated<JobSet>;
  const index = Number(/-(\d{1,9})$/.exec(job)?.[1]);
  return indexedReplicatedJobs(jobSet).some(
    ({ name, replicas }) => index < replicas && jobName(getName(jobSet), name, index) === job,
  );
}

/** A scenario without the faults that would not happen: what is gone takes along those that are about it. */
export function withFaultsThatHappen(scenario: Scenario): Scenario {
  const faults = scenario.faults.filter((fault) => missingSubject(fault, scenario) === undefined);
  return faults.length === scenario.faults.length ? scenario : { ...scenario, faults };
}
