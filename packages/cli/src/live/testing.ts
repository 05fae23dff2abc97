// A fake kubectl for tests: responds with values and records its calls.
import { runCommand, type World } from "../testing.ts";
import type { createKubectl } from "./kubectl.ts";

/** What the fake kubectl does for a resource. */
export type Answer =
  | { readonly items: readonly object[] }
  | { readonly prints: string; readonly exitCode?: number }
  | { readonly says: string; readonly prints?: string; readonly exitCode?: number };

/**
 * Runs the command with a fake kubectl.
 *
 * @param answers - responses by resource, as in `kubectl get pods`; other resources have no objects
 * @returns also the calls of kubectl
 */
export async function runLive(
  args: readonly string[],
  answers: Readonly<Record<string, Answer>>,
  world: World = {},
) {
  const calls: string[] = [];
  const createFake: typeof createKubectl =
    (_env, prompt) =>
    async (words, { onStdout, canPrompt }) => {
      calls.push(words.join(" "));
      const answer = answers[words[1] ?? ""] ?? { items: [] };
      const prints = "items" in answer ? createList(answer.items) : (answer.prints ?? "");
      const stderr = "says" in answer ? answer.says : "";
      const { exitCode = "says" in answer ? 1 : 0 } = "items" in answer ? {} : answer;
      // A process responds later than its start.
      await undefined;
      if (canPrompt && stderr !== "") prompt?.(stderr);
      onStdout(new TextEncoder().encode(prints));
      return { stderr, exitCode };
    };
  const result = await runCommand(args, { ...world, createKubectl: createFake });
  return { ...result, calls };
}

/** Returns a list in the format of kubectl. */
function createList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", items, kind: "List", metadata: {} }, null, 4);
}
