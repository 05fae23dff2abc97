/** A pattern, with cached results of searches in it. */
export interface PatternText {
  readonly text: string;
  /** The offset of the last `:]`, or -1. After it, `[:` cannot open a named class. */
  readonly lastNamedClassEnd: number;
}

export function patternText(text: string): PatternText {
  return { text, lastNamedClassEnd: text.lastIndexOf(":]") };
}
