import { truncateText } from "@jobset-ts/api/text";
import type { ObjectKey } from "@jobset-ts/core";

/** No name in a cluster is longer. */
export const MAX_NAME_BYTES = 1024;

/** Returns the key of an object, with a long name shortened, because a denial repeats the names of its objects. */
export function shortKey(key: ObjectKey): ObjectKey {
  const namespace = truncateText(key.namespace, MAX_NAME_BYTES);
  const name = truncateText(key.name, MAX_NAME_BYTES);
  return namespace === key.namespace && name === key.name ? key : { ...key, namespace, name };
}
