import { formatTime } from "@jobset-ts/api";
import { canonicalQuantity, isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  apiDefaults,
  getShape,
  type Member,
  readTimestamp,
  type Shape,
  type ShapeName,
  semanticEqual,
  setApiDefaults,
} from "@jobset-ts/api/typed";

/**
 * The scalars in an object by path, as text. Objects that are equal to the API server have the same leaves. They may
 * differ in absent, empty and default fields, and in the format of quantities and times.
 */
export type LeafValues = ReadonlyMap<string, string>;

/** The types of `spec` by kind. Other kinds have no defaults except {@link serviceDefaults}. */
const specTypes: Readonly<Record<string, ShapeName>> = {
  JobSet: "JobSetSpec",
  Job: "JobSpec",
  Pod: "PodSpec",
  PersistentVolumeClaim: "PersistentVolumeClaimSpec",
};

/**
 * Lists that are sets, with the name of the field that identifies an element. Empty if the whole element identifies
 * itself.
 */
const setKeys: Readonly<Record<string, string>> = {
  conditions: "type",
  replicatedJobsStatus: "name",
  ownerReferences: "uid",
  finalizers: "",
  tolerations: "",
  schedulingGates: "name",
  volumes: "name",
  volumeMounts: "mountPath",
  imagePullSecrets: "name",
  hostAliases: "ip",
  topologySpreadConstraints: "",
  accessModes: "",
};

/** Maps with user-defined keys. An entry with an empty value counts. */
const mapNames: ReadonlySet<string> = new Set(["labels", "annotations", "selector", "matchLabels"]);

/** Types whose empty objects have no meaning, although Go distinguishes them from absent ones. */
const transparentTypes: ReadonlySet<string> = new Set<ShapeName>([
  "Affinity",
  "NodeAffinity",
  "PodAffinity",
  "PodAntiAffinity",
  "PodSecurityContext",
  "SecurityContext",
  "Capabilities",
  "PodDNSConfig",
  "Lifecycle",
  "ResourceRequirements",
]);

/**
 * Fields that only the server writes. Also messages and the observed generation of conditions, which each controller
 * may choose.
 */
const FREE =
  /^metadata\.(resourceVersion|uid|creationTimestamp|generation|managedFields|namespace|generateName|selfLink)$|^status\.conditions\[[^\]]*\]\.(message|type|observedGeneration)$|^status\.replicatedJobsStatus\[[^\]]*\]\.name$|^apiVersion$/;

/** Objects are immutable, so their leaves can be cached. */
const known = new WeakMap<KubernetesObject, LeafValues>();

const NO_LEAVES: LeafValues = new Map();

export function listLeaves(object: KubernetesObject | undefined): LeafValues {
  if (object === undefined) return NO_LEAVES;
  const before = known.get(object);
  if (before !== undefined) return before;
  const leaves = new Map<string, string>();
  const { spec, ...others } = object as unknown as Record<string, unknown>;
  const type = specTypes[object.kind];
  if (type !== undefined && isObject(spec)) {
    collectTyped(
      type === "JobSpec" ? withoutOneCompletion(spec) : spec,
      getShape(type),
      "spec",
      leaves,
    );
  } else {
    collect(
      object.kind === "Service" ? withoutServiceDefaults(spec) : spec,
      "spec",
      "spec",
      leaves,
    );
  }
  collect(others, "", "", leaves);
  known.set(object, leaves);
  return leaves;
}

/** Returns whether two values of a type are equal to the API server. */
export function isSameToServer(one: unknown, other: unknown, type: ShapeName): boolean {
  return (
    one === other || semanticEqual(setApiDefaults(one, type), setApiDefaults(other, type), type)
  );
}

/** Removes the default number of completions. The server sets this default also if `parallelism` is absent. */
function withoutOneCompletion(spec: object): object {
  const { completions, ...others } = spec as Readonly<Record<string, unknown>>;
  return completions === 1 ? others : spec;
}

function collectTyped(
  value: object,
  shape: Shape,
  path: string,
  leaves: Map<string, string>,
): void {
  const defaults = apiDefaults(value, shape.name);
  const members = shape.name === "Volume" ? { ...defaults, ...value } : value;
  for (const name of Object.keys(members)) {
    const actual = (members as Readonly<Record<string, unknown>>)[name];
    if (actual === null || actual === undefined) continue;
    const at = `${path}.${name}`;
    const member = shape.byName.get(name);
    if (member === undefined) {
      collect(actual, name, at, leaves);
      continue;
    }
    if (typeof actual !== "object" && Object.hasOwn(defaults, name) && defaults[name] === actual)
      continue;
    if (member.collection === "none") collectMember(actual, member, at, leaves);
    else if (member.collection === "map")
      collectMap(actual, at, leaves, member.type === "Quantity");
    else if (Array.isArray(actual)) collectList(actual, name, at, leaves, member.typedShape);
    else setLeaf(leaves, at, actual);
  }
}

function collectMember(
  actual: unknown,
  { type, typedShape, nullable }: Member,
  path: string,
  leaves: Map<string, string>,
): void {
  if (typedShape === undefined || !isObject(actual)) {
    const isZero = actual === 0 || actual === "" || actual === false;
    if (nullable || !isZero) setLeaf(leaves, path, type === "Quantity" ? amount(actual) : actual);
    return;
  }
  const { size } = leaves;
  collectTyped(actual, typedShape, path, leaves);
  // An empty object may have a meaning, as in `emptyDir: {}`.
  if (leaves.size === size && nullable && !transparentTypes.has(typedShape.name))
    leaves.set(path, "{}");
}

function collectMap(
  actual: unknown,
  path: string,
  leaves: Map<string, string>,
  isOfQuantities: boolean,
): void {
  for (const [key, value] of Object.entries(isObject(actual) ? actual : {})) {
    if (value !== null && value !== undefined)
      setLeaf(leaves, `${path}.${key}`, isOfQuantities ? amount(value) : value);
  }
}

/** Elements of a set are identified by key, others by index. */
function collectList(
  list: readonly unknown[],
  name: string,
  path: string,
  leaves: Map<string, string>,
  shape?: Shape,
): void {
  const key = setKeys[name];
  const met = new Map<unknown, number>();
  for (const [index, element] of list.entries()) {
    const own = key === undefined ? index : getElementKey(element, key, shape);
    // A duplicate element makes a different set.
    const times = met.get(own) ?? 0;
    met.set(own, times + 1);
    const at = `${path}[${times === 0 ? own : `${own}, ${times + 1}`}]`;
    const { size } = leaves;
    if (shape !== undefined && isObject(element)) collectTyped(element, shape, at, leaves);
    else collect(element, "", at, leaves);
    // The existence of the element counts, too.
    if (leaves.size === size && path.startsWith("spec.") && isObject(element)) leaves.set(at, "{}");
  }
}

function getElementKey(element: unknown, key: string, shape: Shape | undefined): unknown {
  if (key !== "" && isObject(element)) return element[key];
  if (shape === undefined || !isObject(element)) return JSON.stringify(element);
  const leaves = new Map<string, string>();
  collectTyped(element, shape, "", leaves);
  return JSON.stringify([...leaves].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Collects untyped values. Empty, zero and false values count as absent.
 *
 * @param name - the last part of the path
 */
function collect(value: unknown, name: string, path: string, leaves: Map<string, string>): void {
  if (Array.isArray(value)) {
    collectList(value, name, path, leaves);
  } else if (isObject(value) && mapNames.has(name)) {
    collectMap(value, path, leaves, false);
  } else if (isObject(value)) {
    for (const [member, below] of Object.entries(value)) {
      collect(below, member, path === "" ? member : `${path}.${member}`, leaves);
    }
  } else {
    const isNothing = [undefined, null, 0, "", false].includes(value as string);
    if (!isNothing && !FREE.test(path)) setLeaf(leaves, path, value);
  }
}

function setLeaf(leaves: Map<string, string>, path: string, value: unknown): void {
  leaves.set(path, JSON.stringify(storedTime(value)));
}

function amount(value: unknown): unknown {
  return canonicalQuantity(value) ?? value;
}

/** A server stores times in UTC with whole seconds. */
function storedTime(value: unknown): unknown {
  if (typeof value !== "string" || !TIME.test(value)) return value;
  const time = readTimestamp(value);
  return time === undefined ? value : formatTime(Number(time.seconds) * 1000);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?!Z$)/;

const serviceDefaults: Readonly<Record<string, unknown>> = {
  type: "ClusterIP",
  sessionAffinity: "None",
  internalTrafficPolicy: "Cluster",
  ipFamilyPolicy: "SingleStack",
};

function withoutServiceDefaults(spec: unknown): unknown {
  if (!isObject(spec)) return spec;
  const { clusterIPs, ipFamilies, ports, ...members } = spec;
  const isSameAddress = isListOf(clusterIPs, members.clusterIP);
  return {
    ...Object.fromEntries(
      Object.entries(members).filter(([name, value]) => serviceDefaults[name] !== value),
    ),
    ...(!isSameAddress && { clusterIPs }),
    // The default of most clusters.
    ...(!isListOf(ipFamilies, "IPv4") && { ipFamilies }),
    ports: Array.isArray(ports) ? ports.map(withoutPortDefaults) : ports,
  };
}

function isListOf(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.length === 1 && list[0] === value;
}

function withoutPortDefaults(actual: unknown): unknown {
  if (!isObject(actual)) return actual;
  const { protocol, targetPort, ...port } = actual;
  return {
    ...port,
    ...(protocol !== "TCP" && { protocol }),
    ...(targetPort !== port.port && { targetPort }),
  };
}

/** Returns the paths at which two objects differ. */
export function differences(one: LeafValues, other: LeafValues): readonly string[] {
  if (one === other) return [];
  return [
    ...[...one.keys()].filter((path) => one.get(path) !== other.get(path)),
    ...[...other.keys()].filter((path) => !one.has(path)),
  ];
}

/** Formats the value at a path. */
export function valueText(leaves: LeafValues, path: string): string {
  return leaves.get(path) ?? "nothing";
}

/** Reports whether a path is that of a field or, if the field is a list element, of a part of it. */
export function isBelow(path: string, member: string): boolean {
  return path === member || (member.endsWith("]") && path.startsWith(`${member}.`));
}
