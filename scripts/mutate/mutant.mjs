// How one mutant is told from the others, wherever in its file it has moved: by what it makes of what, in which line.

/**
 * Names for mutants of one file, in their order: `{ line, was, became }`, and `which` from the second on that would be the
 * same.
 *
 * @param source - the text of the file
 * @param mutants - all of the file, with what Stryker plans with: `location`, lines and columns from zero, and `replacement`
 */
export function listNames(source, mutants) {
  const lines = source.split("\n");
  const seen = new Map();
  return mutants.map(({ location: { start, end }, replacement }) => {
    const text = lines.slice(start.line, end.line + 1);
    text[text.length - 1] = text.at(-1).slice(0, end.column);
    text[0] = text[0].slice(start.column);
    const name = {
      line: short(lines[start.line]),
      was: short(text.join(" ")),
      became: short(replacement),
    };
    const which = (seen.get(getKey(name)) ?? 0) + 1;
    seen.set(getKey(name), which);
    return which === 1 ? name : { ...name, which };
  });
}

/** The same text for the same mutant of a file. */
export function getKey({ line, was, became, which = 1 }) {
  return JSON.stringify([line, was, became, which]);
}

/** On one line, and of a long text what it begins with. */
function short(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
