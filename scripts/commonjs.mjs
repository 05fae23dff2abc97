// Whether what is published can be required, also where `require` takes no ES modules.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Requires each entry of a package that has a form for CommonJS, by its public name and in a process of its own.
 * This Node may be one that lets `require` load ES modules; it is told not to, as Node 22.0 and Jest do not.
 *
 * @param folder - the package's, built like the ones that it imports
 * @returns `{ code, output }`, the code 0 when every entry loads
 */
export async function captureRequires(folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.entries(exports)
    .filter(([, conditions]) => conditions.require !== undefined)
    .map(([subpath]) => `${name}${subpath.slice(1)}`);
  const results = await Promise.all(entries.map((entry) => captureRequire(entry, folder)));
  return results.find(({ code }) => code !== 0) ?? { code: 0, output: "" };
}

function captureRequire(entry, folder) {
  const args = ["--no-experimental-require-module", "--eval", `require("${entry}")`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = `require("${entry}")\n`;
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (code) => resolve({ code: code ?? 3, output }));
  });
}
