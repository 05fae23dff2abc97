#!/usr/bin/env node
import { writeFile } from "node:fs/promises";
import { isMainThread } from "node:worker_threads";
import { serveBlocks, threadsOf } from "./commands/explore/threads.ts";
import { readFolder } from "./input/folder.ts";
import { readFileWithin, readStreamWithin } from "./input/read-within.ts";
import { parentCommand, recognizeInvocation } from "./invocation.ts";
import { run } from "./run.ts";

// A write that fails tells its callback; without a listener the same error would end the process.
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
  // Only the code is set: the process ends by itself once a pipe has taken all that was written.
  process.exitCode = await run(isCompletion ? ["__complete", ...args] : args, {
    command,
    readFile: readFileWithin,
    readStdin: (took) => readStreamWithin(process.stdin, { took }),
    readFolder,
    writeFile: (path, text) => writeFile(path, text),
    now: () => Date.now(),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    threads: threadsOf(import.meta.url),
    // Once: who asks again does not wait.
    interrupted: new Promise((resolve) => {
      if (args[0] !== "explore") return;
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
    }),
  });
} else serveBlocks();
