import { type JobSet, resolveFeatureGates } from "@jobset-ts/api";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getName, isObject } from "@jobset-ts/api/kubernetes";
import type { GeneratedCluster } from "../arbitraries/arbitrary-clusters.ts";
import { formatParts, formatTable, formatYaml } from "./format-case.ts";
import type { RequestViolation, ViolationCode } from "./violation.ts";

/** Formats a cluster, the requests of a controller and their violations for a failure report. */
export function formatClusterCase(
  { jobSet, others, context }: GeneratedCluster,
  allRequests: readonly string[],
  violations: readonly RequestViolation[],
): string {
  const words = violations.map(({ message }) => message);
  // Events are irrelevant for most laws.
  const isShown = (line: string) =>
    !/^pass \d+: create Event /.test(line) || violations.some(({ code }) => EVENT_CODES.has(code));
  const requests = allRequests.filter(isShown);
  const hasTimes = jobSet.spec.ttlSecondsAfterFinished !== undefined || words.some(containsTime);
  return formatParts([
    [`JobSet ${getName(jobSet)}`, formatYaml(withoutDefaults(jobSet))],
    ["other objects", formatTable(others.map(createRow))],
    ["feature gates", [...context.features].filter((name) => !defaults.has(name))],
    ["time of the first pass", hasTimes ? [new Date(context.now).toISOString()] : []],
    [
      "requests",
      truncateLines(requests.length === 0 ? ["none that changes an object"] : requests, 6),
    ],
    ["violations", truncateLines(words, 3)],
  ]);
}

const EVENT_CODES: ReadonlySet<ViolationCode> = new Set([
  "EventSubject",
  "EventType",
  "EventReason",
  "MissingEvent",
]);

function containsTime(words: string): boolean {
  return /\dT\d\d:/.test(words);
}

const defaults: ReadonlySet<string> = resolveFeatureGates({});

function truncateLines(lines: readonly string[], most: number): readonly string[] {
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), `… and ${left} more`] : lines;
}

/** Returns the interesting fields of a JobSet, without names and default values. */
function withoutDefaults({ metadata, spec, status }: JobSet): unknown {
  const { deletionTimestamp, finalizers, labels, annotations } = metadata;
  const replicatedJobsStatus = status?.replicatedJobsStatus?.filter(
    ({ name, ...counts }) => omitEmpty(counts) !== undefined,
  );
  const { startupPolicy, failurePolicy, suspend, ...others } = spec;
  const { restartStrategy, ...policy } = failurePolicy ?? {};
  const left = {
    ...others,
    suspend: suspend || undefined,
    startupPolicy: startupPolicy?.startupPolicyOrder === "InOrder" ? startupPolicy : undefined,
    failurePolicy: failurePolicy && {
      ...policy,
      restartStrategy: restartStrategy === "Recreate" ? undefined : restartStrategy,
    },
  };
  // Reasons of conditions are irrelevant, and times matter only for a TTL.
  const hasTtl = spec.ttlSecondsAfterFinished !== undefined;
  const conditions = status?.conditions?.map(({ type, status, lastTransitionTime }) => ({
    type,
    status,
    ...(hasTtl && { lastTransitionTime }),
  }));
  return (
    omitEmpty({
      metadata: { deletionTimestamp, finalizers, labels, annotations },
      spec: left,
      status: { ...status, replicatedJobsStatus, conditions },
    }) ?? {}
  );
}

/** Removes absent, empty and zero values, except for list elements. */
function omitEmpty(value: unknown, isElement = false): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((element) => omitEmpty(element, true));
  }
  if (isObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      const left = name === "replicas" || name === "maxRestarts" ? member : omitEmpty(member);
      return left === undefined ? [] : [[name, left]];
    });
    return members.length > 0 || isElement ? Object.fromEntries(members) : undefined;
  }
  return !isElement && (value === 0 || value === "") ? undefined : value;
}

function createRow(object: GeneratedCluster["others"][number]): readonly string[] {
  const { kind, metadata } = object;
  const { spec, status } = object as {
    spec?: { suspend?: boolean };
    status?: {
      conditions?: readonly { type?: string; status?: string }[];
      ready?: number;
    };
  };
  const { labels = {}, ownerReferences = [], deletionTimestamp } = metadata;
  const attempt = labels[RESTART_ATTEMPT_KEY];
  const marks = [
    attempt && `attempt ${attempt}`,
    spec?.suspend && "suspended",
    status?.ready && `${status.ready} ready`,
    ...(status?.conditions ?? []).map((one) =>
      one.status === "False" ? `not ${one.type}` : one.type,
    ),
    deletionTimestamp && "being deleted",
    kind === "Job" && !ownerReferences.some((one) => one.controller) && "no controller",
  ];
  const { namespace = "default" } = metadata;
  const name = namespace === "default" ? getName(object) : `${namespace}/${getName(object)}`;
  return [kind, name, marks.filter(Boolean).join(", ")];
}
