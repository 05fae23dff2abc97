import type { Release } from "@jobset-ts/releases";
import { isPlainObject } from "../normalise.ts";
import type { RecordedCase } from "../read-cases.ts";
import type { ReleaseCase } from "../replay.ts";
import { withKnownMembers } from "./known-members.ts";

/**
 * Returns a case as a release recorded it.
 *
 * Releases ignored gates that they do not have, and dropped members of JobSets that they do not know.
 */
export function toReleaseCase(
  main: RecordedCase,
  { release, recorded }: ReleaseCase,
): RecordedCase {
  return {
    ...main,
    tags: [...main.tags, ...(recorded?.tags ?? [])],
    input: toReleaseInput(main.input, release),
    output: withoutUnknownMembers(recorded?.output ?? main.output, release),
  };
}

function toReleaseInput(input: unknown, release: Release): unknown {
  const known = withoutUnknownMembers(input, release);
  if (!isPlainObject(known) || !isPlainObject(known.features)) return known;
  const gates = Object.entries(known.features);
  const exists = ([gate]: readonly [string, unknown]) => Object.hasOwn(release.features, gate);
  return { ...known, features: Object.fromEntries(gates.filter(exists)) };
}

/** The members of inputs and outputs that contain a JobSet. */
const jobSetMembers = ["jobset", "old", "new"];

function withoutUnknownMembers(value: unknown, { schema }: Release): unknown {
  if (!isPlainObject(value)) return value;
  const changed: Record<string, unknown> = { ...value };
  for (const name of jobSetMembers) {
    if (Object.hasOwn(value, name)) changed[name] = withKnownMembers(value[name], schema);
  }
  return changed;
}

/** The replacement for a value that a release prints in Go syntax, with memory addresses. */
const GO_VALUE = "<Go value>";

/**
 * Returns both outputs without the parts that were not recorded for a release.
 *
 * `patchType` is never compared, because older versions of controller-runtime send a patch even if nothing changed. If
 * a message has a value in Go syntax, the text around it is compared. The messages of v0.8 have no field paths and are
 * not compared.
 */
export function comparableOutputs(
  { output, tags }: RecordedCase,
  answer: unknown,
  { minor }: Release,
): { readonly expected: unknown; readonly actual: unknown } {
  const expected = withoutPatchType(output);
  const actual = withoutPatchType(answer);
  const message = getMessage(expected);
  const isSame =
    (minor === "v0.8" && message !== undefined && getMessage(actual) !== undefined) ||
    (tags.includes("goValue") && hasTextAround(message ?? "", getMessage(actual) ?? ""));
  return isSame ? { expected, actual: withMessage(actual, message) } : { expected, actual };
}

function withoutPatchType(output: unknown): unknown {
  if (!isPlainObject(output) || !isPlainObject(output.response)) return output;
  const { patchType: _, ...response } = output.response;
  return { ...output, response };
}

function getMessage(output: unknown): string | undefined {
  if (!isPlainObject(output) || !isPlainObject(output.response)) return undefined;
  const { message } = output.response;
  return typeof message === "string" ? message : undefined;
}

function withMessage(output: unknown, message: string | undefined): unknown {
  if (!isPlainObject(output) || !isPlainObject(output.response)) return output;
  return { ...output, response: { ...output.response, message } };
}

/** Returns whether a text contains the parts around the omitted values in order, and begins and ends with them. */
function hasTextAround(expected: string, actual: string): boolean {
  const parts = expected.split(GO_VALUE);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found =
      index === parts.length - 1 ? actual.length - part.length : actual.indexOf(part, at);
    if (found < at || !actual.startsWith(part, found) || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  return true;
}
