import { isObject, type JsonObject } from "../members.ts";
import { getMember, isAbsent } from "./json-object.ts";
import { type Element, type ElementType, getElement, type Member } from "./shape.ts";
import type { ShapeName } from "./shapes.ts";
import { mapShared } from "./shared-list.ts";

/**
 * Fills in the API server's defaults of a Job, a Pod template or a PersistentVolumeClaim. Two objects are equal for the
 * server if they are {@link semanticEqual} afterwards. Does not include the defaults of a JobSet, which come from its
 * schema and its webhook, or defaults that only a Pod gets.
 *
 * @param value - any JSON value; parts of another type are not changed
 * @returns the same object if nothing is missing; unchanged parts are shared with the input
 * @see Kubernetes `SetDefaults_Job`, `SetDefaults_PodSpec`, `SetDefaults_Container`, `SetDefaults_Volume`
 * @example setApiDefaults({ completions: 3, template: {} }, "JobSpec").backoffLimit // => 6
 */
export function setApiDefaults<Value>(value: Value, type: ElementType): Value {
  return defaultElement(value, getElement(type)) as Value;
}

/**
 * Returns the defaults of an object's members by its type. The API server sets them if the members are absent.
 * They may depend on other members of the object.
 *
 * @example apiDefaults({ image: "busybox:1.36" }, "Container").imagePullPolicy // => "IfNotPresent"
 */
export function apiDefaults(value: unknown, type: ElementType): JsonObject {
  if (!isObject(value) || !Object.hasOwn(DEFAULTS, type)) return NONE;
  return DEFAULTS[type as ShapeName]?.(value) ?? NONE;
}

const NONE: JsonObject = {};

function defaultElement(value: unknown, { type, typedShape }: Element): unknown {
  if (typedShape === undefined || !isObject(value)) return value;
  let filled: Record<string, unknown> | undefined;
  const defaults = apiDefaults(value, type);
  for (const member of typedShape.members) {
    const given = getMember(value, member.name);
    const present =
      (isZero(given, member) ? undefined : given) ?? getMember(defaults, member.name) ?? given;
    const next = present === undefined ? impliedMember(member) : defaultedMember(present, member);
    if (next === given) continue;
    filled ??= { ...value };
    filled[member.name] = next;
  }
  return filled ?? value;
}

/** In Go, a scalar that cannot be null is absent if it is zero. */
function isZero(value: unknown, { nullable, collection }: Member): boolean {
  if (nullable || collection !== "none") return false;
  return value === "" || value === 0 || value === false;
}

/** Returns the value of an absent object member: its defaults, if it has any. */
function impliedMember(member: Member): unknown {
  const { collection, nullable, typedShape } = member;
  if (typedShape === undefined || nullable || collection !== "none") return undefined;
  const implied = defaultElement(NONE, member);
  return implied === NONE ? undefined : implied;
}

function defaultedMember(value: unknown, member: Member): unknown {
  if (member.typedShape === undefined) return value;
  switch (member.collection) {
    case "none":
      return defaultElement(value, member);
    case "list":
      return Array.isArray(value)
        ? mapShared<unknown>(value, (one) => defaultElement(one, member))
        : value;
    case "map":
      // No map of the API contains objects with defaults.
      return value;
  }
}

const MODE_0644 = 0o644;
const NO_BACKOFF_LIMIT = 2 ** 31 - 1;

const volumeFileDefaults: Defaults = () => ({ defaultMode: MODE_0644 });
const createContainerDefaults: Defaults = ({ image }) => ({
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: getPullPolicy(image),
});

type Defaults = (value: JsonObject) => JsonObject;

const DEFAULTS: Readonly<Partial<Record<ShapeName, Defaults>>> = {
  JobSpec: ({ parallelism, completions, backoffLimitPerIndex, podFailurePolicy }) => ({
    ...(isAbsent(parallelism) && isAbsent(completions) && { completions: 1 }),
    parallelism: 1,
    completionMode: "NonIndexed",
    backoffLimit: isAbsent(backoffLimitPerIndex) ? 6 : NO_BACKOFF_LIMIT,
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: isAbsent(podFailurePolicy) ? "TerminatingOrFailed" : "Failed",
    managedBy: "kubernetes.io/job-controller",
  }),
  PodFailurePolicyOnPodConditionsPattern: () => ({ status: "True" }),
  PodSpec: ({ serviceAccountName }) => ({
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
    securityContext: {},
    enableServiceLinks: true,
    ...(typeof serviceAccountName === "string" && { serviceAccount: serviceAccountName }),
  }),
  Container: createContainerDefaults,
  EphemeralContainer: createContainerDefaults,
  ContainerPort: () => ({ protocol: "TCP" }),
  Probe: () => ({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: () => ({ path: "/", scheme: "HTTP" }),
  GRPCAction: () => ({ service: "" }),
  ObjectFieldSelector: () => ({ apiVersion: "v1" }),
  // A volume without a source is an emptyDir.
  Volume: ({ name: _, ...sources }) =>
    Object.values(sources).some((source) => !isAbsent(source)) ? NONE : { emptyDir: {} },
  HostPathVolumeSource: () => ({ type: "" }),
  SecretVolumeSource: volumeFileDefaults,
  ConfigMapVolumeSource: volumeFileDefaults,
  DownwardAPIVolumeSource: volumeFileDefaults,
  ProjectedVolumeSource: volumeFileDefaults,
  ServiceAccountTokenProjection: () => ({ expirationSeconds: 3600 }),
  ISCSIVolumeSource: () => ({ iscsiInterface: "default" }),
  RBDVolumeSource: () => ({ pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  AzureDiskVolumeSource: () => ({
    cachingMode: "ReadWrite",
    fsType: "ext4",
    readOnly: false,
    kind: "Shared",
  }),
  ScaleIOVolumeSource: () => ({ storageMode: "ThinProvisioned", fsType: "xfs" }),
  ImageVolumeSource: ({ reference }) => ({ pullPolicy: getPullPolicy(reference) }),
  PersistentVolumeClaimSpec: () => ({ volumeMode: "Filesystem" }),
};

/** An image without a tag may change, so it is always pulled. */
function getPullPolicy(image: unknown): string {
  const name = typeof image === "string" ? (image.split("/").at(-1) ?? "") : "";
  const isFixed = name.includes("@") || (name.includes(":") && !name.endsWith(":latest"));
  return isFixed ? "IfNotPresent" : "Always";
}
