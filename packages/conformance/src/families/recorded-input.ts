import { isPlainObject } from "../normalise.ts";

/**
 * Casts a recorded input to the type of its family. It does not check the input further, because the functions under
 * test are total.
 *
 * @param required - the members that every case of this family has
 * @throws Error that names the missing member
 */
export function readRecordedInput<Input>(
  input: unknown,
  required: readonly (keyof Input & string)[],
) {
  if (!isPlainObject(input)) throw new Error("the input is not an object");
  for (const member of required) {
    if (!Object.hasOwn(input, member)) throw new Error(`the input has no ${member}`);
  }
  return input as Input;
}
