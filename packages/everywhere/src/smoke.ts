import type { Use } from "./use.ts";
import { uses } from "./uses.ts";

/** Every way into a published package by its name, each imported when asked. */
export type Entries = Readonly<Record<string, () => Promise<object>>>;

/** What came of one use; `found` is there where it is not what it has to be. */
export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly found?: string;
}

/**
 * Imports every entry of every package, and does with each package what its users do.
 *
 * @param more - uses that only some runtimes have
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
