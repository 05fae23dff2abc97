import type { PathStep } from "./field-path.ts";
import {
  COORDINATOR_KEY,
  DISABLE_IN_PLACE_RESTART_KEY,
  EXCLUSIVE_TOPOLOGY_KEY,
  GLOBAL_REPLICAS_KEY,
  GROUP_NAME_KEY,
  GROUP_REPLICAS_KEY,
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_GLOBAL_INDEX_KEY,
  JOB_GROUP_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
  REPLICATED_JOB_REPLICAS_KEY,
  RESTART_ATTEMPT_KEY,
} from "./keys.ts";

/**
 * The annotations whose values are not redacted: JobSet, Kueue and the Job controller define them, and decisions read
 * them. SECURITY.md lists them for users.
 */
export const UNREDACTED_ANNOTATIONS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  COORDINATOR_KEY,
  DISABLE_IN_PLACE_RESTART_KEY,
  EXCLUSIVE_TOPOLOGY_KEY,
  "jobset.sigs.k8s.io/execution-attempt",
  GLOBAL_REPLICAS_KEY,
  GROUP_NAME_KEY,
  GROUP_REPLICAS_KEY,
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_GLOBAL_INDEX_KEY,
  JOB_GROUP_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
  REPLICATED_JOB_REPLICAS_KEY,
  RESTART_ATTEMPT_KEY,
  "batch.kubernetes.io/job-index-failure-count",
  "batch.kubernetes.io/job-index-ignored-failure-count",
  "kueue.x-k8s.io/admission-gated-by",
  "kueue.x-k8s.io/elastic-job",
  "kueue.x-k8s.io/podset-group-name",
  "kueue.x-k8s.io/podset-preferred-topology",
  "kueue.x-k8s.io/podset-required-topology",
  "kueue.x-k8s.io/podset-slice-required-topology",
  "kueue.x-k8s.io/podset-slice-required-topology-constraints",
  "kueue.x-k8s.io/podset-slice-size",
  "kueue.x-k8s.io/podset-unconstrained-topology",
  "kueue.x-k8s.io/prebuilt-workload-name",
  "kueue.x-k8s.io/workload",
  "kueue.x-k8s.io/workload-slice-name",
]);

/**
 * The kinds of positions. The names of members decide the position of a value, independent of its type:
 *
 * - `Fields` and everything below is not redacted, except at the members that {@link getMemberPosition} knows.
 * - `PublicName` is the name of an object or a container: it is not redacted, and messages quote it.
 * - `Labels` is a map with keys that users choose, so they do not count as names of fields.
 * - `Name` is kept if it has the form of a name, `Kept` if it is text.
 * - `Command` is redacted with everything below. Messages may contain its first element if it {@link isProgram}.
 * - `Value` is redacted with everything below, including keys. `Text` is also redacted, but its individual words are not secret.
 * - The others have members or elements of these kinds.
 */
export type Position =
  | "Fields"
  | "PublicName"
  | "Labels"
  | "Annotations"
  | "Env"
  | "EnvVariable"
  | "Headers"
  | "Header"
  | "ValueFrom"
  | "Reference"
  | "Name"
  | "Kept"
  | "Command"
  | "Value"
  | "Text";

/** The fields below which values are redacted, at any depth of any object. */
const positions: ReadonlyMap<string, Position> = /* @__PURE__ */ new Map<string, Position>([
  ["env", "Env"],
  ["args", "Value"],
  ["command", "Command"],
  ["httpHeaders", "Headers"],
  ["annotations", "Annotations"],
  // Secrets and ConfigMaps are recognized by these members, because items of a typed list have no kind.
  ["data", "Text"],
  ["stringData", "Text"],
  ["binaryData", "Text"],
  ["kubectl.kubernetes.io/last-applied-configuration", "Text"],
  ["name", "PublicName"],
  ["namespace", "PublicName"],
  ["nodeName", "PublicName"],
  ["labels", "Labels"],
  ["matchLabels", "Labels"],
  ["nodeSelector", "Labels"],
  ["selector", "Labels"],
]);

/** Go decodes member names case-insensitively, so `Env` is `env`. */
const positionsInLowerCase: ReadonlyMap<string, Position> = /* @__PURE__ */ new Map(
  Array.from(positions, ([name, position]) => [name.toLowerCase(), position]),
);

function getFieldPosition(name: string): Position {
  const isOther = name.charCodeAt(0) < 0x61; // no field of Kubernetes begins with a capital letter
  const known = isOther ? undefined : positions.get(name);
  return known ?? (isOther ? positionsInLowerCase.get(name.toLowerCase()) : undefined) ?? "Fields";
}

const references: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "configMapKeyRef",
  "fieldRef",
  "fileKeyRef",
  "resourceFieldRef",
  "secretKeyRef",
]);

const referenceMembers: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "apiVersion",
  "containerName",
  "divisor",
  "fieldPath",
  "key",
  "name",
  "optional",
  "path",
  "resource",
  "volumeName",
]);

/** Returns the position of a member; undefined if the member's name itself is redacted, too. */
export function getMemberPosition(of: Position, name: string): Position | undefined {
  switch (of) {
    case "Fields":
    case "PublicName":
      return getFieldPosition(name);
    case "Labels":
      return getFieldPosition(name) === "Fields" ? "Fields" : "Labels";
    case "Annotations":
      if (UNREDACTED_ANNOTATIONS.has(name)) return "Kept";
      return isName(name) ? "Text" : undefined;
    case "EnvVariable":
      if (name === "valueFrom") return "ValueFrom";
      return name === "name" ? "Name" : name === "value" ? "Value" : undefined;
    case "Header":
      return name === "name" ? "Name" : name === "value" ? "Value" : undefined;
    case "ValueFrom":
      return references.has(name) ? "Reference" : undefined;
    case "Reference":
      return referenceMembers.has(name) ? "Name" : undefined;
    case "Env":
    case "Headers":
    case "Name":
    case "Kept":
    case "Command":
    case "Value":
    case "Text":
      return undefined;
  }
}

/** Returns the position of a list's elements. */
export function getElementPosition(of: Position): Position {
  switch (of) {
    case "Fields":
    case "PublicName":
    case "Labels":
      return "Fields";
    case "Env":
      return "EnvVariable";
    case "Headers":
      return "Header";
    case "Annotations":
    case "Kept":
    case "Text":
      return "Text";
    default:
      return "Value";
  }
}

/** Returns the position below a member whose name is redacted. */
export function positionBelowHidden(of: Position): Position {
  return of === "Annotations" || of === "Text" ? "Text" : "Value";
}

/**
 * Reports whether a text is the name of a variable, header, key or object, or the path of a field. `PASSWORD=x` and
 * sentences are not.
 */
export function isName(text: string): boolean {
  return text.length <= 317 && /^[-._/\w[\]']+$/.test(text);
}

/**
 * Reports whether the first element of a command names a program: a path such as `/opt/run.sh`, or a common program. The
 * container runtime names a program that it cannot start.
 */
export function isProgram(element: unknown): element is string {
  return typeof element === "string" && element.length <= 255 && PROGRAM.test(element);
}

const PROGRAM =
  /^(?:[-.\w]*(?:\/[-.\w]+)+|accelerate|bash|deepspeed|java|mpirun|node|python[.\d]*|ray|sh|torchrun)$/;

/**
 * Returns the part of a path that consists of field names. It ends before the first key that may be part of a redacted
 * value, such as the key of an object in a position for text.
 *
 * @example
 * redactPath(["spec", "env", 0, "value", "hunter2"]) // => ["spec", "env", 0, "value"]
 */
export function redactPath(steps: readonly PathStep[]): readonly PathStep[] {
  return followPath(steps).steps;
}

/**
 * Reports whether text and numbers at a path are redacted.
 *
 * @example
 * [isRedactedPath(["env", 0, "value"]), isRedactedPath(["env", 0, "name"]), isRedactedPath(["image"])] // => [true, true, false]
 */
export function isRedactedPath(steps: readonly PathStep[]): boolean {
  const { position } = followPath(steps);
  return position !== "Fields" && position !== "PublicName" && position !== "Labels";
}

function followPath(steps: readonly PathStep[]): {
  readonly steps: readonly PathStep[];
  readonly position: Position;
} {
  let position: Position = "Fields";
  for (const [index, step] of steps.entries()) {
    const next: Position | undefined =
      typeof step === "number" ? getElementPosition(position) : getMemberPosition(position, step);
    if (next === undefined) return { steps: steps.slice(0, index), position: "Value" };
    position = next;
  }
  return { steps, position };
}
