/** Something that a user does with a package, and what has to come of it, as JSON. */
export interface Use {
  readonly name: string;
  readonly answer: () => unknown;
  readonly expected: unknown;
}
