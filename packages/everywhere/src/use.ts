/** A use of a package, with its expected result as JSON. */
export interface Use {
  readonly name: string;
  readonly answer: () => unknown;
  readonly expected: unknown;
}
