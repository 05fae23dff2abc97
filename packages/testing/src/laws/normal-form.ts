// Normal forms of objects. Objects that the API server stores in the same way have the same normal
// form.
import { canonicalQuantity, isObject } from "@jobset-ts/api/kubernetes";
import { getShape, type Member, type Shape } from "@jobset-ts/api/typed";
import type { ReviewedKind } from "./webhook-request.ts";

/**
 * Returns an object without fields that have no meaning: nulls, empty lists and maps, zeros of plain scalars,
 * empty objects by value, and defaults of the API server. Quantities are canonical. Unknown fields are kept.
 */
export function normalForm(object: unknown, kind: ReviewedKind): unknown {
  return normalObject(object, getShape(kind), defaults[kind]);
}

type Defaults = Readonly<Record<string, unknown>>;

/** Defaults by type and field. JobSets have the defaults of the CRD. Their Pod templates have none. */
const defaults: Readonly<Record<ReviewedKind, Defaults>> = {
  JobSet: {
    "JobSetSpec.suspend": false,
    "ReplicatedJob.groupName": "default",
    "ReplicatedJob.replicas": 1,
    "FailurePolicy.restartStrategy": "Recreate",
  },
  Pod: {
    "PodSpec.restartPolicy": "Always",
    "PodSpec.terminationGracePeriodSeconds": 30,
    "PodSpec.dnsPolicy": "ClusterFirst",
    "PodSpec.schedulerName": "default-scheduler",
    "PodSpec.enableServiceLinks": true,
    "PodSpec.preemptionPolicy": "PreemptLowerPriority",
    "PodSpec.securityContext": {},
    "Container.terminationMessagePath": "/dev/termination-log",
    "Container.terminationMessagePolicy": "File",
    "Container.imagePullPolicy": "Always",
  },
};

function normalObject(value: unknown, shape: Shape, known: Defaults): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, content]) => {
    const member = shape.byName.get(name);
    if (member === undefined) return [[name, content]];
    const normal = normalMember(content, member, known);
    return normal === undefined || isDefault(normal, member, known) ? [] : [[name, normal]];
  });
  return Object.fromEntries(members);
}

/** Undefined if the value means the same as an absent field. */
function normalMember(content: unknown, member: Member, known: Defaults): unknown {
  const { collection, nullable, typedShape } = member;
  const normal = (value: unknown) => normalElement(value, member, known);
  if (content === null) return undefined;
  if (collection === "list" && Array.isArray(content)) {
    return content.length === 0 ? undefined : content.map(normal);
  }
  if (collection === "map" && isObject(content)) {
    const entries = Object.entries(content).map(([key, value]) => [key, normal(value)]);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  const own = normal(content);
  if (nullable) return own;
  const isZero = typedShape === undefined ? !own : isEmpty(own);
  return isZero ? undefined : own;
}

function normalElement(value: unknown, { type, typedShape }: Member, known: Defaults): unknown {
  if (typedShape !== undefined) return normalObject(value, typedShape, known);
  if (type !== "Quantity" || (typeof value !== "string" && typeof value !== "number")) return value;
  return canonicalQuantity(value) ?? value;
}

function isDefault(value: unknown, { declaredBy, name }: Member, known: Defaults): boolean {
  const usual = known[`${declaredBy}.${name}`];
  return Object.is(usual, value) || (isEmpty(usual) && isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * Returns an object without the labels, annotations and finalizers that a webhook added for its own purposes. JobSet
 * does not define them.
 *
 * @param sent - the object in the request, whose metadata is kept
 */
export function withoutForeignMetadata(object: unknown, sent: unknown): unknown {
  if (!isObject(object) || !isObject(object.metadata)) return object;
  const old = isObject(sent) && isObject(sent.metadata) ? sent.metadata : {};
  const { labels, annotations, finalizers } = object.metadata;
  const isKept = (list: unknown, name: unknown) =>
    !isForeign(name) || (Array.isArray(list) && list.includes(name));
  const keepOriginalEntries = (map: unknown, before: unknown) => {
    if (!isObject(map)) return map;
    const keys = isObject(before) ? Object.keys(before) : [];
    return Object.fromEntries(Object.entries(map).filter(([key]) => isKept(keys, key)));
  };
  const metadata = {
    ...object.metadata,
    labels: keepOriginalEntries(labels, old.labels),
    annotations: keepOriginalEntries(annotations, old.annotations),
    finalizers: Array.isArray(finalizers)
      ? finalizers.filter((one) => isKept(old.finalizers, one))
      : finalizers,
  };
  return { ...object, metadata };
}

/** Keys that have a meaning for JobSet or for the Job controller. */
const known = /(^|\.)(jobset\.sigs\.k8s\.io|jobset\.x-k8s\.io|batch\.kubernetes\.io)\//;

function isForeign(name: unknown): boolean {
  return typeof name === "string" && !known.test(name);
}
