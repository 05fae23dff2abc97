// Checks format, lint rules such as purity, the direction of imports, dead code and dependencies.
import { join } from "node:path";
import { root } from "./root.mjs";
import { cheaperInCpu, reportCheck, summarizeParts } from "./test.mjs";
import { capture, captureTool } from "./tool.mjs";

/** Runs the checks. The last line counts them. Returns the exit code. */
export async function lint() {
  return summarizeParts([
    await reportCheck("format, lint and purity", () =>
      captureTool("biome", ["ci", "--error-on-warnings"]),
    ),
    await reportCheck("direction of imports", () =>
      captureTool("depcruise", ["--config", ".dependency-cruiser.mjs", "packages/*/src"]),
    ),
    await reportCheck("dead code and dependencies", findDeadCode),
  ]);
}

/** Knip runs only for seconds, so optimized code does not save the time that it costs. */
function findDeadCode() {
  const knip = join(root, "node_modules", "knip", "bin", "knip.js");
  return capture(process.execPath, [...cheaperInCpu, "--no-opt", knip, "--no-progress"]);
}
