/** Tells whether text matches, anywhere unless the pattern says otherwise. */
export type PatternMatcher = (text: string) => boolean;

/**
 * A schema's pattern, compiled once for whoever keeps it.
 *
 * A pattern that JavaScript cannot read matches nothing, nor does one over text so long that it exhausts the engine.
 */
export function compilePattern(pattern: string): PatternMatcher {
  const compiled = compile(pattern);
  return (text) => {
    try {
      return compiled?.test(text) ?? false;
    } catch {
      return false;
    }
  };
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
