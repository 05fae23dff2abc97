// Installs the workspace from its lockfile, once per lockfile, and quietly.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "./report.mjs";
import { root } from "./root.mjs";

const pnpm = "pnpm@12.21.0";
const stamp = join(root, "node_modules", ".installed");
const networkErrors =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;

/** Makes `node_modules` what the lockfile says; does nothing when it already is. */
export function install() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const ran = spawnSync("npx", ["--yes", pnpm, "install", "--frozen-lockfile"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (ran.status === 0) {
    writeFileSync(stamp, wanted);
    return;
  }
  const output = `${ran.stdout ?? ""}${ran.stderr ?? ""}`;
  if (ran.error !== undefined) fail(`npx could not be started: ${ran.error.message}`, 2);
  if (networkErrors.test(output)) {
    fail("the package registry cannot be reached; connect to the network and run this again.", 2);
  }
  process.stderr.write(output);
  fail("the dependencies could not be installed; the output above says why.", 2);
}

/** Everything that decides what an installation contains. */
function fingerprint() {
  const manifests = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  for (const folder of ["packages", "examples"]) {
    for (const entry of readdirSync(join(root, folder)).sort()) {
      const manifest = join(folder, entry, "package.json");
      if (existsSync(join(root, manifest))) manifests.push(manifest);
    }
  }
  const hash = createHash("sha256").update(process.version);
  for (const manifest of manifests) hash.update(readFileSync(join(root, manifest)));
  return hash.digest("hex");
}
