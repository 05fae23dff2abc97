import {
  type FeatureGates,
  type JobSet,
  namespacedJobValue,
  type ReplicatedJob,
  type Unvalidated,
} from "@jobset-ts/api";
import { NAMESPACED_JOB_KEY } from "@jobset-ts/api/keys";
import type {
  Job,
  LabelSelectorRequirement,
  PodSchedulingGate,
  PodTemplateSpec,
} from "@jobset-ts/api/kubernetes";
import { isChildKey } from "../desired/child-labels.ts";
import {
  isPlacedByNodeLabels,
  noScheduleToleration,
  placementAnnotations,
} from "../desired/exclusive-placement.ts";
import { EXECUTION_ATTEMPT_KEY, executionAnnotations } from "../desired/execution-attempts.ts";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getAnnotation,
  getName,
  getNamespace,
  isObject,
} from "../jobset-members.ts";
import { entryChanges, type FieldChange, prefixPaths } from "../plan/field-changes.ts";

import type { Quirks } from "../quirks.ts";
import { resourceChanges } from "./mutable-resources.ts";
import { type ChangedJob, updateJob } from "./suspend-job.ts";

/** A resumed Job, and the requirements of the resume. */
export interface ResumeResult extends ChangedJob {
  /**
   * Whether `status.startTime` must be removed first: the API server allows a change of the Pod template only while a
   * suspended Job has not started.
   */
  readonly resetsStartTime: boolean;
  /** Whether containers get other resources, which older API servers reject. */
  readonly changesResources: boolean;
  /**
   * Whether the API server, from Kubernetes 1.36 on, rejects the resume for now: the Pod template changes while the Job
   * counts active Pods. Always false with the quirk `ResumePrecedesStop`.
   */
  readonly isTooSoon: boolean;
}

/**
 * Resumes a suspended Job: `suspend` becomes false, and the labels, annotations, node selector, tolerations and
 * scheduling gates of its Pod template become those of the JobSet's template, which may have changed while the Job was
 * suspended. The result is the same as for a new Job, apart from the members that JobSet and the Job controller set
 * themselves. Everything else remains. The Job keeps its JobSet keys, and the labels that its selector requires,
 * because the API server would reject it without them. With the quirk `ResumeMergesTemplate`, the template's entries
 * are only added, and override existing ones.
 *
 * @param jobSet - with the count of executions that the Job belongs to from now on
 */
export function resumeJob(
  jobSet: Unvalidated<JobSet>,
  replicatedJob: Unvalidated<ReplicatedJob>,
  job: Unvalidated<Job>,
  context: { readonly features: FeatureGates; readonly quirks: Quirks },
): ResumeResult {
  const old = job?.spec?.template;
  const template = replicatedJob?.template?.spec?.template;
  const desired = context.quirks.has("ResumeMergesTemplate")
    ? mergeTemplates(old, template)
    : followTemplate(jobSet, replicatedJob, job);
  const execution = executionAnnotations(jobSet, context);
  const resources = context.features.has("MutablePodResourcesForSuspendedJobSets")
    ? resourceChanges(old?.spec, template?.spec)
    : [];
  const changes = [
    { path: ["spec", "suspend"], value: false },
    ...jobAnnotations(job, execution),
    ...mutableMembers(old, { ...desired, annotations: { ...desired.annotations, ...execution } }),
    ...resources,
  ];
  return {
    ...updateJob(job, changes),
    resetsStartTime: (job?.status?.startTime ?? undefined) !== undefined,
    changesResources: resources.length > 0,
    isTooSoon:
      asInteger(job?.status?.active, 0) > 0 &&
      changes.some(({ path: [, member] }) => member === "template") &&
      !context.quirks.has("ResumePrecedesStop"),
  };
}

type Members = Readonly<Record<string, string>>;
type Elements = readonly object[];

/** The mutable members of a Pod template. */
interface MutableMembers {
  readonly labels: Members;
  readonly annotations: Members;
  readonly nodeSelector: Members;
  readonly tolerations: Elements;
  readonly schedulingGates: Elements;
}

function followTemplate(
  jobSet: Unvalidated<JobSet>,
  replicatedJob: Unvalidated<ReplicatedJob>,
  job: Unvalidated<Job>,
): MutableMembers {
  const now = getMutableMembers(replicatedJob?.template?.spec?.template);
  const before = getMutableMembers(job?.spec?.template);
  const placedByNodeLabels = isPlacedByNodeLabels(jobSet, replicatedJob);
  return {
    labels: { ...now.labels, ...pickKeys(before.labels, ownedLabels(job)) },
    annotations: {
      ...now.annotations,
      ...placementAnnotations(jobSet, replicatedJob),
      ...pickKeys(before.annotations, isOwnedAnnotation),
    },
    nodeSelector: {
      ...now.nodeSelector,
      ...(placedByNodeLabels && {
        [NAMESPACED_JOB_KEY]: namespacedJobValue(getNamespace(job), getName(job)),
      }),
    },
    tolerations: placedByNodeLabels ? [...now.tolerations, noScheduleToleration] : now.tolerations,
    schedulingGates: now.schedulingGates,
  };
}

function mergeTemplates(
  old: Unvalidated<PodTemplateSpec> | undefined,
  template: Unvalidated<PodTemplateSpec> | undefined,
): MutableMembers {
  const now = getMutableMembers(template);
  const before = getMutableMembers(old);
  return {
    labels: { ...before.labels, ...now.labels },
    annotations: { ...before.annotations, ...now.annotations },
    nodeSelector: { ...before.nodeSelector, ...now.nodeSelector },
    tolerations: union(before.tolerations, now.tolerations),
    schedulingGates: union(before.schedulingGates, now.schedulingGates),
  };
}

function getMutableMembers(template: Unvalidated<PodTemplateSpec> | undefined): MutableMembers {
  return {
    labels: asRecord(template?.metadata?.labels),
    annotations: asRecord(template?.metadata?.annotations),
    nodeSelector: asRecord(template?.spec?.nodeSelector),
    tolerations: asArray(template?.spec?.tolerations).filter(isObject),
    schedulingGates: asArray(template?.spec?.schedulingGates).filter(isObject),
  };
}

/** Returns the annotations that the Job lacks. */
function jobAnnotations(job: Unvalidated<Job>, desired: Members): readonly FieldChange[] {
  return Object.entries(desired)
    .filter(([name, value]) => getAnnotation(job, name) !== value)
    .map(([name, value]) => ({ path: ["metadata", "annotations", name], value }));
}

/** The paths of the mutable members in a Job. */
const paths: Readonly<Record<keyof MutableMembers, readonly string[]>> = {
  labels: ["spec", "template", "metadata", "labels"],
  annotations: ["spec", "template", "metadata", "annotations"],
  nodeSelector: ["spec", "template", "spec", "nodeSelector"],
  tolerations: ["spec", "template", "spec", "tolerations"],
  schedulingGates: ["spec", "template", "spec", "schedulingGates"],
};

/** Returns the changes of the members that differ, entry by entry. A member that becomes empty is removed. */
function mutableMembers(
  old: Unvalidated<PodTemplateSpec> | undefined,
  desired: MutableMembers,
): readonly FieldChange[] {
  const before = getMutableMembers(old);
  const names = Object.keys(paths) as (keyof MutableMembers)[];
  return names.flatMap((name) => {
    const isEmptied =
      Object.keys(before[name]).length > 0 && Object.keys(desired[name]).length === 0;
    return prefixPaths(
      paths[name],
      isEmptied ? [{ path: [] }] : listChanges(name, before, desired),
    );
  });
}

function listChanges(
  name: keyof MutableMembers,
  before: MutableMembers,
  desired: MutableMembers,
): readonly FieldChange[] {
  switch (name) {
    case "tolerations":
      // These lists have no merge key, so an API server replaces them as a whole.
      return sameElements(before[name], desired[name]) ? [] : [{ path: [], value: desired[name] }];
    case "schedulingGates":
      return gateChanges(before[name], desired[name]);
    default:
      return entryChanges(before[name], desired[name]);
  }
}

function sameElements(one: Elements, other: Elements): boolean {
  return (
    one.length === other.length &&
    one.every((element, at) => elementKey(element) === elementKey(other[at]))
  );
}

/** Gates are identified by name, and their order has no meaning. */
function gateChanges(before: Elements, desired: Elements): readonly FieldChange[] {
  const [old, next] = [gatesByName(before), gatesByName(desired)];
  const removed = [...old.keys()].filter((name) => !next.has(name));
  const set = [...next].filter(([name, gate]) => elementKey(old.get(name)) !== elementKey(gate));
  return [
    ...removed.map((name) => ({ path: [{ name }] })),
    ...set.map(([name, value]) => ({ path: [{ name }], value })),
  ];
}

function gatesByName(gates: Elements): ReadonlyMap<string, object> {
  return new Map(
    gates
      .map((gate: Unvalidated<PodSchedulingGate>) => [asString(gate.name), gate] as const)
      .filter(([name]) => name !== ""),
  );
}

/** The keys that the Job controller adds to the Pods of a Job. */
const jobControllerKeys = new Set([
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
  "controller-uid",
  "job-name",
]);

/** Returns a predicate for labels of a Job's Pods that the template must not change. */
function ownedLabels(job: Unvalidated<Job>): (name: string) => boolean {
  const { matchLabels, matchExpressions } = job?.spec?.selector ?? {};
  const selected = new Set([
    ...Object.keys(asRecord(matchLabels)),
    ...asArray(matchExpressions).map((one: Unvalidated<LabelSelectorRequirement>) =>
      asString(one?.key),
    ),
  ]);
  return (name) => isChildKey(name) || jobControllerKeys.has(name) || selected.has(name);
}

function isOwnedAnnotation(name: string): boolean {
  // Without its gate, the count of execution attempts does not change.
  return isChildKey(name) || name === EXECUTION_ATTEMPT_KEY;
}

function pickKeys(members: Members, isPicked: (name: string) => boolean): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isPicked(name)));
}

/** Returns the distinct elements of both lists, in their order. */
function union(one: Elements, other: Elements): Elements {
  const seen = new Set<string>();
  return [...one, ...other].filter((element) => {
    const text = elementKey(element);
    return !seen.has(text) && seen.add(text) !== undefined;
  });
}

/** Returns a key of a toleration or a gate. Objects with equal members have the same key. Empty text counts as absent. */
function elementKey(element: object | undefined): string {
  const members = Object.entries(element ?? {})
    .filter(([, value]) => (value ?? "") !== "")
    // These members are not objects. One that is an object anyway may be nested too deeply to be written.
    .map(([name, value]) => [name, typeof value === "object" ? {} : value] as const);
  return JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
