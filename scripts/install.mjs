// Installs the dependencies of a command from the lockfile. Does nothing if they are installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fail, say } from "./report.mjs";
import { root } from "./root.mjs";
import { runExclusively } from "./run-exclusively.mjs";

/** The package manager that installs and packs the workspace, as an argument of `npx`. */
export const pnpm = "pnpm@12.21.0";
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed");
/** The error codes that npm and pnpm print without a network connection. */
export const networkErrors =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;

/** Programs that import only our packages and their dependencies. */
export const programs = [
  "packages/cli",
  "packages/conformance",
  "packages/bench",
  "examples/admission-proxy",
];

/**
 * Private packages that published packages bundle. Published packages list them as development
 * dependencies, which an installation without tools omits. The root manifest links them, and this list
 * installs their own dependencies.
 */
export const bundled = ["packages/checks", "packages/go-regexp"];

/** Examples outside the workspace, with a separate lockfile. */
const apart = ["headlamp-plugin", "pepr"];

/**
 * The possible installations, from small to large. Each contains the previous one. `megabytes` is the size of `node_modules` on Linux.
 * `selection` has the pnpm arguments. pnpm also installs the dependencies of the root manifest.
 */
const installations = {
  /** Runs {@link programs}. */
  programs: { megabytes: 23, selection: selectRuntimeDependencies(programs) },
  /** Also runs the example controller and the end-to-end tests. */
  controller: {
    megabytes: 100,
    selection: selectRuntimeDependencies([...programs, "examples/controller", "packages/e2e"]),
  },
  /** Also formats, checks, tests, builds and packs. */
  tools: { megabytes: 495, selection: ["--filter", "!{examples/admission-proxy/runtimes}"] },
  /** Also contains the other runtimes, for tests. */
  everything: { megabytes: 845, selection: [] },
};
const names = Object.keys(installations);

function selectRuntimeDependencies(folders) {
  const all = [...folders, ...bundled];
  return ["--prod", ...all.flatMap((folder) => ["--filter", `{${folder}}...`])];
}

/**
 * Ensures that `node_modules` matches the lockfile and contains at least the named installation. A second command that runs at the same
 * time waits.
 *
 * @param name - one of `programs`, `controller`, `tools`, `everything`
 */
export async function install(name) {
  const wanted = fingerprint();
  const isDone = () => {
    const { has, lockfile } = installed();
    return lockfile === wanted && names.indexOf(has) >= names.indexOf(name);
  };
  if (isDone()) return;
  mkdirSync(modules, { recursive: true });
  await runExclusively(join(modules, ".installing"), () => {
    if (isDone()) return;
    // Never install less than before, because pnpm would remove tools that the selection omits.
    const more = names[Math.max(names.indexOf(installed().has), names.indexOf(name))];
    const { megabytes, selection } = installations[more];
    const caches = "190 MB into the caches of npm and pnpm";
    say(`installing ${megabytes} MB into node_modules and ${caches} (up to a minute, only once)`);
    installFromLockfile(root, selection);
    writeFileSync(stamp, `${more} ${wanted}`);
  });
}

/**
 * Like {@link install}, for a folder outside the workspace with a separate lockfile.
 *
 * @param megabytes - the size of its `node_modules` on Linux
 */
export async function installApart(folder, megabytes) {
  const target = join(folder, "node_modules");
  const done = join(target, ".installed");
  const hash = createHash("sha256");
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.cjs"]) {
    const path = join(folder, file);
    if (existsSync(path)) hash.update(readFileSync(path));
  }
  const wanted = hash.digest("hex");
  const isDone = () => existsSync(done) && readFileSync(done, "utf8") === wanted;
  if (isDone()) return;
  mkdirSync(target, { recursive: true });
  await runExclusively(join(target, ".installing"), () => {
    if (isDone()) return;
    say(`installing ${megabytes} MB into ${relative(root, target)} (about ten seconds, only once)`);
    installFromLockfile(folder, []);
    writeFileSync(done, wanted);
  });
}

/** Returns the current installation and the fingerprint of its lockfile. */
function installed() {
  if (existsSync(stamp)) {
    const [has, lockfile] = readFileSync(stamp, "utf8").split(" ");
    if (names.includes(has)) return { has, lockfile };
  }
  // If the user ran pnpm directly, keep the tools that it installed.
  const ofPnpm = join(modules, ".modules.yaml");
  const hasTools =
    existsSync(ofPnpm) && /"?devDependencies"?: true/.test(readFileSync(ofPnpm, "utf8"));
  return { has: hasTools ? "tools" : "nothing", lockfile: undefined };
}

function installFromLockfile(folder, selection) {
  const ran = spawnSync("npx", ["--yes", pnpm, "install", "--frozen-lockfile", ...selection], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (ran.status === 0) return;
  const output = `${ran.stdout ?? ""}${ran.stderr ?? ""}`;
  if (ran.error !== undefined) fail(`cannot start npx: ${ran.error.message}`, 2);
  if (networkErrors.test(output)) {
    fail(
      "the package registry is not reachable; connect to the network and run the command again.",
      2,
    );
  }
  process.stderr.write(output);
  fail("installing the dependencies failed; see the output above.", 2);
}

/** Returns a hash of all files that determine the installation. */
function fingerprint() {
  const manifests = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  for (const folder of ["packages", "examples", "examples/admission-proxy"]) {
    for (const entry of readdirSync(join(root, folder)).sort()) {
      const manifest = join(folder, entry, "package.json");
      const isMember = folder !== "examples" || !apart.includes(entry);
      if (isMember && existsSync(join(root, manifest))) manifests.push(manifest);
    }
  }
  const hash = createHash("sha256");
  for (const manifest of manifests) hash.update(readFileSync(join(root, manifest)));
  return hash.digest("hex");
}
