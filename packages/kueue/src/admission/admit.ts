import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asArray, asRecord, isObject, type PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import { semanticEqual } from "@jobset-ts/api/typed";
import type { KueueFeatureGates } from "../features.ts";
import { WORKLOAD_KEY, WORKLOAD_SLICE_NAME_KEY } from "../keys.ts";
import { failPermanently, type KueueResult } from "../objects/kueue-error.ts";
import { getString, listObjects, withoutEmpty } from "../objects/members.ts";
import type { PodSetInfo } from "../objects/workload.ts";
import { getTemplate } from "../pod-sets/pod-sets.ts";
import { type Directives, getDirectives, mergePodSetInfo } from "./pod-set-info.ts";

/**
 * Returns a resumed JobSet with the admission's directives in its templates. Nothing else changes.
 *
 * Infos and ReplicatedJobs correspond by index. Their names are not compared.
 *
 * @param infos - the result of {@link podSetsInfoFromAdmission}
 * @returns a permanent error if the number of infos and ReplicatedJobs differs, or if an info conflicts with its template
 * @example
 * const jobSet = { spec: { suspend: true, replicatedJobs: [{ name: "w" }] } };
 * const admitted = runWithPodSetsInfo(jobSet, [{ name: "w", count: 1 }], new Set());
 * admitted.ok && admitted.value.spec?.suspend // => false
 * @example
 * const refused = runWithPodSetsInfo({ spec: { replicatedJobs: [{ name: "w" }] } }, [], new Set());
 * refused.ok ? "" : refused.refusal.message // => "invalid podset infos: expecting 1 podset, got 0"
 */
export function runWithPodSetsInfo(
  jobSet: Unvalidated<JobSet>,
  infos: readonly Unvalidated<PodSetInfo>[],
  features: KueueFeatureGates,
): KueueResult<Unvalidated<JobSet>> {
  const desired = listObjects(jobSet?.spec?.replicatedJobs).length;
  const checkedInfos = asArray(infos).map(asRecord);
  if (checkedInfos.length !== desired) {
    const message = `invalid podset infos: expecting ${desired} podset, got ${checkedInfos.length}`;
    return failPermanently("InvalidPodSetInfos", message);
  }
  const templates: Directives[] = [];
  for (const [index, replicatedJob] of listObjects(jobSet?.spec?.replicatedJobs).entries()) {
    const info = asRecord(checkedInfos[index]);
    const base = withoutOverridden(getDirectives(getTemplate(replicatedJob)), info, features);
    const merged = mergePodSetInfo(base, info);
    if (!merged.ok) return merged;
    templates.push(merged.value);
  }
  const admitted = withDirectives(jobSet, templates);
  return { ok: true, value: { ...admitted, spec: { ...admitted.spec, suspend: false } } };
}

/**
 * Returns the directives that remain to be merged. A Workload slice takes over the Pods of an earlier slice, so its
 * Workload and slice names replace the old ones and do not conflict with them.
 */
function withoutOverridden(
  base: Directives,
  info: Unvalidated<Directives>,
  features: KueueFeatureGates,
): Directives {
  const isSlice = getString(info.annotations, WORKLOAD_SLICE_NAME_KEY) !== undefined;
  if (!isSlice || !features.has("ElasticJobsViaWorkloadSlices")) return base;
  const overridden = [WORKLOAD_SLICE_NAME_KEY, WORKLOAD_KEY].filter(
    (key) => getString(info.annotations, key) !== undefined,
  );
  const otherAnnotations = Object.entries(base.annotations ?? {}).filter(
    ([key]) => !overridden.includes(key),
  );
  return { ...base, annotations: Object.fromEntries(otherAnnotations) };
}

/** A restored JobSet, and whether anything changed. */
export interface RestoreResult {
  readonly jobSet: Unvalidated<JobSet>;
  readonly changed: boolean;
}

/**
 * Restores the directives that the templates had when the Workload was created: labels, annotations, node selector,
 * tolerations and scheduling gates. `spec.suspend` does not change.
 *
 * @param infos - the infos of the Workload's Pod sets; if their number differs from the ReplicatedJobs, nothing changes
 * @returns the same object if nothing changes
 * @example
 * const template = { spec: { nodeSelector: { pool: "spot" } } };
 * const jobSet = { spec: { replicatedJobs: [{ name: "w", template: { spec: { template } } }] } };
 * restorePodSetsInfo(jobSet, [{ name: "w", count: 1 }]).changed // => true
 */
export function restorePodSetsInfo(
  jobSet: Unvalidated<JobSet>,
  infos: readonly Unvalidated<PodSetInfo>[] | undefined,
): RestoreResult {
  const before = listObjects(jobSet?.spec?.replicatedJobs).map((replicatedJob) =>
    getDirectives(getTemplate(replicatedJob)),
  );
  const after = listObjects(infos).map((info) =>
    getDirectives({ metadata: info, spec: info } as Unvalidated<PodTemplateSpec>),
  );
  const isSame = before.every((directives, index) => sameDirectives(directives, after[index]));
  if (after.length !== before.length || isSame) return { jobSet, changed: false };
  return { jobSet: withDirectives(jobSet, after), changed: true };
}

function sameDirectives(before: Directives, after: Directives | undefined): boolean {
  const toTemplate = ({ labels, annotations, ...spec }: Directives) => ({
    metadata: { labels, annotations },
    spec,
  });
  return (
    after !== undefined && semanticEqual(toTemplate(before), toTemplate(after), "PodTemplateSpec")
  );
}

/** Returns a JobSet with other directives in its templates. The list is indexed by ReplicatedJob. */
function withDirectives(
  jobSet: Unvalidated<JobSet>,
  directives: readonly Directives[],
): Unvalidated<JobSet> {
  let index = -1;
  const replicatedJobs = asArray(jobSet?.spec?.replicatedJobs).map((replicatedJob) => {
    if (!isObject(replicatedJob)) return replicatedJob;
    index += 1;
    return withTemplate(replicatedJob, directives[index] ?? {});
  });
  // An absent list stays absent.
  if (index === -1) return asRecord(jobSet);
  return { ...jobSet, spec: { ...jobSet?.spec, replicatedJobs } };
}

function withTemplate(
  replicatedJob: Unvalidated<ReplicatedJob>,
  { labels, annotations, ...directives }: Directives,
): Unvalidated<ReplicatedJob> {
  const job = asRecord(replicatedJob.template);
  const { metadata, spec, ...other } = asRecord(getTemplate(replicatedJob));
  const { labels: _l, annotations: _a, ...keptMetadata } = asRecord(metadata);
  const { nodeSelector: _n, tolerations: _t, schedulingGates: _g, ...keptSpec } = asRecord(spec);
  const directed = {
    ...other,
    ...withoutEmpty({ metadata: { ...keptMetadata, ...withoutEmpty({ labels, annotations }) } }),
    spec: { ...keptSpec, ...directives },
  };
  const jobSpec = { ...asRecord(job.spec), template: directed };
  return { ...replicatedJob, template: { ...job, spec: jobSpec } } as Unvalidated<ReplicatedJob>;
}
