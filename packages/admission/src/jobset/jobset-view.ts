import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  isObject,
  type JobSpec,
  resolveGenerateName,
} from "@jobset-ts/api/kubernetes";
import { renderJson } from "@jobset-ts/api/typed";
import type { AdmissionContext, WebhookOptions } from "../webhook-shape.ts";

/** A decoded JobSet for the rules: absent members have the zero value of their type, and null counts as absent. */
export interface JobSetView {
  readonly jobSet: Unvalidated<JobSet>;
  readonly spec: NonNullable<Unvalidated<JobSet>["spec"]>;
  /** The JobSet's name, or the one generated from `generateName`. Empty without both. */
  readonly name: string;
  readonly namespace: string;
  readonly replicatedJobs: readonly ReplicatedJobView[];
  /** The first ReplicatedJob with each name. */
  readonly replicatedJobNamed: ReadonlyMap<string, ReplicatedJobView>;
  readonly features: AdmissionContext["features"];
  readonly quirks: AdmissionContext["quirks"];
}

/** One ReplicatedJob with its path. */
export interface ReplicatedJobView {
  readonly index: number;
  /** `spec.replicatedJobs[<index>]` */
  readonly field: string;
  readonly replicatedJob: Unvalidated<ReplicatedJob>;
  readonly name: string;
  /** 0 if absent, although the server would fill in 1: the webhook does not apply the schema's defaults. */
  readonly replicas: number;
  readonly jobSpec: Unvalidated<JobSpec>;
  readonly completionMode: string | undefined;
  readonly completions: number | undefined;
  readonly parallelism: number | undefined;
}

/**
 * Creates the view of a JobSet.
 *
 * @param jobSet - one that can be decoded; parts that cannot be decoded are treated as absent
 */
export function viewJobSet(
  jobSet: Unvalidated<JobSet>,
  { features, quirks }: AdmissionContext,
  { generatedNameSuffix }: WebhookOptions = {},
): JobSetView {
  const spec = asRecord(jobSet?.spec);
  const replicatedJobs = Array.from(asArray(spec.replicatedJobs), viewReplicatedJob);
  const replicatedJobNamed = new Map<string, ReplicatedJobView>();
  for (const one of replicatedJobs) {
    if (!replicatedJobNamed.has(one.name)) replicatedJobNamed.set(one.name, one);
  }
  return {
    jobSet: isObject(jobSet) ? jobSet : {},
    spec,
    name: quirks.has("GeneratedNamesRejected")
      ? namesText(jobSet?.metadata?.name)
      : nameOrGenerated(jobSet, generatedNameSuffix),
    namespace: namesText(jobSet?.metadata?.namespace),
    replicatedJobs,
    replicatedJobNamed,
    features,
    quirks,
  };
}

/** Returns text as Go stores it: with U+FFFD for a lone surrogate. */
export function namesText(value: string | null | undefined): string {
  return asString(value).toWellFormed();
}

/** Returns a list of objects. A null element counts as `{}`. */
export function listObjects<Element extends object>(
  list: readonly (Element | null)[] | null | undefined,
): readonly Partial<Element>[] {
  return asArray(list).map((element) => asRecord(element));
}

/** Returns a list of texts. A null element counts as empty. */
export function listTexts(list: readonly string[] | null | undefined): readonly string[] {
  return asArray(list).map(namesText);
}

/** Returns an integer, or 0 if absent. */
export function integerIn(value: number | null | undefined): number {
  return nullableInteger(value) ?? 0;
}

/** Returns an integer in decimal, exact beyond 2^53. */
export function decimal(value: number): string {
  return renderJson(value, "integer");
}

function viewReplicatedJob(
  received: Unvalidated<ReplicatedJob> | null,
  index: number,
): ReplicatedJobView {
  const replicatedJob: Unvalidated<ReplicatedJob> = asRecord(received);
  const jobSpec: Unvalidated<JobSpec> = asRecord(replicatedJob.template?.spec);
  const { completionMode } = jobSpec;
  return {
    index,
    field: `spec.replicatedJobs[${index}]`,
    replicatedJob,
    name: namesText(replicatedJob.name),
    replicas: integerIn(replicatedJob.replicas),
    jobSpec,
    completionMode: typeof completionMode === "string" ? completionMode : undefined,
    completions: nullableInteger(jobSpec.completions),
    parallelism: nullableInteger(jobSpec.parallelism),
  };
}

function nullableInteger(value: number | null | undefined): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

/** Returns the JobSet's name, or the one generated from `generateName`. Empty without both. */
export function nameOrGenerated(jobSet: Unvalidated<JobSet>, suffix?: string): string {
  const name = namesText(jobSet?.metadata?.name);
  const generateName = namesText(jobSet?.metadata?.generateName);
  return name !== "" || generateName === "" ? name : resolveGenerateName(generateName, suffix);
}
