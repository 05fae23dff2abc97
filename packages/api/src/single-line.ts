import { escapeUnprintable } from "./escape-unprintable.ts";

/**
 * Returns text of another program as one line: without terminal control sequences, and with one space instead of line
 * breaks, control characters and other white space. Other invisible characters are escaped.
 *
 * @example toSingleLine("\u001b[31mfailed\u001b[0m:\n\texit code 1\n") // => "failed: exit code 1"
 */
export function toSingleLine(text: string): string {
  const plain = text.replace(controlSequence, "").replace(/[\s\p{Cc}]+/gu, " ");
  return escapeUnprintable(plain.trim());
}

/** Matches the control sequences of terminals, such as a change of the color. */
const controlSequence = /* @__PURE__ */ new RegExp(
  `${String.fromCharCode(0x1b)}\\[[0-9;?]*[ -/]*[@-~]`,
  "g",
);
