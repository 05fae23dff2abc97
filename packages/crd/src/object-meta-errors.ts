import { forbidden, invalid, required, tooLong } from "@jobset-ts/api/errors";
import {
  isObject,
  type JsonObject,
  validateDNS1123Label,
  validateDNS1123Subdomain,
  validateQualifiedName,
} from "@jobset-ts/api/kubernetes";
import { byteLength, goQuote, shortenRepeatedValue, truncateList } from "@jobset-ts/api/text";
import { type FoundErrors, invalidForEach } from "./found-errors.ts";
import { badValueText, goJson } from "./go-text.ts";
import { listIn, mapIn, textIn } from "./members-of.ts";
import { labelErrors } from "./selectors.ts";

/** The limit for all keys and values together. */
const ANNOTATIONS_MAX_BYTES = 256 * 1024;

/**
 * Returns the errors in the metadata of a new object. A missing namespace is not an error, because the request
 * contains it. Expects decoded metadata.
 *
 * @see Kubernetes `apimachinery/pkg/api/validation.ValidateObjectMetaAccessor`
 */
export function* objectMetaErrors(metadata: JsonObject): FoundErrors {
  const name = textIn(metadata, "name");
  const generateName = textIn(metadata, "generateName");
  const namespace = textIn(metadata, "namespace");
  if (generateName !== "") {
    yield* messagesAt(
      "generateName",
      generateName,
      validateDNS1123Subdomain(startOfName(generateName)),
    );
  }
  if (name === "") yield required("metadata.name", "name or generateName is required");
  else yield* messagesAt("name", name, validateDNS1123Subdomain(name));
  if (namespace !== "") yield* messagesAt("namespace", namespace, validateDNS1123Label(namespace));
  yield* commonErrors(metadata);
  yield* finalizerErrors(listIn(metadata, "finalizers"));
}

/**
 * Returns the errors in the metadata of an update. Fields that only the server sets (`uid`, `generation`,
 * `creationTimestamp`, `resourceVersion`, `managedFields`) are not compared. The format of finalizers is not checked,
 * because a server checks it outside the validation of the kind. Expects decoded metadata.
 *
 * @see Kubernetes `apimachinery/pkg/api/validation.ValidateObjectMetaAccessorUpdate`
 */
export function* objectMetaUpdateErrors(metadata: JsonObject, old: JsonObject): FoundErrors {
  const isDeleted = Object.hasOwn(old, "deletionTimestamp");
  const namespace = textIn(metadata, "namespace") || textIn(old, "namespace");
  const { deletionGracePeriodSeconds } = metadata;
  if (isDeleted) yield* newFinalizerErrors(metadata, old);
  yield* immutableErrors("name", textIn(metadata, "name"), textIn(old, "name"));
  yield* immutableErrors("namespace", namespace, textIn(old, "namespace"));
  if (!isDeleted) {
    yield* immutableErrors("deletionTimestamp", metadata.deletionTimestamp, undefined);
  }
  if (deletionGracePeriodSeconds !== undefined) {
    const before = old.deletionGracePeriodSeconds;
    yield* immutableErrors("deletionGracePeriodSeconds", deletionGracePeriodSeconds, before);
  }
  yield* commonErrors(metadata);
}

function* commonErrors(metadata: JsonObject): FoundErrors {
  yield* labelErrors(mapIn(metadata, "labels"), "metadata.labels");
  yield* annotationErrors(mapIn(metadata, "annotations"), "metadata.annotations");
  yield* ownerReferenceErrors(listIn(metadata, "ownerReferences").filter(isObject));
}

/** Yields errors in the keys and the size of annotations. Keys may contain uppercase letters. */
export function* annotationErrors(annotations: JsonObject, field: string): FoundErrors {
  let units = 0;
  for (const key of Object.keys(annotations)) {
    units += key.length + textIn(annotations, key).length;
    yield* invalidForEach(field, key, validateQualifiedName(key.toLowerCase()));
  }
  // A UTF-16 unit has at most three bytes.
  if (3 * units > ANNOTATIONS_MAX_BYTES && countBytes(annotations) > ANNOTATIONS_MAX_BYTES) {
    yield tooLong(field, annotations, ANNOTATIONS_MAX_BYTES);
  }
}

function countBytes(annotations: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    bytes += byteLength(key) + byteLength(textIn(annotations, key));
  }
  return bytes;
}

/** Upstream's message does not name the reference. */
function* ownerReferenceErrors(owners: readonly JsonObject[]): FoundErrors {
  const field = "metadata.ownerReferences";
  for (const owner of owners) {
    if (getVersion(textIn(owner, "apiVersion")) === "") {
      yield invalid(`${field}.apiVersion`, owner.apiVersion, "version must not be empty");
    }
    for (const name of ["kind", "name", "uid"]) {
      if (textIn(owner, name) === "") yield invalid(`${field}.${name}`, "", "must not be empty");
    }
    if (owner.apiVersion === "v1" && owner.kind === "Event") {
      const detail = "/v1, Kind=Event is disallowed from being an owner";
      yield invalid(field, owner, detail, ownerReferenceText(owner));
    }
  }
  const [first, ...others] = owners.filter((owner) => owner.controller === true).map(ownerName);
  if (first === undefined) return;
  const shown = shortenRepeatedValue(() =>
    truncateList(owners, ownerReferenceText, ["[", ",", "]"]),
  );
  for (const other of others) {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`;
    yield invalid(field, owners, detail, shown());
  }
}

function ownerName(owner: JsonObject): string {
  return `${textIn(owner, "kind")}/${textIn(owner, "name")}`;
}

/**
 * Returns the version in an `apiVersion` of the form `version` or `group/version`. Empty for any other
 * form.
 */
function getVersion(apiVersion: string): string {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

/** Returns the reference as upstream prints its struct. */
function ownerReferenceText(owner: JsonObject): string {
  const names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
  const members = names
    .filter((name) => Object.hasOwn(owner, name))
    .map((name) => `"${name}":${goJson(owner[name])}`);
  return `{${members.join(",")}}`;
}

function* finalizerErrors(finalizers: readonly unknown[]): FoundErrors {
  for (const finalizer of finalizers) {
    const text = String(finalizer);
    yield* messagesAt("finalizers", text, validateQualifiedName(text));
  }
  if (!finalizers.includes("orphan") || !finalizers.includes("foregroundDeletion")) return;
  const detail = "finalizer orphan and foregroundDeletion cannot be both set";
  yield invalid("metadata.finalizers", finalizers, detail, badValueText(finalizers));
}

function* newFinalizerErrors(metadata: JsonObject, old: JsonObject): FoundErrors {
  const before = new Set(listIn(old, "finalizers"));
  const added = listIn(metadata, "finalizers").filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return;
  const list = [...new Set(added.map(String))].sort().map(goQuote).join(", ");
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  yield forbidden("metadata.finalizers", detail);
}

function* immutableErrors(name: string, value: unknown, old: unknown): FoundErrors {
  if (value === old) return;
  yield invalid(`metadata.${name}`, value, "field is immutable", badValueText(value));
}

function messagesAt(name: string, value: string, messages: readonly string[]): FoundErrors {
  return invalidForEach(`metadata.${name}`, value, messages);
}

/** A prefix of a generated name may end in a dash: upstream replaces the last two bytes by a letter. */
export function startOfName(name: string): string {
  return /[\0-\x7f]-$/.test(name) ? `${name.slice(0, -2)}a` : name;
}
