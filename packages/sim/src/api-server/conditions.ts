import { conditionOf } from "@jobset-ts/api/kubernetes";

/** Whether the condition of a type holds. */
export function isTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | null | undefined,
  type: string,
): boolean {
  return conditionOf(conditions, type)?.status === "True";
}
