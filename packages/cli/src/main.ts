#!/usr/bin/env node
import { isMainThread } from "node:worker_threads";
import { parentCommand, recognizeInvocation } from "./invocation.ts";
import { run } from "./run.ts";

// A failed write calls its callback. Without this listener, the same error would end the process.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

if (isMainThread) {
  const [, program = "", ...args] = process.argv;
  const { command, isCompletion } = recognizeInvocation({
    program,
    isTTY: process.stdout.isTTY === true,
    isNpx: process.env.npm_lifecycle_event === "npx",
    parentCommand,
  });
  // Each press of Tab starts this program, so it loads modules on demand.
  const loadReader = () => import("./input/read-limited.ts");
  // Sets only the exit code: the process ends after the pipe has received all output.
  process.exitCode = await run(isCompletion ? ["__complete", ...args] : args, {
    command,
    readFile: async (path, onBytesRead) => (await loadReader()).readFileLimited(path, onBytesRead),
    readStdin: async (onBytesRead) =>
      (await loadReader()).readStreamLimited(process.stdin, { onBytesRead }),
    readFolder: async (path) => (await import("./input/folder.ts")).readFolder(path),
    writeFile: async (path, text) => (await import("node:fs/promises")).writeFile(path, text),
    now: () => Date.now(),
    sleep: (millis) => new Promise((resolve) => setTimeout(() => resolve(true), millis)),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    ...(args.includes("explore") && {
      threads: (await import("./commands/explore/threads.ts")).getThreads(import.meta.url),
    }),
    // A second signal ends the process immediately.
    interrupted: new Promise((resolve) => {
      if (args[0] !== "explore") return;
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
    }),
  });
} else (await import("./commands/explore/serve-blocks.ts")).serveBlocks();
