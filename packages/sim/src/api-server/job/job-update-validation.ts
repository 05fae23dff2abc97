import { type FieldError, invalid } from "@jobset-ts/api/errors";
import {
  asArray,
  type Container,
  isEqualJson,
  type Job,
  type JobSpec,
  type PodSpec,
} from "@jobset-ts/api/kubernetes";
import { type ElementType, semanticEqual, setApiDefaults } from "@jobset-ts/api/typed";
import { validateJob } from "@jobset-ts/crd/job";
import { isConditionTrue } from "../conditions.ts";
import type { KubernetesMinor } from "../kubernetes-minor.ts";
import { JOB_SUSPENDED } from "./batch-constants.ts";

/** Validates an update of a Job. */
export function validateJobUpdate(
  after: Job,
  before: Job,
  kubernetes: KubernetesMinor,
): readonly FieldError[] {
  // The stored Job is valid already, and many updates change only finalizers.
  if (isEqualJson(pickValidatedParts(after), pickValidatedParts(before))) return [];
  const { spec } = after;
  const validateMember = (member: keyof typeof TYPES) =>
    validateUnchanged(`spec.${member}`, spec[member], before.spec[member], TYPES[member]);
  return [
    ...validateJob(after).errors,
    ...validateCompletions(spec, before.spec),
    ...validateMember("selector"),
    ...validateTemplateUpdate(after, before, kubernetes),
    ...IMMUTABLE.flatMap(validateMember),
  ];
}

function pickValidatedParts({ metadata, spec }: Job): readonly unknown[] {
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

/**
 * Returns an error if an immutable value changed. Different spellings, such as empty instead of absent, are not a
 * change.
 */
function validateUnchanged(
  field: string,
  after: unknown,
  before: unknown,
  type: ElementType,
): readonly FieldError[] {
  const errors = validateImmutable(field, after, before);
  if (errors.length === 0) return errors;
  const [is, was] = [after, before].map((value) => setApiDefaults(value, type));
  return semanticEqual(is, was, type) ? [] : errors;
}

/** Validates that the completions of an Indexed Job change only together with its parallelism. */
function validateCompletions(spec: JobSpec, before: JobSpec): readonly FieldError[] {
  const { completions, parallelism, completionMode } = spec;
  if (completionMode !== "Indexed") {
    return validateImmutable("spec.completions", completions, before.completions);
  }
  if (completions === before.completions || completions === undefined) return [];
  if (completions === parallelism) return [];
  const detail = "can only be modified in tandem with spec.parallelism";
  return [invalid("spec.completions", completions, detail)];
}

/**
 * Validates a change of the Pod template. The template can change only while the Job is suspended and has no active
 * Pods. Mutable are its metadata (except the generated labels) and the scheduling and resource fields of its Pod spec.
 *
 * @see KEP-2926, KEP-5440
 */
function validateTemplateUpdate(
  after: Job,
  before: Job,
  kubernetes: KubernetesMinor,
): readonly FieldError[] {
  const [template, old] = [after.spec.template, before.spec.template];
  if (!isTemplateMutable(before, kubernetes))
    return validateUnchanged("spec.template", template, old, "PodTemplateSpec");
  return validateUnchanged(
    "spec.template.spec",
    pickImmutableFields(template.spec),
    pickImmutableFields(old.spec),
    "PodSpec",
  );
}

/** Uses the stored Job, so one update can change the template and resume the Job. */
function isTemplateMutable({ spec, status }: Job, kubernetes: KubernetesMinor): boolean {
  if (spec.suspend !== true) return false;
  const hasNotStarted = status?.startTime === undefined;
  if (kubernetes === "1.35") return hasNotStarted;
  const isSuspended = isConditionTrue(status?.conditions, JOB_SUSPENDED);
  return (hasNotStarted || isSuspended) && (status?.active ?? 0) === 0;
}

/** Returns the immutable fields of a Pod spec. */
function pickImmutableFields(spec: PodSpec | undefined) {
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

/** Returns one error if an immutable field changed. */
function validateImmutable(field: string, after: unknown, before: unknown): readonly FieldError[] {
  return isEqualJson(after, before) ? [] : [invalid(field, after ?? null, "field is immutable")];
}
