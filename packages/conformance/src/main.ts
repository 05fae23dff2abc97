import { families, notYetCovered } from "./families/index.ts";
import { run } from "./run.ts";
import { listShippedVectors } from "./shipped-vectors.ts";

// A reader that stops early (`| head`) closes the pipe. That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Only the exit code is set. The process ends when a pipe has received all output.
process.exitCode = await run(process.argv.slice(2), {
  families,
  notYetCovered,
  shipped: listShippedVectors,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
