import { isPlainObject } from "../normalise.ts";

/**
 * A recorded input as the type its family gives it; what upstream was given is not checked any further, for the
 * functions under test are total.
 *
 * @param required - the members that every case of this family has
 * @throws Error naming the member that is missing
 */
export function recordedInput<Input>(input: unknown, required: readonly (keyof Input & string)[]) {
  if (!isPlainObject(input)) throw new Error("the input is not an object");
  for (const member of required) {
    if (!Object.hasOwn(input, member)) throw new Error(`the input has no ${member}`);
  }
  return input as Input;
}
