import { characterAt } from "./escape.ts";
import { createPatternError, type Read } from "./pattern-error.ts";

/** The flags that `(?…)` can set. Flags apply to the end of the group in which they are set. */
export interface Flags {
  /** `i`: letters match all their case variants. */
  readonly foldCase: boolean;
  /** `m`: `^` and `$` also match next to a newline. */
  readonly multiLine: boolean;
  /** `s`: `.` also matches a newline. */
  readonly dotAll: boolean;
  /** `U`: repeats match as little as possible. This never decides whether there is a match. */
  readonly nonGreedy: boolean;
}

/** The flags at the start of a pattern. */
export const NO_FLAGS: Flags = {
  foldCase: false,
  multiLine: false,
  dotAll: false,
  nonGreedy: false,
};

/** The construct that an opening parenthesis with a question mark starts. */
export interface GroupOpening {
  /** `Flags` for `(?i)`, which opens no group and changes the flags of the enclosing one. */
  readonly opens: "CapturingGroup" | "Group" | "Flags";
  /** The flags that apply after it. */
  readonly flags: Flags;
}

/**
 * Reads the construct that an opening parenthesis starts: `(`, `(?:`, `(?i-s:`, `(?i)`, `(?P<name>`,
 * `(?<name>`. Look-around, atomic groups, conditionals and comments are rejected. Group names may repeat. A
 * repeated flag, and a sign without a flag as in `(?i-)`, are rejected.
 */
export function readGroupOpening(text: string, at: number, flags: Flags): Read<GroupOpening> {
  if (text[at + 1] !== "?") {
    return { ok: true, value: { opens: "CapturingGroup", flags }, end: at + 1 };
  }
  for (const prefix of ["(?P<", "(?<"]) {
    // If nothing follows the prefix, its letters are read as flags.
    if (text.startsWith(prefix, at) && at + prefix.length < text.length) {
      return readNamedGroup(text, at, prefix.length, flags);
    }
  }
  return readFlags(text, at, flags);
}

function readNamedGroup(
  text: string,
  at: number,
  prefixLength: number,
  flags: Flags,
): Read<GroupOpening> {
  const end = text.indexOf(">", at) + 1;
  if (end === 0) {
    return createPatternError("invalid named capture", text.slice(at));
  }
  return NAME.test(text.slice(at + prefixLength, end - 1))
    ? { ok: true, value: { opens: "CapturingGroup", flags }, end }
    : createPatternError("invalid named capture", text.slice(at, end));
}

const NAME = /^[0-9A-Za-z_]+$/;

function readFlags(text: string, at: number, before: Flags): Read<GroupOpening> {
  let flags = before;
  let on = true;
  let flagsSinceSign = 0;
  for (let end = at + 2; end < text.length; ) {
    const character = characterAt(text, end);
    end += character.length;
    const flag = FLAGS.get(character);
    if (flag !== undefined) {
      flags = { ...flags, [flag]: on };
      flagsSinceSign++;
    } else if (character === "-" && on) {
      on = false;
      flagsSinceSign = 0;
    } else if ((character === ":" || character === ")") && (on || flagsSinceSign > 0)) {
      return { ok: true, value: { opens: character === ":" ? "Group" : "Flags", flags }, end };
    } else {
      return createPatternError("invalid or unsupported Perl syntax", text.slice(at, end));
    }
  }
  return createPatternError("invalid or unsupported Perl syntax", text.slice(at));
}

const FLAGS: ReadonlyMap<string, keyof Flags> = new Map([
  ["i", "foldCase"],
  ["m", "multiLine"],
  ["s", "dotAll"],
  ["U", "nonGreedy"],
]);
