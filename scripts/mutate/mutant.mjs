// Names mutants by their line, the original text and the replacement, so a name survives when the line moves.

/**
 * Returns the names of all mutants of a file, in order: `{ line, was, became }`. From the second mutant with the same name, `which`
 * contains its number.
 *
 * @param source - the text of the file
 * @param mutants - mutants of Stryker with `location`, counted from zero, and `replacement`
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

/** Returns a key that identifies a mutant within its file. */
export function getKey({ line, was, became, which = 1 }) {
  return JSON.stringify([line, was, became, which]);
}

/** Joins lines and truncates long text. */
function short(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`;
}
