import { asArray } from "@jobset-ts/api/kubernetes";

/** Whether a condition of a type holds; of several, any. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | null | undefined,
  type: string,
): boolean {
  return asArray(conditions).some((one) => one.type === type && one.status === "True");
}
