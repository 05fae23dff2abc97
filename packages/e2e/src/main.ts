import { join } from "node:path";
import { ControlPlane } from "./control-plane.ts";
import { controlPlaneBinary } from "./control-plane-binary.ts";
import { playAll } from "./rounds.ts";
import { TestBed } from "./test-bed.ts";

// The bundle of this program lies in a cache folder, so the command says where the workspace is.
const [root = "", ...only] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

const binary = controlPlaneBinary(join(root, "packages", "e2e", "controlplane"), say);
if (!binary.ok) {
  say(`skipped: ${binary.reason}`);
  process.exitCode = process.env.JOBSET_E2E === "required" ? 1 : 0;
} else {
  const plane = await ControlPlane.start(binary.path);
  let passed = 0;
  let failed = 0;
  try {
    const bed = await TestBed.prepare(plane, root);
    for await (const { name, seconds, error } of playAll(bed, only)) {
      if (error === undefined) passed += 1;
      else failed += 1;
      say(`${error === undefined ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
      if (error !== undefined) say(error.replaceAll(/^/gm, "     "));
    }
    await bed.stop();
  } finally {
    await plane.stop();
  }
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
process.exit();
