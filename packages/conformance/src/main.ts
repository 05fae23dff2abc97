import { families, notYetCovered } from "./families/index.ts";
import { run } from "./run.ts";
import { shippedVectors } from "./shipped-vectors.ts";

// A reader that stops early (`| head`) closes the pipe. That is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Only the code is set: the process ends by itself once a pipe has taken all that was written.
process.exitCode = await run(process.argv.slice(2), {
  families,
  notYetCovered,
  shipped: shippedVectors,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
