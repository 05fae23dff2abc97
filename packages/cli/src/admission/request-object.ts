import { isObject } from "@jobset-ts/api/kubernetes";
import type { InputObject } from "../input/objects.ts";
import type { FieldValidation } from "./field-validation.ts";

/** The UID of the owner when there is none: no server would ever assign it. */
export const FAKE_UID = "00000000-0000-0000-0000-000000000000";

/** As what a JobSet is created. */
export interface CreateOptions {
  /** The UID that the server is to assign; absent means the object's own, or {@link FAKE_UID}. */
  readonly uid?: string;
  /** What happens to unknown and duplicate fields. Absent means the server's default, a warning. */
  readonly validate?: FieldValidation;
}

/**
 * A JobSet as a request brings it: with the namespace and UID that it is created with. Metadata of the wrong type is left for admission to
 * refuse.
 */
export function prepareCreate(
  { value }: InputObject,
  creation: CreateOptions,
): InputObject["value"] {
  const given = value.metadata ?? {};
  if (typeof given !== "object" || Array.isArray(given)) return value;
  const { namespace: own, uid: ownUid, ...others } = given as Readonly<Record<string, unknown>>;
  const namespace = isEmpty(own) ? "default" : own;
  const uid = creation.uid ?? (isEmpty(ownUid) ? FAKE_UID : ownUid);
  return { ...value, metadata: { ...others, namespace, uid } };
}

/**
 * A JobSet as a request to update a stored one brings it: where and as what the old one is stored, it need not say. One
 * that leaves its name to the server is an edit of the JobSet that was generated from the same beginning.
 *
 * @param old - the stored JobSet
 */
export function prepareUpdate(
  { value }: Pick<InputObject, "value">,
  old: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = value.metadata ?? {};
  if (!isObject(given) || !isObject(old.metadata)) return value;
  const metadata = given as Metadata;
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

/** Whether a server has stored an object: then it has a UID. */
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
