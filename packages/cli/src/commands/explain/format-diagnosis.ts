import { toSingleLine } from "@jobset-ts/api/text";
import { type Diagnosis, renderDiagnosis } from "@jobset-ts/diagnose";
import { escapeLine, truncateMiddle } from "../../output/escape.ts";
import { createPaint } from "../../output/paint.ts";
import { wrapLine } from "../../output/wrap.ts";
import { suggestCommand } from "./suggest-command.ts";

/** How a diagnosis is printed. */
export interface TextOptions {
  /** Whether the text has colors. */
  readonly isColored: boolean;
  /** The width of the terminal. Absent if the output is not a terminal. */
  readonly columns?: number;
  /** The kubectl flags that select the cluster. */
  readonly flags: readonly string[];
}

/** The maximum number of evidence lines of a root cause. The others are counted. */
const MAX_EVIDENCE = 5;
/** The maximum number of characters of a text, before it is wrapped. */
const MAX_TEXT = 400;
/** The same for the message of a root cause. The one reason in the long message of a policy may be in its middle. */
const MAX_ROOT_TEXT = 800;

/**
 * Formats a diagnosis as lines. The evidence directly follows the root cause, because readers need it first. A
 * kubectl command that shows the object of the root cause is the last line of each root.
 */
export function* formatDiagnosis(
  diagnosis: Diagnosis,
  { isColored, columns, flags }: TextOptions,
): Generator<string, void, undefined> {
  const paint = createPaint(isColored);
  const format = (role: keyof typeof styles | undefined, text: string) =>
    wrapLine(truncateMiddle(escapeLine(text), role === "Root" ? MAX_ROOT_TEXT : MAX_TEXT), columns)
      .map((line) => `${role === undefined ? line : paint(styles[role], line)}\n`)
      .join("");
  const chains = diagnosis.chains.values();
  let command: string | undefined;
  let previous: keyof typeof styles | undefined;
  for (const { role, text } of renderDiagnosis(diagnosis)) {
    const endsRoot = role === "Root" || role === "Note";
    if (endsRoot && command !== undefined) {
      yield format("Command", command);
      command = undefined;
    }
    yield format(role, text);
    previous = role;
    if (role !== "Root") continue;
    const root = chains.next().value?.links[0];
    const evidence = root?.evidence ?? [];
    for (const { object, at, text } of evidence.slice(0, MAX_EVIDENCE)) {
      const place = [`${object.kind}/${object.name}`, at].filter(Boolean).join(" ");
      yield format(undefined, `    ${toSingleLine(`${place}: ${text}`)}`);
    }
    const left = evidence.length - MAX_EVIDENCE;
    if (left > 0) yield `    … and ${left} more\n`;
    const suggested = root && suggestCommand(root, flags);
    command = suggested && `    $ ${suggested}`;
  }
  if (command !== undefined && previous !== "Note") yield format("Command", command);
}

const styles = {
  Heading: "bold",
  Root: "red",
  Symptom: "dim",
  Advice: "green",
  Note: "dim",
  Command: "cyan",
} as const;
