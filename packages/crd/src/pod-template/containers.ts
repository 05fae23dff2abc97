import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "@jobset-ts/api/errors";
import { type JsonObject, validateDNS1123Label } from "@jobset-ts/api/kubernetes";
import { jsonQuote } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, hasMember, mapIn, objectIn, optionalTextIn, textIn } from "../members-of.ts";
import { containerRestartErrors, resizePolicyErrors } from "./container-restarts.ts";
import { environmentErrors } from "./environment.ts";
import { hostPortConflicts, portErrors } from "./ports.ts";
import { initContainerHookErrors, isOnlyStopSignal, lifecycleAndProbeErrors } from "./probes.ts";
import { resourceErrors } from "./resources.ts";
import { securityContextErrors } from "./security-context.ts";
import { volumeDeviceErrors, volumeMountErrors } from "./volume-mounts.ts";
import { pullPolicyErrors } from "./volume-sources.ts";
import type { Volumes } from "./volumes.ts";

/** A container of any kind with its path. */
export type PlacedContainer = readonly [container: JsonObject, path: string];

/** The data about a Pod that the rules of its containers need. */
export interface PodContext {
  readonly volumes: Volumes;
  /** The names in `spec.resourceClaims`. */
  readonly claims: ReadonlySet<string>;
  readonly graceSeconds: number;
  readonly restartPolicy: string;
  readonly usesHostUsers: boolean;
}

/** Returns all containers in the order in which most rules visit them: init containers first. */
export function listContainers(spec: JsonObject, field: string): readonly PlacedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((name) =>
    elementsIn(spec, name, field).map(([container, path]) => [container, path] as const),
  );
}

/** Yields the errors in the containers of a Pod. */
export function* containerErrors(spec: JsonObject, path: string, pod: PodContext): FoundErrors {
  yield* mainContainerErrors(spec, path, pod);
  yield* initContainerErrors(spec, path, pod);
  yield* ephemeralContainerErrors(spec, path, pod);
}

function* mainContainerErrors(spec: JsonObject, path: string, pod: PodContext): FoundErrors {
  const containers = elementsIn(spec, "containers", path);
  if (containers.length === 0) {
    yield required(`${path}.containers`);
    return;
  }
  const names = new Set<string>();
  for (const [container, at] of containers) {
    const name = textIn(container, "name");
    yield* commonErrors(container, at, pod);
    if (names.has(name)) yield duplicate(`${at}.name`, name);
    names.add(name);
    yield* lifecycleAndProbeErrors(container, at, pod.graceSeconds);
    yield* containerRestartErrors(container, at, false);
  }
  const all = containers.map(([container]) => container);
  yield* hostPortConflicts(all, `${path}.containers`);
}

function* initContainerErrors(spec: JsonObject, path: string, pod: PodContext): FoundErrors {
  const containers = elementsIn(spec, "initContainers", path);
  if (containers.length === 0) return;
  const names = listNames(spec, "containers");
  for (const [container, at] of containers) {
    const name = textIn(container, "name");
    const isSidecar = textIn(container, "restartPolicy") === "Always";
    yield* commonErrors(container, at, pod);
    yield* containerRestartErrors(container, at, true);
    if (names.has(name)) yield duplicate(`${at}.name`, name);
    else if (name !== "") names.add(name);
    yield* hostPortConflicts([container], `${path}.initContainers`);
    if (isSidecar) yield* lifecycleAndProbeErrors(container, at, pod.graceSeconds);
    else {
      yield* initContainerHookErrors(container, at);
      yield* resizeRestartErrors(container, at);
    }
  }
}

function* resizeRestartErrors(container: JsonObject, path: string): FoundErrors {
  for (const [policy, at] of elementsIn(container, "resizePolicy", path)) {
    const restart = textIn(policy, "restartPolicy");
    if (restart !== "RestartContainer") continue;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    yield invalid(`${at}.restartPolicy`, restart, detail);
  }
}

function listNames(spec: JsonObject, list: string): Set<string> {
  return new Set(elementsIn(spec, list, "").map(([container]) => textIn(container, "name")));
}

/** The members that only regular containers may have, in the order of errors. */
const NOT_EPHEMERAL = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

function* ephemeralContainerErrors(spec: JsonObject, path: string, pod: PodContext): FoundErrors {
  const containers = elementsIn(spec, "ephemeralContainers", path);
  if (containers.length === 0) return;
  const others = new Set([...listNames(spec, "containers"), ...listNames(spec, "initContainers")]);
  const names = new Set(others);
  for (const [container, at] of containers) {
    const [name, target, image] = ["name", "targetContainerName", "image"].map((member) =>
      textIn(container, member),
    ) as [string, string, string];
    yield* commonErrors(container, at, pod);
    if (image.trim() !== image) {
      yield invalid(`${at}.image`, image, "must not have leading or trailing whitespace");
    }
    if (names.has(name)) yield duplicate(`${at}.name`, name);
    names.add(name);
    if (target !== "" && !others.has(target)) yield notFound(`${at}.targetContainerName`, target);
    const detail = "cannot be set for an Ephemeral Container";
    for (const member of NOT_EPHEMERAL) {
      if (isSet(container, member)) yield forbidden(`${at}.${member}`, detail);
    }
    for (const [mount, mountPath] of elementsIn(container, "volumeMounts", at)) {
      for (const member of ["subPath", "subPathExpr"]) {
        if (textIn(mount, member) !== "") yield forbidden(`${mountPath}.${member}`, detail);
      }
    }
  }
}

function isSet(container: JsonObject, member: string): boolean {
  if (member === "resources") return Object.keys(mapIn(container, member)).length > 0;
  return hasMember(container, member) && !isOnlyStopSignal(container, member);
}

/**
 * Yields the errors in a container of any kind.
 *
 * @see Kubernetes `validateContainerCommon`
 */
function* commonErrors(container: JsonObject, path: string, pod: PodContext): FoundErrors {
  const name = textIn(container, "name");
  if (name === "") yield required(`${path}.name`);
  else yield* invalidForEach(`${path}.name`, name, validateDNS1123Label(name));
  if (textIn(container, "image") === "") yield required(`${path}.image`);
  const messagePolicy = textIn(container, "terminationMessagePolicy");
  const messagePolicies = ["File", "FallbackToLogsOnError"];
  if (!messagePolicies.includes(messagePolicy)) {
    const field = `${path}.terminationMessagePolicy`;
    yield notSupported(field, messagePolicy, messagePolicies, jsonQuote(messagePolicy));
  }
  yield* portErrors(container, path);
  yield* environmentErrors(container, path);
  yield* volumeMountErrors(container, pod.volumes, path);
  yield* volumeDeviceErrors(container, pod.volumes, path);
  yield* pullPolicyErrors(optionalTextIn(container, "imagePullPolicy"), `${path}.imagePullPolicy`);
  yield* resourceErrors(mapIn(container, "resources"), `${path}.resources`, pod.claims);
  yield* resizePolicyErrors(container, path, pod.restartPolicy);
  const context = objectIn(container, "securityContext");
  yield* securityContextErrors(context, `${path}.securityContext`, pod.usesHostUsers);
}
