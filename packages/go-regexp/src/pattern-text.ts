/** A pattern, and what its readers would otherwise look for again and again. */
export interface PatternText {
  readonly text: string;
  /** The offset of the last `:]`, or -1. Behind it, `[:` opens no named class, and need not be searched. */
  readonly lastNamedClassEnd: number;
}

export function patternText(text: string): PatternText {
  return { text, lastNamedClassEnd: text.lastIndexOf(":]") };
}
