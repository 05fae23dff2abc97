import {
  asArray,
  findCondition,
  getAnnotation,
  getControllerOf,
  getLabel,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";

/** The namespace of the traces, and another one. */
export const NAMESPACE = "trace-namespace";
export const OTHER_NAMESPACE = "other-namespace";

const INDEX = "batch.kubernetes.io/job-completion-index";
const FAILURES = "batch.kubernetes.io/job-index-failure-count";
const IGNORED_FAILURES = "batch.kubernetes.io/job-index-ignored-failure-count";
const TRACKING = "batch.kubernetes.io/job-tracking";

/** The names that a trace uses for random names, UIDs and times. They are assigned at first use. */
export class TraceNames {
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #startTimes = new Map<string, string>();
  /** The trace's name for each Pod name. */
  readonly #podNames = new Map<string, string>();
  readonly #cutsNodes: boolean;

  constructor({ cutsNodes }: { readonly cutsNodes: boolean }) {
    this.#cutsNodes = cutsNodes;
  }

  /**
   * Returns the trace's name for a Pod. `job/index#n` is the n-th Pod of an index, and `job/*` is any Pod of a Job
   * without indexes. Other Pods keep their names.
   */
  podId(pod: Pod): string {
    const uid = pod.metadata.uid ?? "";
    const known = this.#ids.get(uid);
    if (known !== undefined) return known;
    const { name = "", generateName } = pod.metadata;
    if (generateName !== undefined) this.#podNames.set(name, `${generateName}*`);
    const job = getLabel(pod, "batch.kubernetes.io/job-name") ?? getControllerOf(pod)?.name;
    const index = getAnnotation(pod, INDEX);
    const place = index === undefined ? `${job}/*` : `${job}/${index}`;
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    const id = job === undefined ? name : index === undefined ? place : `${place}#${count}`;
    this.#ids.set(uid, id);
    return id;
  }

  startTime(time: string): string {
    const known = this.#startTimes.get(time) ?? `s${this.#startTimes.size + 1}`;
    this.#startTimes.set(time, known);
    return known;
  }

  /** Removes random values from a text. */
  text(text: string): string {
    let projected = text
      .replaceAll(NAMESPACE, "NS")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UID");
    for (const [name, written] of this.#podNames) projected = projected.replaceAll(name, written);
    return this.#cutsNodes ? projected.replaceAll(/\b(r\d+)-\d+\b/g, "$1-*") : projected;
  }
}

/** Returns the fields of a Job that a trace keeps. */
export function projectJob(job: Job, names: TraceNames): object {
  const { metadata, spec, status = {} } = job;
  const uncounted = countItems(status.uncountedTerminatedPods ?? {});
  const { startTime, ready, terminating, completedIndexes, failedIndexes } = status;
  return omitUndefined({
    name: metadata.name,
    generation: metadata.generation,
    deleting: metadata.deletionTimestamp !== undefined || undefined,
    finalizers: metadata.finalizers?.length ? metadata.finalizers : undefined,
    spec: omitUndefined({
      parallelism: spec.parallelism,
      completions: spec.completions,
      suspend: spec.suspend,
    }),
    status: omitUndefined({
      startTime: startTime === undefined ? undefined : names.startTime(startTime),
      completionTime: status.completionTime !== undefined || undefined,
      active: status.active ?? 0,
      ready,
      terminating,
      succeeded: status.succeeded ?? 0,
      failed: status.failed ?? 0,
      completedIndexes: completedIndexes === "" ? undefined : completedIndexes,
      failedIndexes,
      uncounted,
      conditions: status.conditions?.map((condition) => projectCondition(condition, names)),
    }),
  });
}

/**
 * Returns the fields of a Pod that a trace keeps. In a scheduling scenario, they include its node and the reason for
 * not being scheduled.
 */
export function projectPod(pod: Pod, names: TraceNames, isScheduling: boolean): object {
  const { metadata, spec, status = {} } = pod;
  const disruption = findCondition(status.conditions, "DisruptionTarget");
  const scheduled = findCondition(status.conditions, "PodScheduled");
  return omitUndefined({
    pod: names.podId(pod),
    phase: status.phase,
    ready: findCondition(status.conditions, "Ready")?.status === "True" || undefined,
    deleting: metadata.deletionTimestamp !== undefined || undefined,
    tracked: metadata.finalizers?.includes(TRACKING) || undefined,
    generateName: metadata.generateName,
    hostname: spec.hostname,
    labels: withoutJobApi(metadata.labels),
    annotations: withoutJobApi(metadata.annotations),
    failureCount: getAnnotation(pod, FAILURES),
    ignoredFailureCount: getAnnotation(pod, IGNORED_FAILURES),
    nodeSelector: spec.nodeSelector,
    gates: spec.schedulingGates?.length ? spec.schedulingGates.map(({ name }) => name) : undefined,
    priority: spec.priority || undefined,
    disruption:
      disruption && omitUndefined({ ...projectCondition(disruption, names), type: undefined }),
    owners: asArray(metadata.ownerReferences).length === 0 ? 0 : undefined,
    ...(isScheduling && {
      node: spec.nodeName && names.text(spec.nodeName),
      nominated: names.text(status.nominatedNodeName ?? "") || undefined,
      scheduled:
        scheduled && omitUndefined({ ...projectCondition(scheduled, names), type: undefined }),
    }),
  });
}

/** Formats one stage of a Pod for its path. */
export function podStage({ metadata, spec, status = {} }: Pod): string {
  const words = [
    status.phase ?? "",
    spec.nodeName && "bound",
    metadata.deletionTimestamp && "deleting",
    metadata.finalizers?.includes(TRACKING) && "tracked",
    findCondition(status.conditions, "Ready")?.status === "True" && "ready",
  ];
  return words.filter(Boolean).join(" ");
}

function projectCondition(
  condition: { readonly type: string; readonly status: string; reason?: string; message?: string },
  names: TraceNames,
) {
  const { type, status, reason, message } = condition;
  return omitUndefined({
    type,
    status,
    reason: reason || undefined,
    message: message ? names.text(message) : undefined,
  });
}

function countItems(lists: Readonly<Record<string, readonly string[] | undefined>>) {
  const counts = Object.entries(lists).flatMap(([member, uids]) =>
    uids?.length ? [[member, uids.length]] : [],
  );
  return counts.length === 0 ? undefined : Object.fromEntries(counts);
}

/** Removes the labels or annotations that the Job API itself writes. */
function withoutJobApi(members: Readonly<Record<string, string>> | undefined) {
  const own = Object.entries(members ?? {}).filter(
    ([key]) =>
      !key.startsWith("batch.kubernetes.io/") && key !== "job-name" && key !== "controller-uid",
  );
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function omitUndefined<Members extends object>(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Members;
}
