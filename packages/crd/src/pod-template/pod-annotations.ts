import { forbidden, invalid } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { FoundErrors } from "../found-errors.ts";
import { mapIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { listContainers } from "./containers.ts";
import { descendingPathErrors } from "./paths.ts";
import { tolerationErrors } from "./tolerations.ts";

const MIRROR_KEY = "kubernetes.io/config.mirror";
const TOLERATIONS_KEY = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST_KEY = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_POD_KEY = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_PREFIX = "container.seccomp.security.alpha.kubernetes.io/";
const APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";
const LOCALHOST_PREFIX = "localhost/";

/**
 * Yields the errors in the values of the annotations that the API server reads.
 *
 * @see Kubernetes `ValidatePodSpecificAnnotations`
 */
export function* podAnnotationErrors(
  annotations: JsonObject,
  spec: JsonObject,
  field: string,
): FoundErrors {
  const mirror = optionalTextIn(annotations, MIRROR_KEY);
  if (mirror !== undefined && textIn(spec, "nodeName") === "") {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    yield invalid(`${field}[${MIRROR_KEY}]`, mirror, detail);
  }
  yield* tolerationAnnotationErrors(textIn(annotations, TOLERATIONS_KEY), field);
  yield* deletionCostErrors(annotations, field);
  const ofPod = optionalTextIn(annotations, SECCOMP_POD_KEY);
  if (ofPod !== undefined) yield* seccompValueErrors(ofPod, `${field}.${SECCOMP_POD_KEY}`);
  for (const key of Object.keys(annotations)) {
    if (!key.startsWith(SECCOMP_PREFIX)) continue;
    yield* seccompValueErrors(textIn(annotations, key), `${field}.${key}`);
  }
  yield* appArmorAnnotationErrors(annotations, spec, field);
}

function* tolerationAnnotationErrors(text: string, field: string): FoundErrors {
  if (text === "") return;
  const tolerations = parseList(text);
  if (tolerations === undefined) {
    yield invalid(field, TOLERATIONS_KEY, "must be a list of tolerations in JSON");
    return;
  }
  for (const error of tolerationErrors({ tolerations }, "")) {
    yield {
      ...error,
      field: `${field}.${TOLERATIONS_KEY}${error.field.slice(".tolerations".length)}`,
    };
  }
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function* deletionCostErrors(annotations: JsonObject, field: string): FoundErrors {
  const cost = optionalTextIn(annotations, DELETION_COST_KEY);
  if (cost === undefined || isInt32Text(cost)) return;
  yield invalid(`${field}[${DELETION_COST_KEY}]`, cost, "must be a 32bit integer");
}

function isInt32Text(text: string): boolean {
  if (!/^(0|-\d+|[1-9]\d*)$/.test(text)) return false;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31;
}

function* seccompValueErrors(value: string, field: string): FoundErrors {
  if (["runtime/default", "docker/default", "unconfined"].includes(value)) return;
  if (value.startsWith(LOCALHOST_PREFIX)) {
    yield* descendingPathErrors(value.slice(LOCALHOST_PREFIX.length), field);
  } else yield invalid(field, value, "must be a valid seccomp profile");
}

function* appArmorAnnotationErrors(
  annotations: JsonObject,
  spec: JsonObject,
  field: string,
): FoundErrors {
  const keys = Object.keys(annotations).filter((key) => key.startsWith(APP_ARMOR_PREFIX));
  if (keys.length === 0) return;
  const names = new Set(listContainers(spec, "").map(([container]) => textIn(container, "name")));
  for (const key of keys) {
    const name = key.slice(APP_ARMOR_PREFIX.length);
    const profile = textIn(annotations, key);
    if (!names.has(name)) yield invalid(`${field}[${key}]`, name, "container not found");
    const isValid =
      ["", "runtime/default", "unconfined"].includes(profile) ||
      profile.startsWith(LOCALHOST_PREFIX);
    if (isValid) continue;
    const detail = `invalid AppArmor profile name: ${goQuote(profile)}`;
    yield invalid(`${field}[${key}]`, profile, detail);
  }
}

/** The older way to set a profile is an annotation, the newer one is a member of a security context. */
interface ProfileKind {
  readonly member: string;
  readonly shown: string;
  readonly prefix: string;
  readonly runtimeDefaults: readonly string[];
}

const seccomp: ProfileKind = {
  member: "seccompProfile",
  shown: "seccomp",
  prefix: SECCOMP_PREFIX,
  runtimeDefaults: ["runtime/default", "docker/default"],
};
const appArmor: ProfileKind = {
  member: "appArmorProfile",
  shown: "apparmor",
  prefix: APP_ARMOR_PREFIX,
  runtimeDefaults: ["runtime/default"],
};

/** Yields an error for each profile that differs from its annotation. */
export function* profileAnnotationErrors(
  annotations: JsonObject,
  spec: JsonObject,
  path: string,
): FoundErrors {
  if (!Object.keys(annotations).some(isProfileKey)) return;
  const ofPod = mapIn(spec, "securityContext");
  const podSeccomp = objectIn(ofPod, "seccompProfile");
  const containers = listContainers(spec, path);
  if (podSeccomp !== undefined) {
    const annotation = optionalTextIn(annotations, SECCOMP_POD_KEY);
    yield* mismatchErrors(podSeccomp, annotation, seccomp, `${path}.securityContext`);
  }
  for (const [container, at] of containers) {
    yield* containerMismatchErrors(container, annotations, seccomp, at, undefined);
  }
  if (textIn(mapIn(spec, "os"), "name") === "windows") return;
  const podAppArmor = objectIn(ofPod, "appArmorProfile");
  for (const [container, at] of containers) {
    yield* containerMismatchErrors(container, annotations, appArmor, at, podAppArmor);
  }
}

function isProfileKey(key: string): boolean {
  return (
    key === SECCOMP_POD_KEY || key.startsWith(SECCOMP_PREFIX) || key.startsWith(APP_ARMOR_PREFIX)
  );
}

function* containerMismatchErrors(
  container: JsonObject,
  annotations: JsonObject,
  kind: ProfileKind,
  path: string,
  inherited: JsonObject | undefined,
): FoundErrors {
  const own = objectIn(mapIn(container, "securityContext"), kind.member);
  const annotation = optionalTextIn(annotations, kind.prefix + textIn(container, "name"));
  const profile = own ?? inherited;
  if (profile === undefined) return;
  yield* mismatchErrors(profile, annotation, kind, `${path}.securityContext`);
}

function* mismatchErrors(
  profile: JsonObject,
  annotation: string | undefined,
  { member, shown, runtimeDefaults }: ProfileKind,
  path: string,
): FoundErrors {
  if (annotation === undefined) return;
  const field = `${path}.${member}`;
  const typeMismatch = forbidden(
    `${field}.type`,
    `${shown} type in annotation and field must match`,
  );
  switch (textIn(profile, "type")) {
    case "Unconfined":
      if (annotation !== "unconfined") yield typeMismatch;
      return;
    case "RuntimeDefault":
      if (!runtimeDefaults.includes(annotation)) yield typeMismatch;
      return;
    case "Localhost":
      if (!annotation.startsWith(LOCALHOST_PREFIX)) yield typeMismatch;
      else if (
        annotation.slice(LOCALHOST_PREFIX.length) !== optionalTextIn(profile, "localhostProfile")
      ) {
        const detail = `${shown} profile in annotation and field must match`;
        yield forbidden(`${field}.localhostProfile`, detail);
      }
  }
}
