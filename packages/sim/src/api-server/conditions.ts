import { asArray } from "@jobset-ts/api/kubernetes";

/** Returns whether a condition of this type is true. If there are several, one is enough. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | null | undefined,
  type: string,
): boolean {
  return asArray(conditions).some((one) => one.type === type && one.status === "True");
}
