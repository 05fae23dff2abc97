import { type JobSet, jobName, type Unvalidated } from "@jobset-ts/api";
import { getLabel, getName, type Node, namespacedName } from "@jobset-ts/api/kubernetes";
import { indexedReplicatedJobs } from "@jobset-ts/core/desired";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";

/** A member of a fault that refers to something that the scenario does not contain. */
export interface MissingSubject {
  readonly member: string;
  readonly named: string;
  /** The expected kind of value, for the message. */
  readonly expected: string;
}

/**
 * Returns a member of a fault that names something that the scenario never contains: a node, a node label, a JobSet or
 * a Job that neither exists at the start nor is created by users or a JobSet. Such a fault would have no effect.
 * Whether a Job of a JobSet will exist and have Pods is not known in advance.
 *
 * @returns `undefined` if the scenario contains everything that the fault names
 */
export function missingSubject(
  fault: Fault,
  { objects, actions }: Pick<Scenario, "objects" | "actions">,
): MissingSubject | undefined {
  const created = actions.flatMap(({ request }) =>
    request.verb === "create" && request.subresource === undefined ? [request.object] : [],
  );
  const all = [...objects, ...created];
  const isThere = (kind: string, key: string, of: (object: RequestedObject) => string) =>
    all.some((object) => object.kind === kind && of(object) === key);
  if ("node" in fault && !isThere("Node", fault.node, ({ metadata }) => metadata?.name ?? "")) {
    return { member: "node", named: fault.node, expected: "must name a Node of the scenario" };
  }
  if ("jobSet" in fault && !isThere("JobSet", fault.jobSet, namespacedName as never)) {
    const expected = "must name a JobSet of the scenario with its namespace";
    return { member: "jobSet", named: fault.jobSet, expected };
  }
  if (fault.fault === "LoseDomain") {
    const { label, value } = fault;
    const hasNodes = objects.some(
      (object) => object.kind === "Node" && getLabel(object as Node, label) === value,
    );
    const expected = `must be the value of label ${label} on an initial Node`;
    if (!hasNodes) return { member: "value", named: value, expected };
  }
  const job = findNamedJob(fault);
  if (job !== undefined && !all.some((object) => createsJob(object, job.named))) {
    return { ...job, expected: "must name a Job of the scenario or of one of its JobSets" };
  }
  return undefined;
}

/** Returns the Job that a fault names, and the member that names it. */
function findNamedJob(fault: Fault): Pick<MissingSubject, "member" | "named"> | undefined {
  if (fault.fault === "KillContainers") return { member: "job", named: fault.job };
  if (fault.fault === "RefuseObject" && fault.kind === "Job") {
    return { member: "name", named: fault.name };
  }
  return undefined;
}

/** Reports whether an object is a Job with a name, or a JobSet that creates one. */
function createsJob(object: RequestedObject, job: string): boolean {
  if (object.kind === "Job") return object.metadata?.name === job;
  if (object.kind !== "JobSet") return false;
  const jobSet = object as Unvalidated<JobSet>;
  const index = Number(/-(\d{1,9})$/.exec(job)?.[1]);
  return indexedReplicatedJobs(jobSet).some(
    ({ name, replicas }) => index < replicas && jobName(getName(jobSet), name, index) === job,
  );
}

/**
 * Returns a scenario without the faults whose subject it does not contain. Removing an object also removes the faults
 * about it.
 */
export function withFaultsThatHappen(scenario: Scenario): Scenario {
  const faults = scenario.faults.filter((fault) => missingSubject(fault, scenario) === undefined);
  return faults.length === scenario.faults.length ? scenario : { ...scenario, faults };
}
