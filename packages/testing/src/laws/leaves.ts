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
 * The scalars in an object by their paths, as text. Two spellings that mean the same to the API server have the same leaves:
 * absent and empty members, absent and default ones, other texts of a quantity or a time.
 */
export type Leaves = ReadonlyMap<string, string>;

/** The types of `spec` by kind. What has no type here has no defaults but {@link serviceDefaults}. */
const specTypes: Readonly<Record<string, ShapeName>> = {
  JobSet: "JobSetSpec",
  Job: "JobSpec",
  Pod: "PodSpec",
  PersistentVolumeClaim: "PersistentVolumeClaimSpec",
};

/** Lists that are sets: their elements are told by this member, or by all that they hold. */
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

/** Maps with the keys of users: an entry with an empty text is an entry. */
const mapNames: ReadonlySet<string> = new Set(["labels", "annotations", "selector", "matchLabels"]);

/** Objects that say nothing if they are empty, though Go tells an empty one from an absent one. */
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

/** Members that only the server writes; messages, and the generation of a condition, which each controller writes as it likes. */
const FREE =
  /^metadata\.(resourceVersion|uid|creationTimestamp|generation|managedFields|namespace|generateName|selfLink)$|^status\.conditions\[[^\]]*\]\.(message|type|observedGeneration)$|^status\.replicatedJobsStatus\[[^\]]*\]\.name$|^apiVersion$/;

/** A write gives an object a successor and leaves it as it is, so what was read of it once holds. */
const known = new WeakMap<KubernetesObject, Leaves>();

const none: Leaves = new Map();

export function listLeaves(object: KubernetesObject | undefined): Leaves {
  if (object === undefined) return none;
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

/** Whether two values of a type mean the same to the API server. */
export function isSameToServer(one: unknown, other: unknown, type: ShapeName): boolean {
  return (
    one === other || semanticEqual(setApiDefaults(one, type), setApiDefaults(other, type), type)
  );
}

/** Without the number of completions that JobSet takes for granted, as the server does where `parallelism` is absent, too. */
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
    const given = (members as Readonly<Record<string, unknown>>)[name];
    if (given === null || given === undefined) continue;
    const at = `${path}.${name}`;
    const member = shape.byName.get(name);
    if (member === undefined) {
      collect(given, name, at, leaves);
      continue;
    }
    if (typeof given !== "object" && Object.hasOwn(defaults, name) && defaults[name] === given)
      continue;
    if (member.collection === "none") collectMember(given, member, at, leaves);
    else if (member.collection === "map") collectMap(given, at, leaves, member.type === "Quantity");
    else if (Array.isArray(given)) collectList(given, name, at, leaves, member.typedShape);
    else setLeaf(leaves, at, given);
  }
}

function collectMember(
  given: unknown,
  { type, typedShape, nullable }: Member,
  path: string,
  leaves: Map<string, string>,
): void {
  if (typedShape === undefined || !isObject(given)) {
    const isZero = given === 0 || given === "" || given === false;
    if (nullable || !isZero) setLeaf(leaves, path, type === "Quantity" ? amount(given) : given);
    return;
  }
  const { size } = leaves;
  collectTyped(given, typedShape, path, leaves);
  // An empty object may mean something, as `emptyDir: {}` does.
  if (leaves.size === size && nullable && !transparentTypes.has(typedShape.name))
    leaves.set(path, "{}");
}

function collectMap(
  given: unknown,
  path: string,
  leaves: Map<string, string>,
  isOfQuantities: boolean,
): void {
  for (const [key, value] of Object.entries(isObject(given) ? given : {})) {
    if (value !== null && value !== undefined)
      setLeaf(leaves, `${path}.${key}`, isOfQuantities ? amount(value) : value);
  }
}

/** Elements of a set stand under their keys, others under their indexes. */
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
    const own = key === undefined ? index : keyIn(element, key, shape);
    // An element that is there twice makes another set.
    const times = met.get(own) ?? 0;
    met.set(own, times + 1);
    const at = `${path}[${times === 0 ? own : `${own}, ${times + 1}`}]`;
    const { size } = leaves;
    if (shape !== undefined && isObject(element)) collectTyped(element, shape, at, leaves);
    else collect(element, "", at, leaves);
    // That it is there says something, too.
    if (leaves.size === size && path.startsWith("spec.") && isObject(element)) leaves.set(at, "{}");
  }
}

function keyIn(element: unknown, key: string, shape: Shape | undefined): unknown {
  if (key !== "" && isObject(element)) return element[key];
  if (shape === undefined || !isObject(element)) return JSON.stringify(element);
  const leaves = new Map<string, string>();
  collectTyped(element, shape, "", leaves);
  return JSON.stringify([...leaves].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Collects what has no type: what is empty, zero or false is as good as absent.
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

/** A server stores times in whole seconds of UTC. */
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
  const { clusterIPs, ports, ...members } = spec;
  const isSameAddress =
    Array.isArray(clusterIPs) && clusterIPs.length === 1 && clusterIPs[0] === members.clusterIP;
  return {
    ...Object.fromEntries(
      Object.entries(members).filter(([name, value]) => serviceDefaults[name] !== value),
    ),
    ...(!isSameAddress && { clusterIPs }),
    ports: Array.isArray(ports) ? ports.map(withoutPortDefaults) : ports,
  };
}

function withoutPortDefaults(given: unknown): unknown {
  if (!isObject(given)) return given;
  const { protocol, targetPort, ...port } = given;
  return {
    ...port,
    ...(protocol !== "TCP" && { protocol }),
    ...(targetPort !== port.port && { targetPort }),
  };
}

/** The paths at which two objects differ. */
export function differences(one: Leaves, other: Leaves): readonly string[] {
  if (one === other) return [];
  return [
    ...[...one.keys()].filter((path) => one.get(path) !== other.get(path)),
    ...[...other.keys()].filter((path) => !one.has(path)),
  ];
}

/** The value at a path, in words. */
export function valueText(leaves: Leaves, path: string): string {
  return leaves.get(path) ?? "nothing";
}
