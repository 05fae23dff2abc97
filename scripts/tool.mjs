import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./root.mjs";

const bin = join(root, "node_modules", ".bin");

/** Runs a development tool of the workspace and shows its output. Returns the exit code. */
export function spawnTool(name, args) {
  return new Promise((resolve) => {
    started(join(bin, name), args, root, "inherit").on("close", (code) => resolve(code ?? 3));
  });
}

/** Runs a tool in a folder, by default the workspace. Returns `{ code, output }`. */
export function captureTool(name, args, folder) {
  return capture(join(bin, name), args, folder);
}

/** Like {@link captureTool}, for any command, such as `npm`. `env` extends the environment of this process. */
export function capture(command, args, folder = root, env = {}) {
  return new Promise((resolve) => {
    let output = "";
    const child = started(command, args, folder, "pipe", env);
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => keep(`${error.message}\n`)); // The command does not start. A close event follows.
    child.on("close", (code) => resolve({ code: code ?? 3, output }));
  });
}

function started(command, args, folder, output, env = {}) {
  return spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
    stdio: ["ignore", output, output],
  });
}
