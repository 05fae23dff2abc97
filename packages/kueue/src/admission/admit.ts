import type { JobSet, Observed, ReplicatedJob } from "@jobset-ts/api";
import { isObject, listOf, membersOf, type PodTemplateSpec } from "@jobset-ts/api/kubernetes";
import { equalTyped } from "@jobset-ts/api/typed";
import type { KueueFeatures } from "../features.ts";
import { WORKLOAD_KEY, WORKLOAD_SLICE_NAME_KEY } from "../keys.ts";
import { objectsOf, textAt, withoutEmpty } from "../objects/members.ts";
import { type KueueResult, refusedForGood } from "../objects/refusal.ts";
import type { PodSetInfo } from "../objects/workload.ts";
import { templateOf } from "../pod-sets/pod-sets.ts";
import { type Directives, directivesOf, mergeInfo } from "./pod-set-info.ts";

/**
 * A JobSet that may run, with what its admission says in its templates; nothing else of it changes.
 *
 * Infos and ReplicatedJobs go together by their index; names are not compared.
 *
 * @param infos - what {@link infosFromAdmission} says
 * @returns a refusal for good when there are more or fewer infos than ReplicatedJobs, or when one of them disagrees with its
 *   template
 * @example
 * const jobSet = { spec: { suspend: true, replicatedJobs: [{ name: "w" }] } };
 * const admitted = admit(jobSet, [{ name: "w", count: 1 }], new Set());
 * admitted.ok && admitted.value.spec?.suspend // => false
 * @example
 * const refused = admit({ spec: { replicatedJobs: [{ name: "w" }] } }, [], new Set());
 * refused.ok ? "" : refused.refusal.message // => "invalid podset infos: expecting 1 podset, got 0"
 */
export function admit(
  jobSet: Observed<JobSet>,
  infos: readonly Observed<PodSetInfo>[],
  features: KueueFeatures,
): KueueResult<Observed<JobSet>> {
  const wanted = objectsOf(jobSet?.spec?.replicatedJobs).length;
  const given = listOf(infos).map(membersOf);
  if (given.length !== wanted) {
    const message = `invalid podset infos: expecting ${wanted} podset, got ${given.length}`;
    return refusedForGood("InvalidPodSetInfos", message);
  }
  const templates: Directives[] = [];
  for (const [index, replicatedJob] of objectsOf(jobSet?.spec?.replicatedJobs).entries()) {
    const info = membersOf(given[index]);
    const base = withoutOverridden(directivesOf(templateOf(replicatedJob)), info, features);
    const merged = mergeInfo(base, info);
    if (!merged.ok) return merged;
    templates.push(merged.value);
  }
  const admitted = withDirectives(jobSet, templates);
  return { ok: true, value: { ...admitted, spec: { ...admitted.spec, suspend: false } } };
}

/** A slice takes the Pods of another over: what names slice and Workload gives way instead of being in conflict. */
function withoutOverridden(
  base: Directives,
  info: Observed<Directives>,
  features: KueueFeatures,
): Directives {
  const isSlice = textAt(info.annotations, WORKLOAD_SLICE_NAME_KEY) !== undefined;
  if (!isSlice || !features.has("ElasticJobsViaWorkloadSlices")) return base;
  const overridden = [WORKLOAD_SLICE_NAME_KEY, WORKLOAD_KEY].filter(
    (key) => textAt(info.annotations, key) !== undefined,
  );
  const kept = Object.entries(base.annotations ?? {}).filter(([key]) => !overridden.includes(key));
  return { ...base, annotations: Object.fromEntries(kept) };
}

/** A JobSet that was restored, and whether anything changed. */
export interface Restored {
  readonly jobSet: Observed<JobSet>;
  readonly changed: boolean;
}

/**
 * A JobSet whose templates say again what they said when its Workload was written: labels, annotations, node selector,
 * tolerations and gates are replaced. Whether it is suspended stays.
 *
 * @param infos - the infos of the Workload's Pod sets; when they are not as many as ReplicatedJobs, nothing changes
 * @returns the very JobSet when nothing changes
 * @example
 * const template = { spec: { nodeSelector: { pool: "spot" } } };
 * const jobSet = { spec: { replicatedJobs: [{ name: "w", template: { spec: { template } } }] } };
 * restore(jobSet, [{ name: "w", count: 1 }]).changed // => true
 */
export function restore(
  jobSet: Observed<JobSet>,
  infos: readonly Observed<PodSetInfo>[] | undefined,
): Restored {
  const before = objectsOf(jobSet?.spec?.replicatedJobs).map((replicatedJob) =>
    directivesOf(templateOf(replicatedJob)),
  );
  const after = objectsOf(infos).map((info) =>
    directivesOf({ metadata: info, spec: info } as Observed<PodTemplateSpec>),
  );
  const isSame = before.every((directives, index) => sameDirectives(directives, after[index]));
  if (after.length !== before.length || isSame) return { jobSet, changed: false };
  return { jobSet: withDirectives(jobSet, after), changed: true };
}

function sameDirectives(before: Directives, after: Directives | undefined): boolean {
  const asTemplate = ({ labels, annotations, ...spec }: Directives) => ({
    metadata: { labels, annotations },
    spec,
  });
  return (
    after !== undefined && equalTyped(asTemplate(before), asTemplate(after), "PodTemplateSpec")
  );
}

/** A JobSet with other directives in its templates, by the index of the ReplicatedJob. */
function withDirectives(
  jobSet: Observed<JobSet>,
  directives: readonly Directives[],
): Observed<JobSet> {
  let index = -1;
  const replicatedJobs = listOf(jobSet?.spec?.replicatedJobs).map((replicatedJob) => {
    if (!isObject(replicatedJob)) return replicatedJob;
    index += 1;
    return withTemplate(replicatedJob, directives[index] ?? {});
  });
  // An absent list stays absent.
  if (index === -1) return membersOf(jobSet);
  return { ...jobSet, spec: { ...jobSet?.spec, replicatedJobs } };
}

function withTemplate(
  replicatedJob: Observed<ReplicatedJob>,
  { labels, annotations, ...directives }: Directives,
): Observed<ReplicatedJob> {
  const job = membersOf(replicatedJob.template);
  const { metadata, spec, ...other } = membersOf(templateOf(replicatedJob));
  const { labels: _l, annotations: _a, ...keptMetadata } = membersOf(metadata);
  const { nodeSelector: _n, tolerations: _t, schedulingGates: _g, ...keptSpec } = membersOf(spec);
  const directed = {
    ...other,
    ...withoutEmpty({ metadata: { ...keptMetadata, ...withoutEmpty({ labels, annotations }) } }),
    spec: { ...keptSpec, ...directives },
  };
  const jobSpec = { ...membersOf(job.spec), template: directed };
  return { ...replicatedJob, template: { ...job, spec: jobSpec } } as Observed<ReplicatedJob>;
}
