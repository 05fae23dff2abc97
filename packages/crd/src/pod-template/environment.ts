import { invalid, notFound, notSupported, required } from "@jobset-ts/api/errors";
import {
  canonicalQuantity,
  type JsonObject,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { type FoundErrors, invalidForEach } from "../found-errors.ts";
import { elementsIn, hasMember, mapIn, objectIn, textIn } from "../members-of.ts";
import { startOfName } from "../object-meta-errors.ts";
import { parentDirectoryErrors } from "./paths.ts";
import { readAmount } from "./quantities.ts";
import { configKeyMessages, envVarNameMessages } from "./value-formats.ts";

/** Yields the errors in the environment variables of a container. */
export function* environmentErrors(container: JsonObject, field: string): FoundErrors {
  for (const [variable, path] of elementsIn(container, "env", field)) {
    const name = textIn(variable, "name");
    if (name === "") yield required(`${path}.name`);
    else yield* invalidForEach(`${path}.name`, name, envVarNameMessages(name));
    yield* sourceErrors(variable, `${path}.valueFrom`);
  }
  for (const [source, path] of elementsIn(container, "envFrom", field)) {
    yield* environmentSourceErrors(source, path, `${field}.envFrom`);
  }
}

const SOURCES: Readonly<Record<string, (source: JsonObject, path: string) => FoundErrors>> = {
  fieldRef: (source, path) => fieldReferenceErrors(source, ENVIRONMENT_FIELDS, path),
  resourceFieldRef: (source, path) => resourceReferenceErrors(source, path),
  configMapKeyRef: keyReferenceErrors,
  secretKeyRef: keyReferenceErrors,
  fileKeyRef: fileReferenceErrors,
};

function* sourceErrors(variable: JsonObject, path: string): FoundErrors {
  const valueFrom = objectIn(variable, "valueFrom");
  if (valueFrom === undefined) return;
  let count = 0;
  for (const [name, errorsOf] of Object.entries(SOURCES)) {
    const source = objectIn(valueFrom, name);
    if (source === undefined) continue;
    count += 1;
    yield* errorsOf(source, `${path}.${name}`);
  }
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    yield invalid(path, "", detail);
  } else if (hasText(variable.value)) {
    yield invalid(path, "", "may not be specified when `value` is not empty");
  } else if (count > 1) {
    yield invalid(path, "", "may not have more than one field specified at a time");
  }
}

function hasText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function* keyReferenceErrors(source: JsonObject, path: string): FoundErrors {
  const name = textIn(source, "name");
  const key = textIn(source, "key");
  yield* invalidForEach(`${path}.name`, name, validateDNS1123Subdomain(name));
  if (key === "") yield required(`${path}.key`);
  else yield* invalidForEach(`${path}.key`, key, configKeyMessages(key));
}

function* fileReferenceErrors(source: JsonObject, path: string): FoundErrors {
  const [key, volume, file] = ["key", "volumeName", "path"].map((name) => textIn(source, name));
  if (!key) yield required(`${path}.key`);
  else yield* invalidForEach(`${path}.key`, key, envVarNameMessages(key));
  if (!volume) yield required(`${path}.volumeName`);
  else yield* invalidForEach(`${path}.volumeName`, volume, validateDNS1123Label(volume));
  if (!file) yield required(`${path}.path`);
  else yield* parentDirectoryErrors(file, `${path}.path`);
}

/** @param listField - the path of the list, which upstream names for a missing source */
function* environmentSourceErrors(
  source: JsonObject,
  path: string,
  listField: string,
): FoundErrors {
  const prefix = textIn(source, "prefix");
  if (prefix !== "") yield* invalidForEach(`${path}.prefix`, prefix, envVarNameMessages(prefix));
  const references = ["configMapRef", "secretRef"].filter((name) => hasMember(source, name));
  for (const reference of references) {
    const name = textIn(mapIn(source, reference), "name");
    const field = `${path}.${reference}.name`;
    if (name === "") yield required(field);
    else yield* invalidForEach(field, name, validateDNS1123Subdomain(startOfName(name)));
  }
  if (references.length === 0) {
    yield invalid(listField, "", "must specify one of: `configMapRef` or `secretRef`");
  } else if (references.length > 1) {
    yield invalid(listField, "", "may not have more than one field specified at a time");
  }
}

/** The fields of a Pod that an environment variable can have as its value, in the order of messages. */
const ENVIRONMENT_FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** The fields of a Pod that the downward API supports, although not each can be used everywhere. */
const POD_FIELDS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...ENVIRONMENT_FIELDS,
  "metadata.annotations",
  "metadata.labels",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);

/**
 * Yields the errors in a reference to a field of the Pod.
 *
 * @param allowed - in the order of the message
 */
export function* fieldReferenceErrors(
  reference: JsonObject,
  allowed: readonly string[],
  path: string,
): FoundErrors {
  const apiVersion = textIn(reference, "apiVersion");
  const fieldPath = textIn(reference, "fieldPath");
  const field = `${path}.fieldPath`;
  if (apiVersion === "") yield required(`${path}.apiVersion`);
  else if (fieldPath === "") yield required(field);
  else {
    const { name, subscript } = splitSubscript(fieldPath);
    const problem = findFieldProblem(apiVersion, fieldPath, name, subscript);
    if (problem !== undefined) {
      yield invalid(field, fieldPath, `error converting fieldPath: ${problem}`);
    } else if (subscript !== undefined) {
      const key = name === "metadata.annotations" ? subscript.toLowerCase() : subscript;
      yield* invalidForEach(path, key, validateQualifiedName(key));
    } else {
      const current = name === "spec.host" ? "spec.nodeName" : name;
      if (!allowed.includes(current)) yield notSupported(field, current, allowed);
    }
  }
}

/** Splits `metadata.labels['key']` into the name of the map and the key. */
function splitSubscript(fieldPath: string): { name: string; subscript?: string } {
  const start = fieldPath.indexOf("['");
  if (!fieldPath.endsWith("']") || start < 1 || start > fieldPath.length - 4) {
    return { name: fieldPath };
  }
  return { name: fieldPath.slice(0, start), subscript: fieldPath.slice(start + 2, -2) };
}

function findFieldProblem(
  apiVersion: string,
  fieldPath: string,
  name: string,
  subscript: string | undefined,
): string | undefined {
  if (apiVersion !== "v1") return `unsupported pod version: ${apiVersion}`;
  if (subscript !== undefined) {
    const isMap = name === "metadata.annotations" || name === "metadata.labels";
    return isMap ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  const isKnown = POD_FIELDS.has(fieldPath) || fieldPath === "spec.host";
  return isKnown ? undefined : `field label not supported: ${fieldPath}`;
}

const CONTAINER_RESOURCES = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

const isHugePagesField = /^(limits|requests)\.hugepages-/;

/**
 * Yields the errors in a reference to a resource of a container.
 *
 * @param needsContainer - whether the reference must name a container, as in a volume
 */
export function* resourceReferenceErrors(
  reference: JsonObject,
  path: string,
  needsContainer = false,
): FoundErrors {
  const resource = textIn(reference, "resource");
  if (needsContainer && textIn(reference, "containerName") === "") {
    yield required(`${path}.containerName`);
  } else if (resource === "") {
    yield required(`${path}.resource`);
  } else if (!CONTAINER_RESOURCES.includes(resource) && !isHugePagesField.test(resource)) {
    yield notSupported(`${path}.resource`, resource, CONTAINER_RESOURCES);
  }
  yield* divisorErrors(resource, reference.divisor, `${path}.divisor`);
}

const isByteDivisor = /^1(?:k|Ki|[MGTPE]i?)?$/;

function* divisorErrors(resource: string, divisor: unknown, field: string): FoundErrors {
  const text = canonicalQuantity(divisor);
  if (text === undefined || readAmount(divisor)?.nanos === 0n) return;
  const unit = getUnit(resource);
  const isAllowed = unit === "cpu" ? text === "1" || text === "1m" : isByteDivisor.test(text);
  if (unit === undefined || isAllowed) return;
  const values =
    unit === "cpu" ? "1m and 1" : "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei";
  yield invalid(
    field,
    resource,
    `only divisor's values ${values} are supported with the ${unit} resource`,
  );
}

function getUnit(resource: string): string | undefined {
  if (isHugePagesField.test(resource)) return "hugepages";
  const name = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage)$/.exec(resource)?.[1];
  return name === "ephemeral-storage" ? "local ephemeral storage" : name;
}

/**
 * Yields an error for each variable from a file whose volume does not exist, or cannot hold such files.
 *
 * @param containerPaths - all containers with their paths, in the order of errors
 */
export function* fileVolumeErrors(
  spec: JsonObject,
  containers: readonly (readonly [container: JsonObject, path: string])[],
): FoundErrors {
  let volumes: ReadonlyMap<string, JsonObject> | undefined;
  for (const [container, path] of containers) {
    for (const [variable, at] of elementsIn(container, "env", path)) {
      const reference = objectIn(mapIn(variable, "valueFrom"), "fileKeyRef");
      if (reference === undefined) continue;
      const name = textIn(reference, "volumeName");
      volumes ??= new Map(
        elementsIn(spec, "volumes", "").map(([volume]) => [textIn(volume, "name"), volume]),
      );
      const volume = volumes.get(name);
      const field = `${at}.valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) yield notFound(field, name);
      else if (!hasMember(volume, "emptyDir")) {
        yield invalid(field, name, "referenced volume must be of type emptyDir");
      }
    }
  }
}
