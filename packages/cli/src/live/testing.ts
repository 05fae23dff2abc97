// A fake kubectl for tests: a script that responds with the content of files and records its calls.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand, type World } from "../testing.ts";

/** What the fake kubectl does for a resource. */
export type Answer =
  | { readonly items: readonly object[] }
  | { readonly prints: string; readonly exitCode?: number }
  | { readonly says: string; readonly prints?: string; readonly exitCode?: number };

const script = `#!/bin/sh
PATH=/usr/bin:/bin
folder=\${0%/*}
echo "$*" >> "$folder/calls"
if [ -e "$folder/$2.err" ]; then cat "$folder/$2.err" >&2; fi
if [ -e "$folder/$2.out" ]; then cat "$folder/$2.out"
elif [ ! -e "$folder/$2.err" ]; then echo '{"apiVersion": "v1", "kind": "List", "items": []}'
fi
if [ -e "$folder/$2.code" ]; then exit "$(cat "$folder/$2.code")"; fi
`;

/**
 * Runs the command with a fake kubectl on the path.
 *
 * @param answers - responses by resource, as in `kubectl get pods`; other resources have no objects
 * @returns also the calls of kubectl
 */
export async function runLive(
  args: readonly string[],
  answers: Readonly<Record<string, Answer>>,
  world: World = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "jobset-kubectl-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    writeFileSync(join(folder, "kubectl"), script, { mode: 0o755 });
    write("calls", "");
    for (const [resource, answer] of Object.entries(answers)) {
      const { exitCode = "says" in answer ? 1 : 0 } = "items" in answer ? {} : answer;
      write(`${resource}.code`, String(exitCode));
      if ("says" in answer) write(`${resource}.err`, answer.says);
      if ("prints" in answer) write(`${resource}.out`, answer.prints ?? "");
      if ("items" in answer) write(`${resource}.out`, createList(answer.items));
    }
    const result = await runCommand(args, { ...world, env: { ...world.env, PATH: folder } });
    const calls = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
    return { ...result, calls };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns a list in the format of kubectl. */
function createList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", items, kind: "List", metadata: {} }, null, 4);
}
