import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { FilesAndClock } from "../input/sources.ts";

/** The result of a kubectl call. */
export interface KubectlResult {
  /** Absent if a signal ended kubectl, or if it could not be started. */
  readonly exitCode?: number;
  /** The system's error code if kubectl could not be started. */
  readonly startError?: string;
  /** The start of kubectl's standard error. */
  readonly stderr: string;
}

/** The options of a kubectl call in addition to its arguments. */
export interface KubectlCall {
  /** Called with each chunk of standard output. Returns `false` to end the call. */
  readonly onStdout: (bytes: Uint8Array) => boolean;
  /** Whether kubectl may prompt the user for a login on the terminal. */
  readonly canPrompt: boolean;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** Calls kubectl. Never throws. */
export type Kubectl = (args: readonly string[], call: KubectlCall) => Promise<KubectlResult>;

/** Access to files, the current time and a cluster. */
export interface FilesAndCluster extends FilesAndClock {
  readonly kubectl: Kubectl;
}

/** The maximum number of characters of kubectl's standard error that are kept. */
const MAX_STDERR = 1 << 14;

/** The signals that end the program. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs the kubectl on the path. Shows its messages on a terminal at once, because it may prompt for a login. If this
 * process is terminated, kubectl ends first.
 *
 * @param prompt - shows a chunk of kubectl's messages; absent if no user can respond
 */
export function createKubectl(
  env: Readonly<Record<string, string | undefined>>,
  prompt?: (text: string) => void,
): Kubectl {
  return async (args, { onStdout, canPrompt, signal }) => {
    let stderr = "";
    let started: ChildProcess | undefined;
    // A signal between the start and a later registration would leave kubectl running.
    const forget = onEnd(() => started?.kill(), signal);
    try {
      const child = spawn("kubectl", args, {
        env: { ...env },
        stdio: [canPrompt && prompt !== undefined ? "inherit" : "ignore", "pipe", "pipe"],
      });
      started = child;
      if (signal?.aborted) child.kill();
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        if (stderr.length < MAX_STDERR) stderr += text.slice(0, MAX_STDERR);
        if (canPrompt) prompt?.(text);
      });
      child.stdout?.on("data", (bytes: Uint8Array) => {
        if (!onStdout(bytes)) child.kill();
      });
      const [exitCode] = (await once(child, "close")) as [number | null];
      return { stderr, ...(exitCode !== null && { exitCode }) };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return { stderr, startError: code };
    } finally {
      forget();
    }
  };
}

/**
 * Calls `end` on abort, or if this process receives a signal. The process then ends.
 *
 * @returns a function that removes the listeners
 */
function onEnd(end: () => void, signal: AbortSignal | undefined): () => void {
  const forget = () => {
    for (const name of signals) process.off(name, endBoth);
    signal?.removeEventListener("abort", end);
  };
  const endBoth = (name: NodeJS.Signals) => {
    end();
    forget();
    process.kill(process.pid, name);
  };
  for (const name of signals) process.on(name, endBoth);
  signal?.addEventListener("abort", end);
  return forget;
}
