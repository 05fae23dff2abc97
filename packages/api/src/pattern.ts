/** Reports whether a text contains a match. */
export type PatternMatcher = (text: string) => boolean;

/**
 * Compiles a pattern of a schema. Keep the result: nothing is cached.
 *
 * A pattern that JavaScript cannot compile matches nothing. Neither does one that exhausts the engine on a long text.
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
