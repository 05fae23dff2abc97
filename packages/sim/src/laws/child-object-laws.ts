import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  asArray,
  getControllerOf,
  getLabel,
  type JobTemplateSpec,
  type ObjectMeta,
} from "@jobset-ts/api/kubernetes";
import { isTypedSubset, type ShapeName, setApiDefaults } from "@jobset-ts/api/typed";
import {
  createJobFactories,
  desiredService,
  desiredVolumeClaims,
  EXECUTION_ATTEMPT_KEY,
  type JobFactory,
} from "@jobset-ts/core/desired";
import { getCreatedJob } from "./child-job-laws.ts";
import { getReplicasByName, getReplicatedJobsByName } from "./jobset-facts.ts";
import type { SafetyLaw } from "./law.ts";
import { findMissingPath } from "./missing-path.ts";
import { findRelabelledKey, isRelabelled } from "./relabelled-jobs.ts";
import { getObservedJobSet, jobWrite, startsJob } from "./request-facts.ts";

export const childObjectsHaveDeterministicNames: SafetyLaw = {
  name: "childObjectsHaveDeterministicNames",
  sentence:
    "A Job is created with the name `<JobSet>-<ReplicatedJob>-<index>` and an index below the replicas. Its labels and those of its Pods match the name. No pass changes these labels to values other than those with which its Pods were created.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Job"],
  onRequest: (request, { objects }) => {
    const { verb, before, after } = jobWrite(request, objects) ?? {};
    if (verb === "create" || before === undefined || after === undefined) return undefined;
    const key = findRelabelledKey(before, after);
    return key && `${verb} of Job ${after.metadata.name} changes its label ${key}`;
  },
  onChange: (change, { objects }) => {
    const created = getCreatedJob(change, objects);
    if (created?.jobSet === undefined) return undefined;
    const { job, jobSet } = created;
    const replicatedJob = getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "";
    const index = getLabel(job, JOB_INDEX_KEY) ?? "";
    const expected = `${jobSet.metadata.name}-${replicatedJob}-${index}`;
    if (job.metadata.name !== expected) return `Job ${job.metadata.name} is labelled ${expected}`;
    const replicas = getReplicasByName(jobSet).get(replicatedJob) ?? 0;
    if (!(/^\d+$/.test(index) && Number(index) < replicas))
      return `Job ${expected} has an index beyond the ${replicas} replicas`;
    for (const key of [
      JOBSET_NAME_KEY,
      REPLICATED_JOB_NAME_KEY,
      JOB_INDEX_KEY,
      RESTART_ATTEMPT_KEY,
    ]) {
      if (getLabel(job, key) !== getLabel(job.spec.template, key)) {
        return `Job ${expected} and its Pods differ in the label ${key}`;
      }
    }
    return undefined;
  },
};

/**
 * The objects that a JobSet requests, as a pass saw the JobSet. Compared with each object that the pass
 * creates.
 */
interface DesiredObjects {
  readonly jobSet: JobSet;
  readonly constructors: readonly JobFactory[];
}

export const childObjectsMatchTheirJobSet: SafetyLaw<DesiredObjects | undefined> = {
  name: "childObjectsMatchTheirJobSet",
  sentence:
    "An object that a pass creates has its JobSet as its controller, unless it is a retained PersistentVolumeClaim. It has the labels, annotations and members that the JobSet specifies. It may have others, except JobSet's own keys.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (note, lawContext) => {
    const { request, context } = note;
    const jobSet = getObservedJobSet(note);
    if (jobSet === undefined || request.verb !== "create") return undefined;
    const created = request.object as unknown as CreatedObject;
    const { kind, metadata } = created;
    const label = `${kind} ${metadata.name}`;
    if (kind === "Job") {
      let seen = lawContext.memory;
      if (seen?.jobSet !== jobSet) {
        seen = { jobSet, constructors: createJobFactories(jobSet as Unvalidated<JobSet>, context) };
        lawContext.memory = seen;
      }
      const desired = findDesiredJob(metadata.name ?? "", jobSet, seen.constructors);
      if (desired !== undefined)
        return findDifference(desired as unknown as CreatedObject, created, label);
      const isChild = getControllerOf(request.object as never)?.uid === jobSet.metadata.uid;
      return isChild ? `the JobSet does not request ${label}` : undefined;
    }
    const expected = [
      desiredService(jobSet as Unvalidated<JobSet>),
      ...desiredVolumeClaims(jobSet as Unvalidated<JobSet>),
    ].find((one) => one?.kind === kind && one.metadata.name === metadata.name);
    return expected && findDifference(expected as unknown as CreatedObject, created, label);
  },
};

/** The parts of a created object that the law compares. */
interface CreatedObject {
  readonly kind: string;
  readonly status?: unknown;
  readonly metadata: Pick<ObjectMeta, "name" | "labels" | "annotations" | "ownerReferences">;
  readonly spec: { readonly template?: CreatedObject; readonly suspend?: unknown };
}

/** Returns the Job with a name, if a JobSet requests it. */
function findDesiredJob(
  name: string,
  { metadata }: JobSet,
  constructors: readonly JobFactory[],
): object | undefined {
  const hyphen = name.lastIndexOf("-");
  const [stem, index] = [name.slice(0, hyphen), name.slice(hyphen + 1)];
  const own = constructors.find((one) => stem === `${metadata.name}-${one.name}`);
  if (own === undefined || !/^(0|[1-9]\d*)$/.test(index) || Number(index) >= own.replicas)
    return undefined;
  return own.jobAt(Number(index));
}

/** Returns the difference between a created object and the desired one. Ignores whether the object is suspended. */
function findDifference(
  desired: CreatedObject,
  created: CreatedObject,
  label: string,
): string | undefined {
  const owner = asArray(desired.metadata.ownerReferences)[0];
  const owners = asArray(created.metadata.ownerReferences);
  if (owner !== undefined) {
    // Some client libraries do not set `blockOwnerDeletion`.
    const { blockOwnerDeletion: _, ...controller } = owner;
    if (findMissingPath(owners, [controller], "") !== undefined)
      return `${label} is not controlled by its JobSet`;
  } else if (owners.some(({ kind }) => kind === "JobSet")) {
    return `${label} has an owner, but must be retained`;
  }
  const { suspend: _, template, ...spec } = desired.spec;
  const missing = findMissingPath(created.spec, spec, "spec");
  const type = created.kind === "Job" ? "JobSpec" : "PersistentVolumeClaimSpec";
  if (missing !== undefined && !containsDesiredMembers(created.spec, spec, type))
    return `${label} differs in ${missing}`;
  const text = findMissingPath(undefined, created.status, "status");
  if (text !== undefined) return `${label} is created with ${text}`;
  const labelled = findKeyDifference(desired.metadata, created.metadata);
  if (labelled !== undefined) return `${label} differs in ${labelled}`;
  if (template === undefined) return undefined;
  const ofPods = findKeyDifference(template.metadata, created.spec.template?.metadata ?? {});
  if (ofPods !== undefined) return `the Pods of ${label} differ in ${ofPods}`;
  const [own, expected] = [created.spec.template?.spec, template.spec];
  const other = findMissingPath(own, expected, "spec.template.spec");
  if (other === undefined || containsDesiredMembers(own, expected, "PodSpec")) return undefined;
  return `the Pods of ${label} differ in ${other}`;
}

/** Reports whether a created object contains every desired member, perhaps in another notation. */
function containsDesiredMembers(created: unknown, desired: unknown, type: ShapeName): boolean {
  return isTypedSubset(setApiDefaults(desired, type), setApiDefaults(created, type), type);
}

/** Returns a label or annotation that is missing or different, or a key of JobSet that is not desired. */
function findKeyDifference(
  desired: Partial<ObjectMeta>,
  created: Partial<ObjectMeta>,
): string | undefined {
  for (const member of ["labels", "annotations"] as const) {
    const [expected, own] = [desired[member] ?? {}, created[member] ?? {}];
    for (const key of new Set([
      ...Object.keys(expected),
      ...Object.keys(own).filter(isJobSetKey),
    ])) {
      // A pass increases the execution attempt before it creates the Jobs of the next execution.
      if (key !== EXECUTION_ATTEMPT_KEY && expected[key] !== own[key])
        return `the ${member} ${key}`;
    }
  }
  return undefined;
}

function isJobSetKey(key: string): boolean {
  return /^(alpha\.)?jobset\.sigs\.k8s\.io\//.test(key);
}

export const resumedJobsGetCurrentLabels: SafetyLaw = {
  name: "resumedJobsGetCurrentLabels",
  sentence:
    "When a pass resumes a Job, the Job's Pod template gets exactly the labels and annotations of the JobSet's template that the pass sees, and keeps those that JobSet and the Job controller added.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const write = jobWrite(request, objects);
    if (write?.before === undefined || write.verb === "create" || !startsJob(write))
      return undefined;
    const { jobSet, before, after } = write;
    if (isRelabelled(after)) return undefined;
    const name = getLabel(after, REPLICATED_JOB_NAME_KEY);
    const replicatedJob = getReplicatedJobsByName(jobSet).get(name);
    if (replicatedJob === undefined) return undefined;
    const selected = Object.keys(after.spec.selector?.matchLabels ?? {});
    const isOwn = (key: string) =>
      isJobSetKey(key) || JOB_CONTROLLER_KEY.test(key) || selected.includes(key);
    const templates = [before, after, replicatedJob.template as JobTemplateSpec | undefined].map(
      (one) => one?.spec.template.metadata ?? {},
    );
    for (const member of ["labels", "annotations"] as const) {
      const [had = {}, has = {}, desired = {}] = templates.map((one) => one[member]);
      for (const key of new Set([had, has, desired].flatMap(Object.keys))) {
        if (!isSetOnResume(key) && has[key] !== (isOwn(key) ? had : desired)[key])
          return `the Pods of Job ${after.metadata.name} are resumed with other ${member}: ${key}`;
      }
    }
    return undefined;
  },
};

/** Matches keys that the Job controller adds to the Pods of a Job. */
const JOB_CONTROLLER_KEY = /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/;

/** Reports whether a key is set again on resume: the keys of placement and of the execution attempt. */
function isSetOnResume(key: string): boolean {
  return key.startsWith("alpha.jobset.sigs.k8s.io/") || key === EXECUTION_ATTEMPT_KEY;
}
