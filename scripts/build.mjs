// What is published: JavaScript for both module systems, and types.
import { join } from "node:path";
import { captureRequires } from "./commonjs.mjs";
import { root } from "./root.mjs";
import { captureTool } from "./tool.mjs";

/** A package comes after those that it imports. */
const published = ["api", "crd", "core", "admission", "testing", "cli"];

/** What is done with each package: build it, look at what would be packed as a user would see it, and require it. */
const steps = [
  ["tsup", (folder) => captureTool("tsup", [], folder)],
  ["publint", (folder) => captureTool("publint", ["--pack", "npm", "--strict"], folder)],
  ["CommonJS", captureRequires],
];

/** Builds all published packages; says something only when one fails. Answers with the exit code. */
export async function build() {
  const { code, output } = await captureBuild();
  process.stderr.write(code === 0 ? "" : output);
  return code;
}

/** Builds and checks all published packages up to the first that fails: `{ code, output }`. */
export async function captureBuild() {
  for (const name of published) {
    const folder = join(root, "packages", name);
    for (const [step, take] of steps) {
      const { code, output } = await take(folder);
      if (code !== 0) return { code, output: `packages/${name}: ${step}\n${output}` };
    }
  }
  return { code: 0, output: "" };
}
