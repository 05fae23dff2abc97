import { type FieldError, invalid } from "@jobset-ts/api/errors";
import {
  asArray,
  type Container,
  type Job,
  type JobSpec,
  type PodSpec,
} from "@jobset-ts/api/kubernetes";
import { type ElementType, semanticEqual, setApiDefaults } from "@jobset-ts/api/typed";
import { isTrue } from "../conditions.ts";
import type { KubernetesMinor } from "../kubernetes-minor.ts";
import { equal } from "../stored-values.ts";
import { JOB_SUSPENDED } from "./batch-names.ts";
import { immutable, jobErrors } from "./job-spec-errors.ts";

/** What is wrong with a change of a Job. */
export function jobUpdateErrors(
  after: Job,
  before: Job,
  kubernetes: KubernetesMinor,
): readonly FieldError[] {
  // What was stored is right already, and many changes are of finalizers alone.
  if (equal(lookedAt(after), lookedAt(before))) return [];
  const { spec } = after;
  const of = (member: keyof typeof TYPES) =>
    unchanged(`spec.${member}`, spec[member], before.spec[member], TYPES[member]);
  return [
    ...jobErrors(after),
    ...completionsErrors(spec, before.spec),
    ...of("selector"),
    ...templateErrors(after, before, kubernetes),
    ...IMMUTABLE.flatMap(of),
  ];
}

function lookedAt({ metadata, spec }: Job): readonly unknown[] {
  return [spec, metadata.labels, metadata.annotations];
}

const IMMUTABLE = [
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
] as const;

const TYPES = {
  selector: "LabelSelector",
  completionMode: "string",
  podFailurePolicy: "PodFailurePolicy",
  backoffLimitPerIndex: "int32",
  managedBy: "string",
  successPolicy: "JobSuccessPolicy",
} as const satisfies Record<"selector" | (typeof IMMUTABLE)[number], ElementType>;

/** What must not change may be spelled in another way: empty for absent, or with the defaults. */
function unchanged(
  field: string,
  after: unknown,
  before: unknown,
  type: ElementType,
): readonly FieldError[] {
  const errors = immutable(field, after, before);
  if (errors.length === 0) return errors;
  const [is, was] = [after, before].map((value) => setApiDefaults(value, type));
  return semanticEqual(is, was, type) ? [] : errors;
}

/** The completions of an Indexed Job change only to what its parallelism is. */
function completionsErrors(spec: JobSpec, before: JobSpec): readonly FieldError[] {
  const { completions, parallelism, completionMode } = spec;
  if (completionMode !== "Indexed") {
    return immutable("spec.completions", completions, before.completions);
  }
  if (completions === before.completions || completions === undefined) return [];
  if (completions === parallelism) return [];
  const detail = "can only be modified in tandem with spec.parallelism";
  return [invalid("spec.completions", completions, detail)];
}

/**
 * The template of a Job changes only while the Job is suspended and none of its Pods is active: all of its metadata but
 * the generated labels, and of its Pod where that may run and what it may use.
 *
 * @see KEP-2926, KEP-5440
 */
function templateErrors(
  after: Job,
  before: Job,
  kubernetes: KubernetesMinor,
): readonly FieldError[] {
  const [template, old] = [after.spec.template, before.spec.template];
  if (!isTemplateOpen(before, kubernetes))
    return unchanged("spec.template", template, old, "PodTemplateSpec");
  return unchanged("spec.template.spec", fixedPart(template.spec), fixedPart(old.spec), "PodSpec");
}

/** Judged from the Job as it is stored, so that one update may change the template and end the suspension. */
function isTemplateOpen({ spec, status }: Job, kubernetes: KubernetesMinor): boolean {
  if (spec.suspend !== true) return false;
  const hasNotBegun = status?.startTime === undefined;
  if (kubernetes === "1.35") return hasNotBegun;
  const isSuspended = isTrue(status?.conditions, JOB_SUSPENDED);
  return (hasNotBegun || isSuspended) && (status?.active ?? 0) === 0;
}

/** A Pod's spec without what may change. */
function fixedPart(spec: PodSpec | undefined) {
  if (spec === undefined) return undefined;
  const {
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    affinity,
    containers,
    initContainers,
    ...members
  } = spec;
  const { nodeAffinity: _affinity, ...others } = affinity ?? {};
  return {
    ...members,
    affinity: others,
    containers: withoutResources(containers),
    initContainers: withoutResources(initContainers),
  };
}

function withoutResources(containers: readonly Container[] | undefined) {
  return asArray(containers).map(({ resources: _, ...container }) => container);
}
