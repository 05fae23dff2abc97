import { formatFieldError, required } from "@jobset-ts/api/errors";
import { asArray, asString, isObject, parseQuantity } from "@jobset-ts/api/kubernetes";
import { decodeErrors, isInt64, type ShapeName } from "@jobset-ts/api/typed";
import type { RequestedObject, ServerRejection } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import { createRejection } from "./rejections.ts";

/** The maximum nesting depth of an object. No API object comes close to it. */
export const MAX_DEPTH = 500;

/**
 * Rejects a body that cannot be decoded into its kind, as an API server does before any other check. Other components
 * rely on this and read objects without checks.
 *
 * @see Kubernetes `runtime.Decode`
 */
export function findDecodingRejection(
  { apiVersion, kind }: KindRules,
  object: RequestedObject,
): ServerRejection | undefined {
  const error = findDecodingError(kind, object);
  if (error === undefined) return undefined;
  const apiKind = `${kind} in version "${apiVersion.split("/").at(-1)}"`;
  return createRejection(400, "BadRequest", `${apiKind} cannot be handled as a ${kind}: ${error}`);
}

function findDecodingError(kind: string, object: RequestedObject): string | undefined {
  if (isDeeperThan(object, MAX_DEPTH)) return `it is nested deeper than ${MAX_DEPTH} levels`;
  // Go decodes null as an empty element. No client needs that, and every reader would have to handle it.
  const empty = findNullElement(kind === "JobSet" ? { metadata: object.metadata } : object, "");
  if (empty !== undefined) return `${empty}: must not be null`;
  for (const [member, shape] of [["metadata", "FullObjectMeta"], ...getShapes(kind)] as const) {
    const [error] = decodeErrors(object[member] ?? {}, shape).errors;
    if (error === undefined) continue;
    return formatFieldError({
      ...error,
      field: member + (error.field === "" ? "" : `.${error.field}`),
    });
  }
  for (const [index, owner] of asArray(object.metadata?.ownerReferences).entries()) {
    const path = `metadata.ownerReferences[${index}].uid`;
    if (asString(owner.uid) === "") return formatFieldError(required(path, "must not be empty"));
  }
  return findFormError(object, OTHER_MEMBERS[kind] ?? {}, "");
}

/** Returns the members that the table of shapes covers. Custom resources have a schema instead. */
function getShapes(kind: string): readonly (readonly [member: string, shape: ShapeName])[] {
  switch (kind) {
    case "Job":
      return [["spec", "JobSpec"]];
    case "Pod":
      return [
        ["spec", "PodSpec"],
        ["status", "PodStatus"],
      ];
    case "PersistentVolumeClaim":
      return [
        ["spec", "PersistentVolumeClaimSpec"],
        ["status", "PersistentVolumeClaimStatus"],
      ];
    default:
      return [];
  }
}

/** The expected form of a value: a scalar, a list, or an object with members. `*` stands for any member name. */
type ValueForm =
  | "string"
  | "boolean"
  | "integer"
  | "Quantity"
  | readonly [ValueForm]
  | { readonly [member: string]: ValueForm };

const CONDITIONS: ValueForm = [
  {
    type: "string",
    status: "string",
    reason: "string",
    message: "string",
    lastProbeTime: "string",
    lastTransitionTime: "string",
    lastHeartbeatTime: "string",
    observedGeneration: "integer",
  },
];
const TEXTS: ValueForm = { "*": "string" };
const QUANTITIES: ValueForm = { "*": "Quantity" };
const SELECTOR: ValueForm = {
  matchLabels: TEXTS,
  matchExpressions: [{ key: "string", operator: "string", values: ["string"] }],
};
const REFERENCE: ValueForm = {
  apiVersion: "string",
  kind: "string",
  namespace: "string",
  name: "string",
  uid: "string",
};

/** The members that components read and that the table of shapes does not cover. */
const OTHER_MEMBERS: Readonly<Record<string, { readonly [member: string]: ValueForm }>> = {
  JobSet: { spec: {}, status: {} },
  Job: {
    status: {
      conditions: CONDITIONS,
      startTime: "string",
      completionTime: "string",
      active: "integer",
      succeeded: "integer",
      failed: "integer",
      ready: "integer",
      terminating: "integer",
      completedIndexes: "string",
      failedIndexes: "string",
      uncountedTerminatedPods: { succeeded: ["string"], failed: ["string"] },
    },
  },
  Node: {
    spec: {
      unschedulable: "boolean",
      taints: [{ key: "string", value: "string", effect: "string", timeAdded: "string" }],
    },
    status: { allocatable: QUANTITIES, capacity: QUANTITIES, conditions: CONDITIONS },
  },
  Service: {
    spec: {
      clusterIP: "string",
      selector: TEXTS,
      publishNotReadyAddresses: "boolean",
      type: "string",
    },
  },
  PriorityClass: {
    value: "integer",
    globalDefault: "boolean",
    preemptionPolicy: "string",
    description: "string",
  },
  PodDisruptionBudget: {
    spec: { selector: SELECTOR },
    status: { disruptionsAllowed: "integer", conditions: CONDITIONS },
  },
  Event: {
    regarding: REFERENCE,
    related: REFERENCE,
    type: "string",
    reason: "string",
    action: "string",
    note: "string",
    eventTime: "string",
    reportingController: "string",
    reportingInstance: "string",
    series: { count: "integer", lastObservedTime: "string" },
  },
  Workload: {
    spec: {
      active: "boolean",
      queueName: "string",
      priority: "integer",
      priorityClassName: "string",
      podSets: [{ name: "string", count: "integer", template: {} }],
    },
    status: {
      conditions: CONDITIONS,
      admission: {
        clusterQueue: "string",
        podSetAssignments: [
          { name: "string", count: "integer", flavors: TEXTS, resourceUsage: QUANTITIES },
        ],
      },
      reclaimablePods: [{ name: "string", count: "integer" }],
    },
  },
};

/**
 * Returns why a value does not have the expected form. `null` matches every form, like an absent
 * value.
 */
function findFormError(value: unknown, form: ValueForm, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof form === "string") {
    return isScalar(value, form) ? undefined : `${path}: must be of type ${form}`;
  }
  if (isListForm(form)) {
    if (!Array.isArray(value)) return `${path}: must be a list`;
    for (const [index, element] of value.entries()) {
      const error = findFormError(element, form[0], `${path}[${index}]`);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isObject(value)) return `${path}: must be an object`;
  for (const [name, member] of Object.entries(value)) {
    const memberForm = form["*"] ?? (Object.hasOwn(form, name) ? form[name] : undefined);
    const at = path === "" ? name : `${path}.${name}`;
    const error = memberForm === undefined ? undefined : findFormError(member, memberForm, at);
    if (error !== undefined) return error;
  }
  return undefined;
}

function isListForm(form: ValueForm): form is readonly [ValueForm] {
  return Array.isArray(form);
}

function isScalar(value: unknown, form: ValueForm & string): boolean {
  if (form === "integer") return isInt64(value);
  return form === "Quantity" ? parseQuantity(value).ok : typeof value === form;
}

/** Returns the path of the first list element that is `null`. The value must not be nested too deeply. */
function findNullElement(value: unknown, path: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const isElement = Array.isArray(value);
    const at = isElement ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    if (isElement && (part ?? null) === null) return at;
    const error = findNullElement(part, at);
    if (error !== undefined) return error;
  }
  return undefined;
}

/**
 * Returns whether a value is nested deeper than some number of levels. It is iterative, because deep nesting would
 * overflow the stack.
 */
function isDeeperThan(value: unknown, levels: number): boolean {
  let parts: unknown[] = [value];
  for (let level = 0; parts.length > 0; level++) {
    if (level > levels) return true;
    parts = parts.flatMap((part) =>
      typeof part === "object" && part !== null
        ? Object.values(part).filter((one) => typeof one === "object" && one !== null)
        : [],
    );
  }
  return false;
}
