// Installs what a command needs from the workspace's lockfile, once per lockfile, and quietly.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { exclusively } from "./exclusively.mjs";
import { fail, say } from "./report.mjs";
import { root } from "./root.mjs";

/** What installs and packs the workspace, as `npx` takes it. */
export const pnpm = "pnpm@12.21.0";
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed");
/** What npm and pnpm say where there is no network. */
export const networkErrors =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/;

/** Programs that import nothing but our packages, and what these import. */
export const programs = [
  "packages/cli",
  "packages/conformance",
  "packages/bench",
  "examples/admission-proxy",
];

/**
 * Private packages that published ones are bundled with. They are among the tools of those, which do not come along; the
 * workspace's own dependencies link them, and here they get their own.
 */
export const bundled = ["packages/checks", "packages/go-regexp"];

/** Examples that have a lockfile of their own, and are no part of the workspace. */
const apart = ["headlamp-plugin", "pepr"];

/**
 * What can be installed, from little to much: each contains what stands before it, so that installing more only ever
 * adds. `megabytes` is the size of `node_modules` then, on Linux; `selection` says so to pnpm, which always takes the
 * workspace's own dependencies, too.
 */
const installations = {
  /** What runs {@link programs}. */
  programs: { megabytes: 23, selection: runningOnly(programs) },
  /** And the example controller, with its client, and the stories that drive it. */
  controller: {
    megabytes: 100,
    selection: runningOnly([...programs, "examples/controller", "packages/e2e"]),
  },
  /** And what formats, checks, builds, packs and mutates. */
  tools: { megabytes: 495, selection: ["--filter", "!{examples/admission-proxy/runtimes}"] },
  /** And the runtimes that only tests start. */
  everything: { megabytes: 845, selection: [] },
};
const names = Object.keys(installations);

function runningOnly(folders) {
  const all = [...folders, ...bundled];
  return ["--prod", ...all.flatMap((folder) => ["--filter", `{${folder}}...`])];
}

/**
 * Sees to it that `node_modules` has what the lockfile says, and at least what `name` stands for; does nothing when it
 * already does. A second command that comes meanwhile waits.
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
  await exclusively(join(modules, ".installing"), () => {
    if (isDone()) return;
    // What was there stays there: pnpm would remove the tools from an installation that is to do without.
    const more = names[Math.max(names.indexOf(installed().has), names.indexOf(name))];
    const { megabytes, selection } = installations[more];
    const caches = "pnpm and what it looks up, 190 MB in caches";
    say(`installs ${megabytes} MB into node_modules, with ${caches}; once, up to a minute`);
    installFromLockfile(root, selection);
    writeFileSync(stamp, `${more} ${wanted}`);
  });
}

/**
 * The same for a folder that has a lockfile of its own, and is no part of the workspace.
 *
 * @param megabytes - the size of its `node_modules` then, on Linux
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
  await exclusively(join(target, ".installing"), () => {
    if (isDone()) return;
    say(`installs ${megabytes} MB into ${relative(root, target)}; once, some ten seconds`);
    installFromLockfile(folder, []);
    writeFileSync(done, wanted);
  });
}

/** What was installed last, and from which lockfile. */
function installed() {
  if (existsSync(stamp)) {
    const [has, lockfile] = readFileSync(stamp, "utf8").split(" ");
    if (names.includes(has)) return { has, lockfile };
  }
  // Somebody may have started pnpm by hand; its tools are to stay.
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
