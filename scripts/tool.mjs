import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.mjs";

const bin = join(root, "node_modules", ".bin");

/** Runs one of the workspace's development tools with its output shown; answers with its exit code. */
export function spawnTool(name, args) {
  return new Promise((resolve) => {
    toolProcess(name, args, root, "inherit").on("close", (code) => resolve(code ?? 3));
  });
}

/** Runs a tool, in the workspace's folder or another one, and keeps its output: `{ code, output }`. */
export function captureTool(name, args, folder = root) {
  return new Promise((resolve) => {
    let output = "";
    const child = toolProcess(name, args, folder, "pipe");
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("close", (code) => resolve({ code: code ?? 3, output }));
  });
}

function toolProcess(name, args, folder, output) {
  return spawn(join(bin, name), args, {
    cwd: folder,
    shell: process.platform === "win32",
    stdio: ["ignore", output, output],
  });
}
