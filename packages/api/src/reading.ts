// How a member is read that is absent or, in an object which no server has checked, of the wrong type: both the
// same, as the empty value of the type that the member should have. What is built on these answers for every JSON value.

/** The elements of a list; anything else has none. */
export function listOf<Element>(value: readonly Element[] | null | undefined): readonly Element[] {
  return Array.isArray(value) ? value : [];
}

/** An object's members; anything else, a list included, has none. */
export function membersOf<Members extends object>(
  value: Members | null | undefined,
): string extends keyof Members ? Members : Partial<Members>;
export function membersOf(value: object | null | undefined): object {
  return isObject(value) ? value : {};
}

/** Text; anything else is empty. */
export function textOf(value: string | null | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Whether a value is an object with members, not a list. */
export function isObject<Value>(value: Value): value is Value & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
