import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { duplicate, type FieldError, forbidden, invalid, required } from "@jobset-ts/api/errors";
import { asArray, asString, isObject, validateQualifiedName } from "@jobset-ts/api/kubernetes";
import type { KueueFeatureGates } from "../features.ts";
import {
  POD_SET_GROUP_KEY,
  PREFERRED_TOPOLOGY_KEY,
  REQUIRED_TOPOLOGY_KEY,
  SLICE_CONSTRAINTS_KEY,
  SLICE_REQUIRED_TOPOLOGY_KEY,
  SLICE_SIZE_KEY,
  UNCONSTRAINED_TOPOLOGY_KEY,
} from "../keys.ts";
import { getString } from "../objects/members.ts";
import type { PodSet } from "../objects/workload.ts";
import { parseBool, parseInt32 } from "../pod-sets/go-numbers.ts";
import { getTemplate } from "../pod-sets/pod-sets.ts";
import { parseSliceConstraints } from "../pod-sets/slice-constraints.ts";

type Annotations = Readonly<Record<string, string | undefined>> | undefined;

/**
 * Returns the errors of the topology annotations in a JobSet's templates: first those of single ReplicatedJobs, then
 * those of groups.
 *
 * @param podSets - the Pod sets of the same JobSet
 */
export function topologyErrors(
  jobSet: Unvalidated<JobSet>,
  podSets: readonly PodSet[],
  features: KueueFeatureGates,
): readonly FieldError[] {
  const places = listTemplateMetadata(jobSet, podSets);
  return [
    ...places.flatMap((place) => [
      ...annotationErrors(place, features),
      ...sliceBoundErrors(place),
    ]),
    ...groupErrors(podSets, places),
  ];
}

/** The annotations of a ReplicatedJob's template. */
interface TemplateMetadata {
  readonly path: string;
  readonly annotations: Annotations;
  readonly podSet: PodSet | undefined;
}

function listTemplateMetadata(
  jobSet: Unvalidated<JobSet>,
  podSets: readonly PodSet[],
): readonly TemplateMetadata[] {
  // JobSet's webhook rejects duplicate names. If it did not run, Kueue uses the first Pod set of a name.
  const podSetByName = new Map(podSets.toReversed().map((podSet) => [podSet.name, podSet]));
  return asArray(jobSet?.spec?.replicatedJobs).flatMap((replicatedJob, index) => {
    if (!isObject(replicatedJob)) return [];
    return [
      {
        path: `spec.replicatedJobs[${index}].template.spec.template.metadata.annotations`,
        annotations: getTemplate(replicatedJob).metadata?.annotations,
        podSet: podSetByName.get(asString(replicatedJob.name).toLowerCase()),
      },
    ];
  });
}

const qualifiedKeys = [
  REQUIRED_TOPOLOGY_KEY,
  PREFERRED_TOPOLOGY_KEY,
  SLICE_REQUIRED_TOPOLOGY_KEY,
] as const;

function annotationErrors(
  place: TemplateMetadata,
  features: KueueFeatureGates,
): readonly FieldError[] {
  return [
    ...primaryErrors(place),
    ...qualifiedKeys.flatMap((key) => qualifiedNameErrors(place, key)),
    ...groupNameErrors(place),
    ...unconstrainedErrors(place),
    ...sliceErrors(place),
    ...constraintErrors(place, features),
  ];
}

function hasAnnotation({ annotations }: TemplateMetadata, key: string): boolean {
  return getString(annotations, key) !== undefined;
}

function annotationPath({ path }: Pick<TemplateMetadata, "path">, key: string): string {
  return `${path}[${key}]`;
}

function primaryErrors(place: TemplateMetadata): readonly FieldError[] {
  const keys = [REQUIRED_TOPOLOGY_KEY, PREFERRED_TOPOLOGY_KEY, UNCONSTRAINED_TOPOLOGY_KEY];
  if (keys.filter((key) => hasAnnotation(place, key)).length < 2) return [];
  const list = keys.map((key) => `"${key}"`).join(", ");
  return [
    invalidWithoutValue(
      place.path,
      `must not contain more than one topology annotation: [${list}]`,
    ),
  ];
}

/** Returns an error without the value, which would be all annotations. */
function invalidWithoutValue(field: string, detail: string): FieldError {
  return { type: "FieldValueInvalid", field, body: `Invalid value: ${detail}` };
}

function qualifiedNameErrors(place: TemplateMetadata, key: string): readonly FieldError[] {
  const value = getString(place.annotations, key);
  const messages = value === undefined ? [] : validateQualifiedName(value);
  return messages.map((message) => invalid(annotationPath(place, key), value, message));
}

function groupNameErrors(place: TemplateMetadata): readonly FieldError[] {
  const group = getString(place.annotations, POD_SET_GROUP_KEY);
  if (group === undefined) return [];
  const field = annotationPath(place, POD_SET_GROUP_KEY);
  const errors: FieldError[] = [];
  if (isUnsigned(group)) errors.push(invalid(field, group, "must not be a number"));
  for (const key of [SLICE_SIZE_KEY, SLICE_REQUIRED_TOPOLOGY_KEY]) {
    if (hasAnnotation(place, key)) errors.push(forbidden(field, exclusiveMessage(key)));
  }
  if (
    !hasAnnotation(place, PREFERRED_TOPOLOGY_KEY) &&
    !hasAnnotation(place, REQUIRED_TOPOLOGY_KEY)
  ) {
    const detail = `may not be set when neither '${PREFERRED_TOPOLOGY_KEY}' nor '${REQUIRED_TOPOLOGY_KEY}' is specified`;
    errors.push(forbidden(field, detail));
  }
  return errors;
}

/** Reports whether a text consists of digits that fit into an unsigned 64-bit integer. */
function isUnsigned(text: string): boolean {
  const [, digits] = /^0*(\d*)$/.exec(text) ?? [];
  if (text === "" || digits === undefined) return false;
  return digits.length < 20 || (digits.length === 20 && digits <= "18446744073709551615");
}

function exclusiveMessage(key: string): string {
  return `may not be set when '${key}' is specified`;
}

function unconstrainedErrors(place: TemplateMetadata): readonly FieldError[] {
  const value = getString(place.annotations, UNCONSTRAINED_TOPOLOGY_KEY);
  if (value === undefined || parseBool(value).ok) return [];
  return [
    invalid(annotationPath(place, UNCONSTRAINED_TOPOLOGY_KEY), value, "must be a boolean value"),
  ];
}

function sliceErrors(place: TemplateMetadata): readonly FieldError[] {
  const field = annotationPath(place, SLICE_SIZE_KEY);
  const size = getString(place.annotations, SLICE_SIZE_KEY);
  const hasLevel = hasAnnotation(place, SLICE_REQUIRED_TOPOLOGY_KEY);
  const errors: FieldError[] = [];
  if (size !== undefined) {
    const parsed = parseInt32(size);
    if (!parsed.ok) errors.push(invalid(field, size, "must be a numeric value"));
    else if (parsed.value < 1) errors.push(invalid(field, size, AT_LEAST_ONE));
  }
  if (hasLevel && size === undefined) {
    const detail = `must be set when '${SLICE_REQUIRED_TOPOLOGY_KEY}' is specified`;
    errors.push(required(field, detail));
  }
  if (!hasLevel && size !== undefined) {
    const detail = `may not be set when '${SLICE_REQUIRED_TOPOLOGY_KEY}' is not specified`;
    errors.push(forbidden(field, detail));
  }
  return errors;
}

const AT_LEAST_ONE = "must be greater than or equal to 1";

function constraintErrors(
  place: TemplateMetadata,
  features: KueueFeatureGates,
): readonly FieldError[] {
  const text = getString(place.annotations, SLICE_CONSTRAINTS_KEY);
  if (text === undefined) return [];
  const field = annotationPath(place, SLICE_CONSTRAINTS_KEY);
  if (!features.has("TASMultiLayerTopology")) {
    const detail = "the TASMultiLayerTopology feature gate must be enabled to use this annotation";
    return [forbidden(field, detail)];
  }
  const errors: FieldError[] = [];
  for (const key of [SLICE_REQUIRED_TOPOLOGY_KEY, SLICE_SIZE_KEY]) {
    if (hasAnnotation(place, key)) errors.push(forbidden(field, exclusiveMessage(key)));
  }
  if (hasAnnotation(place, POD_SET_GROUP_KEY)) {
    errors.push(
      forbidden(annotationPath(place, POD_SET_GROUP_KEY), exclusiveMessage(SLICE_CONSTRAINTS_KEY)),
    );
  }
  return [...errors, ...layerErrors(text, field)];
}

function layerErrors(text: string, field: string): readonly FieldError[] {
  const parsed = parseSliceConstraints(text);
  if (!parsed.ok) return [];
  const layers = parsed.value.map(({ topology = "", size = 0 }) => ({ topology, size }));
  const each = layers.flatMap(({ topology, size }, index) => [
    ...validateQualifiedName(topology).map((message) =>
      invalid(`${field}[${index}].topology`, topology, message),
    ),
    ...(size < 1 ? [invalid(`${field}[${index}].size`, size, AT_LEAST_ONE)] : []),
  ]);
  const repeated = layers.flatMap(({ topology }, index) => {
    const first = layers.findIndex((layer) => layer.topology === topology);
    if (first === index) return [];
    return [duplicate(`${field}[${index}].topology`, `${topology} (also at index ${first})`)];
  });
  const uneven = layers.flatMap(({ size }, index) => {
    const parent = layers[index - 1];
    if (parent === undefined || size <= 0 || parent.size % size === 0) return [];
    const detail = `must evenly divide the parent layer size ${parent.size}`;
    return [invalid(`${field}[${index}].size`, size, detail)];
  });
  return [...each, ...repeated, ...uneven];
}

/**
 * Rejects slices that are larger than all Pods together. The count may be negative, so an absent size is not compared
 * as 0.
 */
function sliceBoundErrors(place: TemplateMetadata): readonly FieldError[] {
  if (place.podSet === undefined) return [];
  const { count } = place.podSet;
  const detail = `must not be greater than pod set count ${count}`;
  const text = getString(place.annotations, SLICE_SIZE_KEY);
  const errors: FieldError[] = [];
  if (text !== undefined) {
    const size = parseInt32(text);
    if (!size.ok) return [];
    if (size.value > count)
      errors.push(invalid(annotationPath(place, SLICE_SIZE_KEY), text, detail));
  }
  const size = outermostSize(getString(place.annotations, SLICE_CONSTRAINTS_KEY));
  if (size !== undefined && size > count) {
    errors.push(invalid(annotationPath(place, SLICE_CONSTRAINTS_KEY), size, detail));
  }
  return errors;
}

/**
 * Returns the size of the first layer. Returns `undefined` if the annotation is absent, cannot be parsed or has no
 * layer.
 */
function outermostSize(text: string | undefined): number | undefined {
  const layers = text === undefined ? undefined : parseSliceConstraints(text);
  const outermost = layers?.ok ? layers.value[0] : undefined;
  return outermost && (outermost.size ?? 0);
}

/** A Pod set of a group, and the path of its template's annotations. */
interface Member {
  readonly path: string;
  readonly podSet: PodSet;
}

/** Validates groups. The two Pod sets of a group share a domain. One of them is the leader and has one Pod. */
function groupErrors(
  podSets: readonly PodSet[],
  places: readonly TemplateMetadata[],
): readonly FieldError[] {
  const pathByName = new Map(places.map(({ podSet, path }) => [podSet?.name, path]));
  const groups = new Map<string, Member[]>();
  for (const podSet of podSets) {
    const name = podSet.topologyRequest?.podSetGroupName;
    if (name === undefined) continue;
    const path = pathByName.get(podSet.name) ?? "";
    const members = groups.get(name) ?? [];
    members.push({ podSet, path });
    groups.set(name, members);
  }
  return [...groups].flatMap(([name, members]) => membersErrors(name, members));
}

function membersErrors(name: string, members: readonly Member[]): readonly FieldError[] {
  const [first, second] = members;
  if (first === undefined || second === undefined || members.length !== 2) {
    const detail = `can only define groups of exactly 2 pod sets, got: ${members.length} pod set(s)`;
    return members.map((member) =>
      invalid(annotationPath(member, POD_SET_GROUP_KEY), name, detail),
    );
  }
  const errors: FieldError[] = [];
  const counts = [first, second].map(({ podSet }) => podSet.count);
  if (!counts.includes(1)) {
    const detail = `can only define groups where at least one pod set has only 1 replica, got: ${counts[0]} replica(s) and ${counts[1]} replica(s) in the group`;
    errors.push(
      ...members.map((member) => invalid(annotationPath(member, POD_SET_GROUP_KEY), name, detail)),
    );
  }
  const levels = members.map(({ podSet }) => {
    const { required, preferred } = podSet.topologyRequest ?? {};
    return JSON.stringify([required ?? null, preferred ?? null]);
  });
  if (levels[0] !== levels[1]) {
    const pairs = [
      [first, second],
      [second, first],
    ] as const;
    for (const [member, other] of pairs) {
      const detail = `must specify '${REQUIRED_TOPOLOGY_KEY}' or '${PREFERRED_TOPOLOGY_KEY}' topology consistent with '${other.path}' in group '${name}'`;
      errors.push(invalidWithoutValue(member.path, detail));
    }
  }
  return errors;
}
