// Builds and tests the release files for users who do not install packages: the command as one file, a krew archive, and the krew
// manifest.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import { repositoryUrl } from "./build.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { reportCheck, summarizeParts } from "./test.mjs";
import { captureTool } from "./tool.mjs";

const folder = join(root, "packages", "cli");
const release = join(folder, "release");
const archive = join(release, "kubectl-jobset.tar.gz");
const manifest = join(release, "krew.yaml");
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Builds the files and runs each test in an empty folder. The last line has the counts. Returns the exit code. */
export async function releaseFiles() {
  const parts = [];
  for (const [name, take] of Object.entries(tries)) {
    parts.push(await reportCheck(name, take));
    if (parts[0].failed > 0) break;
  }
  say(`the release files are in ${relative(root, release)}`);
  return summarizeParts(parts);
}

const tries = {
  "build of the file, the archive and the krew manifest": buildFiles,
  "the file runs without other files": () => inEmptyFolder(checkStandalone),
  "the krew manifest matches the archive": () => inEmptyFolder(isArchiveEntry),
  ...(spawnSync("kubectl", ["version", "--client"]).status === 0
    ? { "kubectl runs and completes the plugin": () => inEmptyFolder(runsUnderKubectl) }
    : createEmpty("skipped the test of the kubectl plugin: kubectl is not on the PATH")),
};

function createEmpty(why) {
  say(why);
  return {};
}

async function buildFiles() {
  const built = await captureTool("tsup", [], folder);
  if (built.code !== 0) return built;
  chmodSync(join(release, "jobset.mjs"), 0o755);
  copyFileSync(join(root, "LICENSE"), join(release, "LICENSE"));
  const files = ["jobset.mjs", "LICENSE", "THIRD-PARTY-LICENSES.txt"];
  writeFileSync(archive, gzipSync(createTar(files), { level: 9 }));
  const values = {
    VERSION: version,
    REPOSITORY: repositoryUrl(),
    SHA256: computeSha256(archive),
  };
  const template = readFileSync(join(folder, "krew.yaml"), "utf8").replace(/^(#.*\n)+/, "");
  const filled = template.replaceAll(/\$([A-Z0-9]+)/g, (_, name) => values[name]);
  writeFileSync(manifest, filled);
  return built;
}

const computeSha256 = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Returns a reproducible ustar archive of files in `release`: the same files give the same checksum. */
function createTar(names) {
  const blocks = names.flatMap((name) => {
    const content = readFileSync(join(release, name));
    const mode = name.endsWith(".mjs") ? "0000755" : "0000644";
    const header = Buffer.alloc(512);
    const size = content.length.toString(8).padStart(11, "0");
    header.write(name, 0);
    header.write(`${mode}\0${"0000000\0".repeat(2)}${size}\0${"0".repeat(11)}\0`, 100);
    header.write("        0", 148); // The checksum field counts as spaces. Type 0 is a regular file.
    header.write("ustar\x0000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Runs a test in a temporary folder. The test throws if it fails. */
async function inEmptyFolder(take) {
  const empty = mkdtempSync(join(tmpdir(), "jobset-release-"));
  try {
    take(empty);
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 1, output: `${error.message}\n` };
  } finally {
    rmSync(empty, { recursive: true });
  }
}

function checkStandalone(empty) {
  const file = join(empty, "jobset.mjs");
  copyFileSync(join(release, "jobset.mjs"), file);
  chmodSync(file, 0o755);
  const shipped = join(root, "examples", "jobsets", "mpi.yaml");
  copyFileSync(shipped, join(empty, "mpi.yaml"));
  const jobset = (...args) => printed(file, args, { cwd: empty, path: dirname(process.execPath) });
  expectEqual(jobset("--version"), `${version}\n`);
  const rendered = "service/wing\njob.batch/wing-worker-0\njob.batch/wing-launcher-0\n";
  expectEqual(jobset("render", "-f", "mpi.yaml", "-o", "name"), rendered);
  // Uses worker threads, which load the same file.
  expectEqual(jobset("explore", "--random", "--runs", "8", "--jobs", "2"), "");
}

function isArchiveEntry(empty) {
  const { apiVersion, kind, metadata, spec } = parse(readFileSync(manifest, "utf8"));
  expectEqual(
    [apiVersion, kind, metadata.name, spec.version, spec.homepage.startsWith("https://")],
    ["krew.googlecontainertools.github.com/v1alpha2", "Plugin", "jobset", `v${version}`, true],
  );
  // The krew index rejects longer or missing descriptions.
  expectEqual(spec.shortDescription.length <= 50 && spec.description.length > 0, true);
  for (const { uri, sha256, files, bin, selector } of spec.platforms) {
    expectEqual(uri.endsWith(`/v${version}/kubectl-jobset.tar.gz`), true);
    expectEqual(sha256, computeSha256(archive));
    expectEqual(selector.matchExpressions[0].values, ["darwin", "linux"]);
    const unpacked = join(empty, "unpacked");
    mkdirSync(unpacked, { recursive: true });
    printed("tar", ["-xzf", archive, "-C", unpacked]);
    const listed = printed("tar", ["-tzf", archive]).trim().split("\n");
    expectEqual(
      files.map(({ from }) => from),
      listed,
    );
    expectEqual(files.map(({ from }) => from).includes(bin), true);
    // Like krew, create a link with the name that kubectl expects.
    symlinkSync(join(unpacked, bin), join(empty, "kubectl-jobset"));
    expectEqual(printed(join(empty, "kubectl-jobset"), ["--version"]), `${version}\n`);
  }
}

function runsUnderKubectl(empty) {
  symlinkSync(join(release, "jobset.mjs"), join(empty, "kubectl-jobset"));
  const path = `${empty}${delimiter}${process.env.PATH}`;
  const kubectl = (...args) => printed("kubectl", args, { cwd: empty, path });
  expectEqual(kubectl("jobset", "--version"), `${version}\n`);
  const file = join(empty, "kubectl_complete-jobset");
  writeFileSync(file, kubectl("jobset", "completion", "kubectl"), { mode: 0o755 });
  const completed = kubectl("__complete", "jobset", "top", "-o", "w");
  expectEqual(completed.split("\n").slice(0, 2), ["wide", ":4"]);
}

function printed(command, args, { cwd, path = process.env.PATH } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: path, HOME: cwd ?? tmpdir() },
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(" ")}: exit code ${status}\n${error ?? ""}${stderr}`);
}

function expectEqual(actual, wanted) {
  const [one, other] = [actual, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`actual:   ${one}\nexpected: ${other}`);
}
