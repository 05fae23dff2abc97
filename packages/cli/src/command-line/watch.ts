import type { CommandResult } from "../output/command-result.ts";

/** The inputs of a repeated command: the wait between runs, and the terminal. */
export interface WatchContext {
  readonly run: () => Promise<CommandResult>;
  readonly finish: (result: CommandResult) => Promise<void>;
  /** Waits. Returns `false` if the command ends. */
  readonly sleep: () => Promise<boolean>;
  /** Whether a terminal shows the output. Then a new result replaces the previous one. */
  readonly isTerminal: boolean;
}

const CLEAR_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

/**
 * Runs a command again and again, and prints each result that differs from the previous one. Ends if the first run fails.
 * A later failure is printed, and the command continues, because a cluster can be temporarily unreachable.
 */
export async function watchCommand({
  run,
  finish,
  sleep,
  isTerminal,
}: WatchContext): Promise<void> {
  let shown: string | undefined;
  do {
    const result = await run();
    const text = [...result.output].join("");
    const messages = result.diagnostics.map(({ message }) => message);
    const current = JSON.stringify([text, messages]);
    if (current !== shown) {
      await finish({ ...result, output: isTerminal ? [CLEAR_SCREEN, text] : [text] });
    }
    if (shown === undefined && result.exitCode > 1) return;
    shown = current;
  } while (await sleep());
}
