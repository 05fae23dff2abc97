// Fake families and files for the tests of the runner.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Family } from "../families/family.ts";
import { run } from "../run.ts";

/** A family that returns the member `answer` of its input. */
export const echo: Family = {
  family: "echo",
  replay: (input) => ({ output: (input as { answer?: unknown }).answer }),
};

/**
 * Writes a file with the content into a new folder and returns its path. The folder is removed at the end of the test.
 */
export function aFile(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Writes cases into a new file, one per line, and returns its path. */
export function createFile(...cases: readonly unknown[]): string {
  return aFile("cases.jsonl", cases.map((recorded) => `${JSON.stringify(recorded)}\n`).join(""));
}

/** Creates a case for which {@link echo} returns `answer`. */
export function aCase(id: string, answer: unknown, output: unknown, tags: readonly string[] = []) {
  return { id, tags, input: { answer }, output };
}

/** The output and exit code of a run. */
export interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly lastLine: string;
}

/** Runs the command with fake families and captures its output. */
export async function runForTest(
  args: readonly string[],
  families: readonly Family[] = [echo],
  shipped: readonly string[] = [],
): Promise<RunResult> {
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
