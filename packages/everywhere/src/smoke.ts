import type { Use } from "./use.ts";
import { uses } from "./uses.ts";

/** Functions that import the entry points of the published packages, by name. */
export type Entries = Readonly<Record<string, () => Promise<object>>>;

/** The result of one use. `found` is set if it differs from the expected value. */
export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly found?: string;
}

/**
 * Imports every entry point of every package, and runs the uses of each package.
 *
 * @param more - uses that only some runtimes support
 */
export async function smoke(entries: Entries, more: readonly Use[] = []): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const imported = Object.entries(entries).map(
    ([name, load]): Use => ({
      name: `import "${name}"`,
      answer: async () => Object.keys(await load()).length > 0,
      expected: true,
    }),
  );
  for (const use of [...imported, ...uses, ...more]) outcomes.push(await getOutcome(use));
  return outcomes;
}

async function getOutcome({ name, answer, expected }: Use): Promise<Outcome> {
  try {
    const found = JSON.stringify(await answer());
    return found === JSON.stringify(expected) ? { name, ok: true } : { name, ok: false, found };
  } catch (error) {
    return { name, ok: false, found: error instanceof Error ? `${error.stack}` : String(error) };
  }
}
