// What is put up for those who do not install packages: the command as one file, an archive of it for krew, and krew's manifest. Each is
// tried as its users would.
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
import { conclude, toldCheck } from "./test.mjs";
import { captureTool } from "./tool.mjs";

const folder = join(root, "packages", "cli");
const release = join(folder, "release");
const archive = join(release, "kubectl-jobset.tar.gz");
const manifest = join(release, "krew.yaml");
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Builds the files and tries them, each try in an empty folder; the last line counts. Answers with the exit code. */
export async function releaseFiles() {
  const parts = [];
  for (const [name, take] of Object.entries(tries)) {
    parts.push(await toldCheck(name, take));
    if (parts[0].failed > 0) break;
  }
  say(`they are in ${relative(root, release)}`);
  return conclude(parts);
}

const tries = {
  "one file, an archive and krew's manifest": buildFiles,
  "the file runs by itself": () => inEmptyFolder(runsByItself),
  "krew's manifest is of the archive": () => inEmptyFolder(isArchiveEntry),
  ...(spawnSync("kubectl", ["version", "--client"]).status === 0
    ? { "kubectl runs it, and completes its words": () => inEmptyFolder(runsUnderKubectl) }
    : createEmpty("kubectl is not on the PATH: it is not tried as its plugin")),
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

/** Files of `release` as a ustar archive that depends on nothing but them: the same files give the same checksum. */
function createTar(names) {
  const blocks = names.flatMap((name) => {
    const content = readFileSync(join(release, name));
    const mode = name.endsWith(".mjs") ? "0000755" : "0000644";
    const header = Buffer.alloc(512);
    const size = content.length.toString(8).padStart(11, "0");
    header.write(name, 0);
    header.write(`${mode}\0${"0000000\0".repeat(2)}${size}\0${"0".repeat(11)}\0`, 100);
    header.write("        0", 148); // the checksum counts as blanks; 0 is a plain file
    header.write("ustar\x0000", 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Tries something in a folder that goes afterwards; whatever it finds wrong it throws. */
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

function runsByItself(empty) {
  const file = join(empty, "jobset.mjs");
  copyFileSync(join(release, "jobset.mjs"), file);
  chmodSync(file, 0o755);
  const shipped = join(root, "examples", "jobsets", "mpi.yaml");
  copyFileSync(shipped, join(empty, "mpi.yaml"));
  const jobset = (...args) => printed(file, args, { cwd: empty, path: dirname(process.execPath) });
  expectEqual(jobset("--version"), `${version}\n`);
  const rendered = "service/wing\njob.batch/wing-worker-0\njob.batch/wing-launcher-0\n";
  expectEqual(jobset("render", "-f", "mpi.yaml", "-o", "name"), rendered);
  // With threads, which are this file once more.
  expectEqual(jobset("explore", "--random", "--runs", "8", "--jobs", "2"), "");
}

function isArchiveEntry(empty) {
  const { apiVersion, kind, metadata, spec } = parse(readFileSync(manifest, "utf8"));
  expectEqual(
    [apiVersion, kind, metadata.name, spec.version, spec.homepage.startsWith("https://")],
    ["krew.googlecontainertools.github.com/v1alpha2", "Plugin", "jobset", `v${version}`, true],
  );
  // What krew's index refuses.
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
    // As krew installs it: a link, by the name that kubectl looks for.
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
  throw new Error(`${command} ${args.join(" ")} ends with ${status}\n${error ?? ""}${stderr}`);
}

function expectEqual(actual, wanted) {
  const [one, other] = [actual, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`it is ${one}\nand not ${other}`);
}
