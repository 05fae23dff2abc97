// A fake kubectl for tests: responds with values and records its calls.
import { runCommand, type World } from "../testing.ts";
import type { createKubectl } from "./kubectl.ts";

/** The fake kubectl's behavior for a resource. */
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
      const { prints, stderr, exitCode } = combineAnswers(
        (words[1] ?? "").split(",").map((resource) => answers[resource] ?? { items: [] }),
      );
      // A process responds some time after its start.
      await undefined;
      if (canPrompt && stderr !== "") prompt?.(stderr);
      onStdout(new TextEncoder().encode(prints));
      return { stderr, exitCode };
    };
  const result = await runCommand(args, { ...world, createKubectl: createFake });
  return { ...result, calls };
}

/** Returns kubectl's response to a call for one or several resources. */
function combineAnswers(answers: readonly Answer[]) {
  const items = answers.flatMap((answer) => ("items" in answer ? answer.items : []));
  const printed = answers.flatMap((answer) => ("prints" in answer ? (answer.prints ?? []) : []));
  const stderr = answers.map((answer) => ("says" in answer ? answer.says : "")).join("");
  const codes = answers.map((answer) =>
    "items" in answer ? 0 : (answer.exitCode ?? ("says" in answer ? 1 : 0)),
  );
  const exitCode = Math.max(...codes);
  // For several resources, kubectl prints those that it could read.
  const hasList = printed.length === 0 && (exitCode === 0 || answers.length > 1);
  return { prints: hasList ? createList(items) : printed.join(""), stderr, exitCode };
}

/** Returns a list in the format of kubectl. */
function createList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: "v1", items, kind: "List", metadata: {} }, null, 4);
}
