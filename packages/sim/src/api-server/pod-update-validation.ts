import {
  asArray,
  asRecord,
  type Container,
  isEqualJson,
  isObject,
  type Pod,
  type PodSpec,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import { isGated } from "./pod-conditions.ts";

/**
 * Validates an update of a Pod spec. Images can change. A deadline can be set or shortened. Tolerations can be added
 * and scheduling gates removed. While the Pod has gates, node constraints can be added.
 *
 * @see Kubernetes `validation.ValidatePodUpdate`
 */
export function validatePodUpdate(after: Pod, before: Pod): readonly string[] {
  if (after.spec === before.spec) return [];
  const errors = [
    ...validateDeadline(after.spec, before.spec),
    ...validateAddedGates(after.spec, before.spec),
    ...(isGated(before) ? validateSchedulingDirectives(after.spec, before.spec) : []),
  ];
  if (errors.length > 0) return errors;
  const isAllowed = isEqualJson(
    copyMutableMembers(after.spec, before.spec, isGated(before)),
    before.spec,
  );
  const tolerationErrors = validateTolerations(after.spec, before.spec);
  return isAllowed ? tolerationErrors : [...tolerationErrors, FORBIDDEN];
}

const FORBIDDEN =
  "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function validateDeadline(after: PodSpec, before: PodSpec): readonly string[] {
  const [now, then] = [after.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (typeof then !== "number" || now === then) return [];
  const path = "spec.activeDeadlineSeconds";
  if (typeof now !== "number") {
    return [`${path}: Invalid value: null: must not update from a positive integer to nil value`];
  }
  if (now < then) return [];
  return [`${path}: Invalid value: ${now}: must be less than or equal to previous value`];
}

function validateAddedGates(after: PodSpec, before: PodSpec): readonly string[] {
  const known = new Set(asArray(before.schedulingGates).map(({ name }) => name));
  return asArray(after.schedulingGates).flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          `spec.schedulingGates[${index}].name: Forbidden: only deletion is allowed, but found new scheduling gate '${name}'`,
        ],
  );
}

/** Validates that the node selector and the required node affinity of a gated Pod only become stricter. */
function validateSchedulingDirectives(after: PodSpec, before: PodSpec): readonly string[] {
  const selector = asRecord(after.nodeSelector);
  const isPresent = Object.entries(asRecord(before.nodeSelector)).every(
    ([key, value]) => selector[key] === value,
  );
  if (!isPresent) return ["spec.nodeSelector: Invalid value: …: field is immutable"];
  const [terms, known] = [getRequiredTerms(after), getRequiredTerms(before)];
  if (known.length === 0 || isNarrowed(terms, known)) return [];
  return [
    "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.getNodeSelectorTerms: Invalid value: …: only additions are allowed",
  ];
}

function isNarrowed(terms: readonly unknown[], known: readonly unknown[]): boolean {
  return (
    terms.length === known.length &&
    known.every((term, index) =>
      (["matchExpressions", "matchFields"] as const).every((member) => {
        const newValues = asArray((terms[index] as TermMembers)?.[member]);
        return asArray((term as TermMembers)?.[member]).every((requirement, place) =>
          isEqualJson(requirement, newValues[place]),
        );
      }),
    )
  );
}

type TermMembers = Readonly<Record<string, readonly unknown[] | undefined>> | undefined;

function getRequiredTerms(spec: PodSpec): readonly unknown[] {
  const required = asRecord(asRecord(spec.affinity).nodeAffinity)
    .requiredDuringSchedulingIgnoredDuringExecution as
    | { nodeSelectorTerms?: unknown[] }
    | undefined;
  return asArray(required?.nodeSelectorTerms);
}

function validateTolerations(after: PodSpec, before: PodSpec): readonly string[] {
  const isPresent = asArray(before.tolerations).every((old) =>
    asArray(after.tolerations).some((one) => isSameToleration(one, old)),
  );
  if (isPresent) return [];
  return [
    "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
  ];
}

function isSameToleration(one: Toleration, other: Toleration): boolean {
  const { tolerationSeconds: _one, ...members } = one;
  const { tolerationSeconds: _other, ...others } = other;
  return isEqualJson(members, others);
}

/** Returns the new spec with the old values of all mutable fields. It equals the old spec if the update is allowed. */
function copyMutableMembers(after: PodSpec, before: PodSpec, wasGated: boolean): PodSpec {
  const spec: PodSpec = { ...after };
  const members = ["activeDeadlineSeconds", "tolerations", "schedulingGates"];
  if (wasGated) members.push("nodeSelector");
  if (before.terminationGracePeriodSeconds < 0 && after.terminationGracePeriodSeconds === 1) {
    members.push("terminationGracePeriodSeconds");
  }
  for (const member of members) copyMember(spec, before, member);
  for (const member of ["containers", "initContainers"] as const) {
    if (spec[member] !== undefined) spec[member] = copyImages(spec[member], before[member]);
  }
  if (wasGated) {
    const affinity: Record<string, unknown> = { ...asRecord(spec.affinity) };
    copyMember(affinity, asRecord(before.affinity), "nodeAffinity");
    if (before.affinity !== undefined || Object.keys(affinity).length > 0) {
      spec.affinity = affinity;
    } else delete spec.affinity;
  }
  return spec;
}

function copyMember(
  target: Record<string, unknown>,
  from: Readonly<Record<string, unknown>>,
  member: string,
): void {
  if (from[member] === undefined) delete target[member];
  else target[member] = from[member];
}

function copyImages(
  containers: readonly Container[],
  before: readonly Container[] | undefined,
): Container[] {
  return containers.map((container, index) => {
    const image = asArray(before)[index]?.image;
    return isObject(container) && image !== undefined ? { ...container, image } : container;
  });
}
