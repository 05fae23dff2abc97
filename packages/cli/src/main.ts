#!/usr/bin/env node
import { readFolder } from "./input/folder.ts";
import { readFileWithin, readStreamWithin } from "./input/read-within.ts";
import { run } from "./run.ts";

// A write that fails tells its callback; without a listener the same error would end the process.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});

// Only the code is set: the process ends by itself once a pipe has taken all that was written.
process.exitCode = await run(process.argv.slice(2), {
  readFile: readFileWithin,
  readStdin: (took) => readStreamWithin(process.stdin, { took }),
  readFolder,
  now: () => Date.now(),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
});
