import { forbidden, invalid, notSupported, required } from "@jobset-ts/api/errors";
import {
  isObject,
  type JsonObject,
  validateDNS1123Label,
  validateDNS1123Subdomain,
} from "@jobset-ts/api/kubernetes";
import { choiceErrors, type FoundErrors, invalidForEach } from "../found-errors.ts";
import { hasMember, mapIn, objectIn, optionalTextIn, textIn, textsIn } from "../members-of.ts";
import { annotationErrors } from "../object-meta-errors.ts";
import { labelErrors, labelSelectorErrors } from "../selectors.ts";
import { readAmount } from "./quantities.ts";

/** Yields the errors in the template of the PersistentVolumeClaim of an ephemeral volume. */
export function* claimTemplateErrors(template: JsonObject, field: string): FoundErrors {
  yield* metadataErrors(mapIn(template, "metadata"), `${field}.metadata`);
  yield* claimSpecErrors(mapIn(template, "spec"), `${field}.spec`);
}

/** The metadata that a template cannot have, in the order of the Go type and as its messages write it. */
const FORBIDDEN_METADATA: readonly (readonly [member: string, shown: string])[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
].map((name) => [name, name === "uid" ? "uID" : name]);

function* metadataErrors(metadata: JsonObject, field: string): FoundErrors {
  yield* annotationErrors(mapIn(metadata, "annotations"), `${field}.annotations`);
  yield* labelErrors(mapIn(metadata, "labels"), `${field}.labels`);
  for (const [member, shown] of FORBIDDEN_METADATA) {
    const value = metadata[member];
    if (hasMember(metadata, member) && value !== "" && value !== 0 && !isEmptyObject(value)) {
      yield forbidden(`${field}.${shown}`, "cannot be set");
    }
  }
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

function* claimSpecErrors(spec: JsonObject, field: string): FoundErrors {
  const modes = textsIn(spec, "accessModes");
  if (modes.length === 0) {
    yield required(`${field}.accessModes`, "at least 1 access mode is required");
  }
  yield* labelSelectorErrors(objectIn(spec, "selector"), `${field}.selector`);
  yield* accessModeErrors(modes, `${field}.accessModes`);
  yield* storageErrors(mapIn(mapIn(spec, "resources"), "requests"), `${field}.resources[storage]`);
  yield* classErrors(spec, "storageClassName", field);
  const volumeMode = optionalTextIn(spec, "volumeMode");
  if (volumeMode !== undefined) {
    yield* choiceErrors(`${field}.volumeMode`, volumeMode, ["Block", "Filesystem"]);
  }
  yield* dataSourceErrors(spec, field);
  yield* classErrors(spec, "volumeAttributesClassName", field);
}

function* accessModeErrors(modes: readonly string[], field: string): FoundErrors {
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) yield notSupported(field, mode, ACCESS_MODES);
  }
  const known = modes.filter((mode) => ACCESS_MODES.includes(mode));
  const isExclusive = (mode: string) => mode === "ReadWriteOncePod";
  if (known.some(isExclusive) && !known.every(isExclusive)) {
    yield forbidden(field, "may not use ReadWriteOncePod with other access modes");
  }
}

function* storageErrors(requests: JsonObject, field: string): FoundErrors {
  const storage = hasMember(requests, "storage") ? readAmount(requests.storage) : undefined;
  if (storage === undefined) yield required(field);
  else if (storage.nanos <= 0n) yield invalid(field, storage.text, "must be greater than zero");
}

function* classErrors(spec: JsonObject, member: string, field: string): FoundErrors {
  const name = textIn(spec, member);
  if (name === "") return;
  yield* invalidForEach(`${field}.${member}`, name, validateDNS1123Subdomain(name));
}

function* dataSourceErrors(spec: JsonObject, field: string): FoundErrors {
  const source = objectIn(spec, "dataSource");
  const reference = objectIn(spec, "dataSourceRef");
  const namespace = reference === undefined ? "" : textIn(reference, "namespace");
  if (source !== undefined) yield* typedReferenceErrors(source, `${field}.dataSource`);
  if (reference !== undefined) {
    yield* typedReferenceErrors(reference, `${field}.dataSourceRef`);
    if (namespace !== "") {
      const messages = validateDNS1123Label(namespace);
      yield* invalidForEach(`${field}.dataSourceRef.namespace`, namespace, messages);
    }
  }
  if (source === undefined || reference === undefined) return;
  // Upstream shows a path as the bad value, which has no visible members.
  if (namespace !== "") {
    const detail = "may not be specified when dataSourceRef.namespace is specified";
    yield invalid(field, source, detail, "{}");
  } else if (!isSameSource(source, reference)) {
    yield invalid(field, source, "must match dataSourceRef", "{}");
  }
}

function isSameSource(source: JsonObject, reference: JsonObject): boolean {
  return ["apiGroup", "kind", "name"].every(
    (name) => optionalTextIn(source, name) === optionalTextIn(reference, name),
  );
}

function* typedReferenceErrors(reference: JsonObject, field: string): FoundErrors {
  const kind = textIn(reference, "kind");
  const apiGroup = textIn(reference, "apiGroup");
  for (const member of ["name", "kind"]) {
    if (textIn(reference, member) === "") yield required(`${field}.${member}`);
  }
  if (apiGroup === "" && kind !== "PersistentVolumeClaim") {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    yield invalid(field, kind, detail);
  }
  if (apiGroup !== "") {
    yield* invalidForEach(`${field}.apiGroup`, apiGroup, validateDNS1123Subdomain(apiGroup));
  }
}
