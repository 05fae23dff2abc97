import { isObject } from "@jobset-ts/api/kubernetes";
import type { InputObject } from "../input/objects.ts";
import type { FieldValidation } from "./field-validation.ts";

/** The UID of a JobSet without one. No server assigns it. */
export const FAKE_UID = "00000000-0000-0000-0000-000000000000";

/** The options with which a JobSet is created. */
export interface CreateOptions {
  /** The UID that the server assigns. Absent means the object's own UID, or {@link FAKE_UID}. */
  readonly uid?: string;
  /** How the server treats unknown and duplicate fields. Absent means a warning, the server's default. */
  readonly validate?: FieldValidation;
}

/**
 * Returns a JobSet as in a create request, with its namespace and UID. Metadata of the wrong type does not
 * change, so admission rejects it.
 */
export function prepareCreate(
  { value }: Pick<InputObject, "value">,
  creation: CreateOptions,
): InputObject["value"] {
  const metadataIn = value.metadata ?? {};
  if (typeof metadataIn !== "object" || Array.isArray(metadataIn)) return value;
  const {
    namespace: own,
    uid: ownUid,
    ...others
  } = metadataIn as Readonly<Record<string, unknown>>;
  const namespace = isEmpty(own) ? "default" : own;
  const uid = creation.uid ?? (isEmpty(ownUid) ? FAKE_UID : ownUid);
  return { ...value, metadata: { ...others, namespace, uid } };
}

/**
 * Returns a JobSet as in an update request. It uses namespace and UID of the stored JobSet unless it sets them
 * itself. A JobSet with `generateName` is an edit of the stored JobSet whose name was generated from the same prefix.
 *
 * @param old - the stored JobSet
 */
export function prepareUpdate(
  { value }: Pick<InputObject, "value">,
  old: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const metadataIn = value.metadata ?? {};
  if (!isObject(metadataIn) || !isObject(old.metadata)) return value;
  const metadata = metadataIn as Metadata;
  const { namespace, uid, name, generateName } = old.metadata as Metadata;
  const isGenerated =
    isEmpty(metadata.name) && !isEmpty(generateName) && metadata.generateName === generateName;
  return {
    ...value,
    metadata: {
      ...metadata,
      ...(isGenerated && { name }),
      namespace: isEmpty(metadata.namespace) ? namespace : metadata.namespace,
      uid: isEmpty(metadata.uid) ? uid : metadata.uid,
    },
  };
}

/** Returns whether a server has stored an object: then the object has a UID. */
export function isStored({ value: { metadata } }: Pick<InputObject, "value">): boolean {
  return isObject(metadata) && !isEmpty((metadata as Metadata).uid);
}

interface Metadata {
  readonly name?: unknown;
  readonly generateName?: unknown;
  readonly namespace?: unknown;
  readonly uid?: unknown;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
