// Fake families and files for the tests of the runner.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Family } from "../families/family.ts";
import { run } from "../run.ts";

/** A family whose answer is the member `answer` of its input. */
export const echo: Family = {
  family: "echo",
  replay: (input) => ({ output: (input as { answer?: unknown }).answer }),
};

/** Writes a file of that content into a new folder, which goes when the running test ends, and answers its path. */
export function aFile(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Writes cases, one a line, into a new file and answers its path. */
export function createFile(...cases: readonly unknown[]): string {
  return aFile("cases.jsonl", cases.map((recorded) => `${JSON.stringify(recorded)}\n`).join(""));
}

/** A case that {@link echo} answers with `answer`. */
export function aCase(id: string, answer: unknown, output: unknown, tags: readonly string[] = []) {
  return { id, tags, input: { answer }, output };
}

/** What a run wrote and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly lastLine: string;
}

/** Runs the command over fake families and keeps what it writes. */
export async function ran(
  args: readonly string[],
  families: readonly Family[] = [echo],
  shipped: readonly string[] = [],
): Promise<Ran> {
  let out = "";
  let error = "";
  const code = await run(args, {
    families: new Map(families.map((family) => [family.family, family])),
    notYetCovered: new Set(["awaited"]),
    shipped: () => shipped,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
  });
  return { code, out, error, lastLine: out.trimEnd().split("\n").at(-1) ?? "" };
}
