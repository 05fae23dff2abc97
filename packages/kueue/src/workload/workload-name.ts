import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_GROUP, JOBSET_KIND } from "@jobset-ts/api/keys";
import { asString, getAnnotation, getLabel } from "@jobset-ts/api/kubernetes";
import { isLongerThan, truncateUtf8 } from "@jobset-ts/api/text";
import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { KueueFeatureGates } from "../features.ts";
import { PREBUILT_WORKLOAD_KEY } from "../keys.ts";

/** The number of bytes before the hash, and the number of hexadecimal digits in the hash. */
const PREFIX_BYTES = 247;
const SHORT_PREFIX_BYTES = 57;
const HASH_DIGITS = 5;

/** The maximum length of a label value, and so of a Workload name in a label. */
export const MAX_LABEL_BYTES = 63;

/**
 * Returns the name that Kueue gives to the Workload of a JobSet: the truncated JobSet name and five hexadecimal digits.
 * The digits depend on name and UID but not on the API version.
 *
 * @param jobSet - its `uid` is empty before the JobSet is created
 * @returns at most 253 bytes, or 63 under the gate `ShortWorkloadNames`
 * @see Kueue `jobframework.GetWorkloadNameForOwnerWithGVK`
 * @example workloadName({ name: "name", uid: "uid" }, new Set()) // => "jobset-name-c91ae"
 */
export function workloadName(
  jobSet: { readonly name: string; readonly uid: string },
  features: KueueFeatureGates,
): string {
  const [name, uid] = [asString(jobSet.name), asString(jobSet.uid)];
  const hashed = [JOBSET_KIND, JOBSET_GROUP, name, uid].join("\n");
  const hash = bytesToHex(sha1(utf8ToBytes(hashed))).slice(0, HASH_DIGITS);
  const room = features.has("ShortWorkloadNames") ? SHORT_PREFIX_BYTES : PREFIX_BYTES;
  return `${truncateUtf8(`${JOBSET_KIND.toLowerCase()}-${name}`, room)}-${hash}`;
}

/**
 * Returns the name of the Workload that another client has created for a JobSet, which then gets no other Workload.
 *
 * @returns `undefined` if there is none; then Kueue creates a Workload itself
 * @example prebuiltWorkloadName({ metadata: { labels: { "kueue.x-k8s.io/prebuilt-workload-name": "w" } } }, new Set()) // => "w"
 */
export function prebuiltWorkloadName(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): string | undefined {
  const annotation = getAnnotation(jobSet, PREBUILT_WORKLOAD_KEY) ?? "";
  const label = getLabel(jobSet, PREBUILT_WORKLOAD_KEY) ?? "";
  if (features.has("WorkloadIdentifierAnnotations")) return annotation || label || undefined;
  if (label !== "") return label;
  // A label cannot contain the value, so it comes from the annotation.
  return isLongerThan(annotation, MAX_LABEL_BYTES) ? annotation : undefined;
}
