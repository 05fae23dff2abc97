import { JOB_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Cluster, Stored } from "./cluster.ts";

/**
 * Returns the final state of a namespace without values that differ between runs: UIDs, times, versions, and the random
 * suffixes of Pod names. Two runs of one story have the same final state.
 */
export async function readFinalState(
  cluster: Cluster,
  namespace: string,
): Promise<readonly string[]> {
  const kinds = ["JobSet", "Job", "Service", "PersistentVolumeClaim", "Pod"];
  const objects = (await Promise.all(kinds.map((kind) => cluster.list(kind, namespace)))).flat();
  const lines = objects.map((object) => formatLine(object).replaceAll(namespace, "<namespace>"));
  // The Job controller may create a Pod twice if a response is lost, and both may have succeeded.
  return [...new Set(lines)].sort();
}

/**
 * Returns the sorted Events of the JobSets in a namespace. Each is `Type Reason`, optionally with its note, and with `
 * (series)` if it was repeated. The number of repeats is not compared, because it is reported late and depends on
 * back-off.
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

/** Returns whether a line is about an object that is being deleted. */
export function isBeingDeleted(line: string): boolean {
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
    // The distribution of runs over the Pods of a Job depends on timing.
    conditions: kind === "Pod" ? undefined : listConditions(object),
  };
  return `${kind} ${name} ${JSON.stringify(sortMembers(says))}`;
}

/** Sorts the members of objects by name, because a real and a simulated API server may order them differently. */
function sortMembers(value: Stored): Stored {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sortMembers(member)]);
  return Object.fromEntries(members.sort());
}

function withoutRunsOwn(
  labels: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const own = Object.entries(labels).filter(
    // Restart counts of individual Jobs are written only while their gate is enabled.
    ([key, value]) =>
      !/uid$|job-key$/.test(key) && !(key === JOB_RESTART_ATTEMPT_KEY && value === "0"),
  );
  return Object.fromEntries(own.sort());
}

function listConditions({ kind, status: { conditions = [] } = {} }: Stored): readonly string[] {
  return (
    conditions
      // The Job controller sets this condition only on Jobs that it has seen suspended.
      .filter(({ type }: Stored) => kind !== "Job" || type !== "Suspended")
      // A controller that is killed before it reports the start of Jobs may later find all of them ready.
      .filter(
        ({ type, status }: Stored) => !(type === "StartupPolicyInProgress" && status === "False"),
      )
      .map(({ type, status, reason }: Stored) => `${type}=${status} ${reason ?? ""}`)
      .sort()
  );
}
