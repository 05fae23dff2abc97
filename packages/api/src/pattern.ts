const compiled = new Map<string, RegExp | undefined>();

/**
 * Whether text matches a schema's pattern, anywhere unless the pattern says otherwise.
 *
 * A pattern that JavaScript cannot read matches nothing, nor does one over text so long that it exhausts the engine.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  try {
    return compiled.get(pattern)?.test(text) ?? false;
  } catch {
    return false;
  }
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
