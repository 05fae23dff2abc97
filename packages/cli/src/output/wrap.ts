/** The minimum width to which text is wrapped, so that deeply indented text has enough space. */
const MIN_WIDTH = 40;

/**
 * Wraps a line at spaces. The following lines have the same indent and two more spaces. Longer words are not divided, so
 * that they can be copied.
 *
 * @param width - in characters; if absent, the line does not change
 * @example wrapLine("  one two three", 40) // => ["  one two three"]
 */
export function wrapLine(line: string, width: number | undefined): readonly string[] {
  if (width === undefined || line.length <= width) return [line];
  const limit = Math.max(width, MIN_WIDTH);
  const [start = ""] = /^[ └─]*/.exec(line) ?? [];
  const indent = " ".repeat(start.length + 2);
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const word of line.slice(start.length).split(" ")) {
    if (!isEmpty && current.length + 1 + word.length > limit) {
      lines.push(current);
      current = indent;
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current];
}
