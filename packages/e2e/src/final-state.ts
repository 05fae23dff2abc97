import { JOB_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Cluster, Stored } from "./cluster.ts";

/**
 * What a namespace came to, without what differs from run to run: UIDs, times, versions, and the random ends of
 * Pods' names. Two runs of one story are equal in it.
 */
export async function finalState(cluster: Cluster, namespace: string): Promise<readonly string[]> {
  const kinds = ["JobSet", "Job", "Service", "PersistentVolumeClaim", "Pod"];
  const objects = (await Promise.all(kinds.map((kind) => cluster.list(kind, namespace)))).flat();
  const lines = objects.map((object) => formatLine(object).replaceAll(namespace, "<namespace>"));
  // The Job controller may make a Pod twice when the answer to its request is lost; both may have succeeded by then.
  return [...new Set(lines)].sort();
}

/**
 * The Events of the JobSets in a namespace, sorted, each as `Type Reason`, with its note on demand, and with ` (series)`
 * when it has repeated itself. How often it did is not told at once, and is between the controller and its back-off.
 */
export async function reportedEvents(
  cluster: Cluster,
  namespace: string,
  { notes = false } = {},
): Promise<readonly string[]> {
  const events = await cluster.list("Event", namespace);
  return events
    .filter(({ regarding }) => regarding.kind === "JobSet")
    .map(({ type, reason, note, series }) => {
      return `${type} ${reason}${notes ? `: ${note}` : ""}${series ? " (series)" : ""}`;
    })
    .sort();
}

/** Whether a line is about an object that is on its way out. */
export function isComingToRest(line: string): boolean {
  return line.includes('"isDeleted":true');
}

function formatLine(object: Stored): string {
  const { kind, metadata, spec, status = {} } = object;
  const name = kind === "Pod" ? metadata.generateName : metadata.name;
  const says = {
    ...(metadata.deletionTimestamp !== undefined && { isDeleted: true }),
    labels: withoutRunsOwn(metadata.labels),
    ...(kind === "JobSet" && {
      spec,
      restarts: status.restarts,
      counters: status.replicatedJobsStatus,
    }),
    ...(kind === "Job" && {
      parallelism: spec.parallelism,
      completions: spec.completions,
      suspend: spec.suspend,
    }),
    ...(kind === "Service" && { selector: spec.selector }),
    ...(kind === "Pod" && { phase: status.phase, nodeSelector: spec.nodeSelector }),
    // Which Pods of a Job ran how often is between the Job controller and its clock.
    conditions: kind === "Pod" ? undefined : listConditions(object),
  };
  return `${kind} ${name} ${JSON.stringify(inOrder(says))}`;
}

/** The same with the members of objects by name: an API server and a simulated one need not agree in their order. */
function inOrder(value: Stored): Stored {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, inOrder(member)]);
  return Object.fromEntries(members.sort());
}

function withoutRunsOwn(
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const own = Object.entries(labels).filter(
    // Restart counts of single Jobs are written only while their gate is on.
    ([key, value]) =>
      !/uid$|job-key$/.test(key) && !(key === JOB_RESTART_ATTEMPT_KEY && value === "0"),
  );
  return Object.fromEntries(own.sort());
}

function listConditions({ kind, status: { conditions = [] } = {} }: Stored): readonly string[] {
  return (
    conditions
      // The Job controller says so only of Jobs that it has seen suspended.
      .filter(({ type }: Stored) => kind !== "Job" || type !== "Suspended")
      // A controller that is killed whenever it is about to say that Jobs are being started may find all of them ready.
      .filter(
        ({ type, status }: Stored) => !(type === "StartupPolicyInProgress" && status === "False"),
      )
      .map(({ type, status, reason }: Stored) => `${type}=${status} ${reason ?? ""}`)
      .sort()
  );
}
