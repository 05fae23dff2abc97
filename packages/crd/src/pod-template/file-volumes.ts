import { forbidden, invalid, required } from "@jobset-ts/api/errors";
import type { JsonObject } from "@jobset-ts/api/kubernetes";
import type { FoundErrors } from "../found-errors.ts";
import { elementsIn, integerIn, mapIn, objectIn, textIn } from "../members-of.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "./environment.ts";
import { fileModeErrors, filePathErrors } from "./paths.ts";

// The volumes whose files come from objects of the cluster.

/** Yields the errors in a volume of a Secret. */
export function* secretErrors(source: JsonObject, path: string): FoundErrors {
  if (textIn(source, "secretName") === "") yield required(`${path}.secretName`);
  yield* keyFileErrors(source, path);
}

/** Yields the errors in a volume of a ConfigMap. */
export function* configMapErrors(source: JsonObject, path: string): FoundErrors {
  if (textIn(source, "name") === "") yield required(`${path}.name`);
  yield* keyFileErrors(source, path);
}

function* keyFileErrors(source: JsonObject, path: string): FoundErrors {
  yield* fileModeErrors(integerIn(source, "defaultMode"), `${path}.defaultMode`);
  for (const [item, at] of elementsIn(source, "items", path)) yield* keyToPathErrors(item, at);
}

function* keyToPathErrors(item: JsonObject, path: string): FoundErrors {
  const file = textIn(item, "path");
  if (textIn(item, "key") === "") yield required(`${path}.key`);
  if (file === "") yield required(`${path}.path`);
  yield* filePathErrors(file, `${path}.path`);
  yield* fileModeErrors(integerIn(item, "mode"), `${path}.mode`);
}

/** Yields the errors in a volume of the downward API. Upstream does not name the item. */
export function* downwardApiErrors(source: JsonObject, path: string): FoundErrors {
  yield* fileModeErrors(integerIn(source, "defaultMode"), `${path}.defaultMode`);
  for (const [file] of elementsIn(source, "items", path)) yield* downwardFileErrors(file, path);
}

/** The fields of a Pod that a file can hold, in the order of messages. */
const FILE_FIELDS = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

function* downwardFileErrors(file: JsonObject, path: string): FoundErrors {
  const filePath = textIn(file, "path");
  const fieldReference = objectIn(file, "fieldRef");
  const resourceReference = objectIn(file, "resourceFieldRef");
  if (filePath === "") yield required(`${path}.path`);
  yield* filePathErrors(filePath, `${path}.path`);
  if (fieldReference !== undefined) {
    yield* fieldReferenceErrors(fieldReference, FILE_FIELDS, `${path}.fieldRef`);
    if (resourceReference !== undefined) {
      const detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
      yield invalid(path, "resource", detail);
    }
  } else if (resourceReference !== undefined) {
    yield* resourceReferenceErrors(resourceReference, `${path}.resourceFieldRef`, true);
  } else yield required(path, "one of fieldRef and resourceFieldRef is required");
  yield* fileModeErrors(integerIn(file, "mode"), `${path}.mode`);
}

/**
 * Yields the errors in a volume of several sources. The server drops sources of trust bundles and of Pod
 * certificates, because their gates are off by default.
 *
 * @see Kubernetes `validateProjectionSources`
 */
export function* projectedErrors(source: JsonObject, path: string): FoundErrors {
  yield* fileModeErrors(integerIn(source, "defaultMode"), `${path}.defaultMode`);
  const files = new Set<string>();
  const conflicts = function* (file: string, shown: string): FoundErrors {
    if (file === "") return;
    if (files.has(file)) yield invalid(path, shown, "conflicting duplicate paths");
    files.add(file);
  };
  for (const [projection, at] of elementsIn(source, "sources", path)) {
    for (const name of ["secret", "configMap"]) {
      const keys = objectIn(projection, name);
      if (keys === undefined) continue;
      if (textIn(keys, "name") === "") yield required(`${at}.${name}.name`);
      for (const [item, itemPath] of elementsIn(keys, "items", `${at}.${name}`)) {
        yield* keyToPathErrors(item, itemPath);
        yield* conflicts(textIn(item, "path"), textIn(keys, "name"));
      }
    }
    for (const [file] of elementsIn(mapIn(projection, "downwardAPI"), "items", "")) {
      yield* downwardFileErrors(file, `${at}.downwardAPI`);
      yield* conflicts(textIn(file, "path"), textIn(file, "path"));
    }
    yield* tokenErrors(objectIn(projection, "serviceAccountToken"), path, at);
    if (countSources(projection) > 1) {
      yield forbidden(at, "may not specify more than 1 volume type per source");
    }
  }
}

function countSources(projection: JsonObject): number {
  const names = ["secret", "configMap", "downwardAPI", "serviceAccountToken"];
  return names.filter((name) => objectIn(projection, name) !== undefined).length;
}

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** @param volumePath - the path of the volume, which upstream names for the path of a token */
function* tokenErrors(
  token: JsonObject | undefined,
  volumePath: string,
  path: string,
): FoundErrors {
  if (token === undefined) return;
  const seconds = integerIn(token, "expirationSeconds") ?? 0;
  const field = `${path}.serviceAccountToken.expirationSeconds`;
  if (seconds < MIN_TOKEN_SECONDS) {
    yield invalid(field, seconds, "may not specify a duration less than 10 minutes");
  }
  if (seconds > MAX_TOKEN_SECONDS) {
    yield invalid(field, seconds, "may not specify a duration larger than 2^32 seconds");
  }
  const file = textIn(token, "path");
  if (file === "") yield required(`${volumePath}.path`);
  else yield* filePathErrors(file, `${volumePath}.path`);
}
