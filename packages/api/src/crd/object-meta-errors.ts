import { type FieldError, forbidden, invalid, required, tooLong } from "../field-error.ts";
import {
  dnsLabelMessages,
  labelValueMessages,
  qualifiedNameMessages,
  subdomainMessages,
} from "../name-checks.ts";
import { quote } from "../quote.ts";
import { isJsonObject, type JsonObject } from "../typed/json-object.ts";
import { byteLength } from "../utf8.ts";
import { badValueText, goJson } from "./go-text.ts";
import { isArray } from "./json-kind.ts";

/** Of all keys and values together. */
const ANNOTATIONS_MAX_BYTES = 256 * 1024;

/**
 * What is refused in the metadata of an object that is to be created.
 *
 * Whether there is a namespace is not asked: the request names it. Expects metadata that was decoded.
 *
 * @see Kubernetes `apimachinery/pkg/api/validation.ValidateObjectMetaAccessor`
 */
export function objectMetaErrors(metadata: JsonObject): readonly FieldError[] {
  const name = textIn(metadata, "name");
  const generateName = textIn(metadata, "generateName");
  const namespace = textIn(metadata, "namespace");
  return [
    ...(generateName === ""
      ? []
      : messagesAt("generateName", generateName, subdomainMessages(asStart(generateName)))),
    ...(name === ""
      ? [required("metadata.name", "name or generateName is required")]
      : messagesAt("name", name, subdomainMessages(name))),
    ...(namespace === "" ? [] : messagesAt("namespace", namespace, dnsLabelMessages(namespace))),
    ...commonErrors(metadata),
    ...finalizerErrors(listIn(metadata, "finalizers")),
  ];
}

/**
 * What is refused in the metadata of an object that is to be replaced.
 *
 * What only the server sets (`uid`, `generation`, `creationTimestamp`, `resourceVersion`, `managedFields`) is its own affair
 * and not compared. Nor is the form of finalizers checked again: a server does that outside the validation of the kind.
 * Expects metadata that was decoded.
 *
 * @see Kubernetes `apimachinery/pkg/api/validation.ValidateObjectMetaAccessorUpdate`
 */
export function objectMetaUpdateErrors(
  metadata: JsonObject,
  old: JsonObject,
): readonly FieldError[] {
  const isDeleted = Object.hasOwn(old, "deletionTimestamp");
  const namespace = textIn(metadata, "namespace") || textIn(old, "namespace");
  return [
    ...(isDeleted ? newFinalizerErrors(metadata, old) : []),
    ...immutableErrors("name", textIn(metadata, "name"), textIn(old, "name")),
    ...immutableErrors("namespace", namespace, textIn(old, "namespace")),
    ...(isDeleted
      ? []
      : immutableErrors("deletionTimestamp", metadata.deletionTimestamp, undefined)),
    ...(metadata.deletionGracePeriodSeconds === undefined
      ? []
      : immutableErrors(
          "deletionGracePeriodSeconds",
          metadata.deletionGracePeriodSeconds,
          old.deletionGracePeriodSeconds,
        )),
    ...commonErrors(metadata),
  ];
}

function commonErrors(metadata: JsonObject): readonly FieldError[] {
  return [
    ...labelErrors(mapIn(metadata, "labels")),
    ...annotationErrors(mapIn(metadata, "annotations")),
    ...ownerReferenceErrors(listIn(metadata, "ownerReferences").filter(isJsonObject)),
  ];
}

function labelErrors(labels: JsonObject): readonly FieldError[] {
  return Object.keys(labels).flatMap((key) => {
    const value = textIn(labels, key);
    return [
      ...messagesAt("labels", key, qualifiedNameMessages(key)),
      ...messagesAt("labels", value, labelValueMessages(value)),
    ];
  });
}

function annotationErrors(annotations: JsonObject): readonly FieldError[] {
  let bytes = 0;
  const errors = Object.keys(annotations).flatMap((key) => {
    bytes += byteLength(key) + byteLength(textIn(annotations, key));
    return messagesAt("annotations", key, qualifiedNameMessages(key.toLowerCase()));
  });
  if (bytes <= ANNOTATIONS_MAX_BYTES) return errors;
  return [...errors, tooLong("metadata.annotations", annotations, ANNOTATIONS_MAX_BYTES)];
}

/** Upstream does not say which of the references it means. */
function ownerReferenceErrors(owners: readonly JsonObject[]): readonly FieldError[] {
  const field = "metadata.ownerReferences";
  const errors = owners.flatMap((owner) => [
    ...(versionOf(textIn(owner, "apiVersion")) === ""
      ? [invalid(`${field}.apiVersion`, owner.apiVersion, "version must not be empty")]
      : []),
    ...["kind", "name", "uid"]
      .filter((name) => textIn(owner, name) === "")
      .map((name) => invalid(`${field}.${name}`, "", "must not be empty")),
    ...(owner.apiVersion === "v1" && owner.kind === "Event"
      ? [
          invalid(
            field,
            owner,
            "/v1, Kind=Event is disallowed from being an owner",
            ownerReferenceText(owner),
          ),
        ]
      : []),
  ]);
  const [first, ...others] = owners
    .filter((owner) => owner.controller === true)
    .map((owner) => `${textIn(owner, "kind")}/${textIn(owner, "name")}`);
  const shown = `[${owners.map(ownerReferenceText).join(",")}]`;
  return [
    ...errors,
    ...others.map((other) => {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`;
      return invalid(field, owners, detail, shown);
    }),
  ];
}

/** The version in an `apiVersion` of the form `version` or `group/version`; empty for any other. */
function versionOf(apiVersion: string): string {
  const parts = apiVersion.split("/");
  return parts.length > 2 ? "" : (parts.at(-1) ?? "");
}

/** The reference as upstream prints its struct. */
function ownerReferenceText(owner: JsonObject): string {
  const names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
  const members = names
    .filter((name) => Object.hasOwn(owner, name))
    .map((name) => `"${name}":${goJson(owner[name])}`);
  return `{${members.join(",")}}`;
}

function finalizerErrors(finalizers: readonly unknown[]): readonly FieldError[] {
  const errors = finalizers.flatMap((finalizer) => {
    const text = String(finalizer);
    return messagesAt("finalizers", text, qualifiedNameMessages(text));
  });
  if (!finalizers.includes("orphan") || !finalizers.includes("foregroundDeletion")) return errors;
  const detail = "finalizer orphan and foregroundDeletion cannot be both set";
  return [...errors, invalid("metadata.finalizers", finalizers, detail, badValueText(finalizers))];
}

function newFinalizerErrors(metadata: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Set(listIn(old, "finalizers"));
  const added = listIn(metadata, "finalizers").filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return [];
  const list = [...new Set(added.map(String))].sort().map(quote).join(", ");
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbidden("metadata.finalizers", detail)];
}

function immutableErrors(name: string, value: unknown, old: unknown): readonly FieldError[] {
  if (value === old) return [];
  return [invalid(`metadata.${name}`, value, "field is immutable", badValueText(value))];
}

function messagesAt(
  name: string,
  value: string,
  messages: readonly string[],
): readonly FieldError[] {
  return messages.map((message) => invalid(`metadata.${name}`, value, message));
}

/** A name that will be continued may end in a dash: upstream puts a letter for the last two bytes. */
function asStart(name: string): string {
  return /[\0-\x7f]-$/.test(name) ? `${name.slice(0, -2)}a` : name;
}

function textIn(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" ? value : "";
}

function listIn(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return isArray(value) ? value : [];
}

function mapIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
