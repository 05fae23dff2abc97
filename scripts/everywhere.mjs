// Runs the tests in every Node version, and a smoke test of the built packages in every runtime.
import { copyFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { captureBuildOnce, listEntries, published } from "./build.mjs";
import { chromium } from "./chromium.mjs";
import { fail, say } from "./report.mjs";
import { root } from "./root.mjs";
import { findBinary, findNode } from "./runtimes.mjs";
import { replayDecisions, reportCheck, runTests, sum, summarizeParts } from "./test.mjs";
import { capture } from "./tool.mjs";

const folder = join(root, "packages", "everywhere");
const dist = join(folder, "dist");
const inProcess = join(dist, "process.mjs");
const inWorker = join(dist, "workerd.capnp");

/** The runtimes, in order. `find` returns the same type as `chromium`. `run` gets the path and returns `{ passed, failed }`. */
const runtimes = {
  node20: node(20),
  node22: node(22),
  node24: node(24),
  deno: runPackage("deno", (path) => smokeIn("deno", path, ["run", "--allow-all", inProcess])),
  bun: runPackage("bun", (path) => smokeIn("bun", path, [inProcess])),
  workerd: runPackage("workerd", (path) => smokeIn("workerd", path, ["test", inWorker])),
  /** Also tests the page that `jobset simulate -o html` creates. */
  chromium: { find: chromium, run: inBrowser },
};

/**
 * Runs the named runtimes, or all. Reports a missing runtime, which counts as failed only if JOBSET_EVERYWHERE is `required` or if no
 * runtime was found. The last line counts tests and uses of packages. Returns the exit code.
 */
export async function everywhere(names) {
  const unknown = names.find((name) => !Object.hasOwn(runtimes, name));
  if (unknown !== undefined) {
    fail(`unknown runtime "${unknown}": use one or more of ${Object.keys(runtimes).join(", ")}`, 2);
  }
  const built = await reportCheck("build", captureBuildOnce);
  if (built.failed > 0) return summarizeParts([built]);
  await bundleSmoke();
  const parts = [];
  const missing = [];
  for (const [name, { find, run }] of Object.entries(runtimes)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const found = await find();
    if (found.outcome === "Found") {
      parts.push(await run(found.path));
    } else missing.push(`not run: ${name}: ${found.reason}\n`);
  }
  process.stdout.write(missing.join(""));
  // If no runtime ran, the command must not succeed.
  const isMissed = process.env.JOBSET_EVERYWHERE === "required" || parts.length === 0;
  return summarizeParts([...parts, { passed: 0, failed: isMissed ? missing.length : 0 }]);
}

function node(major) {
  return {
    find: () => findNode(major),
    run: async (path) => {
      const smoke = await smokeIn(`node${major}`, path, [inProcess]);
      const { PATH } = process.env;
      process.env.PATH = [dirname(path), PATH].join(delimiter);
      try {
        say(`running the tests in ${path}`);
        const tests = await runTests();
        const decisions = await replayDecisions(path);
        process.stdout.write(decisions.text);
        return sum([smoke, tests, decisions]);
      } finally {
        process.env.PATH = PATH;
      }
    },
  };
}

function runPackage(name, run) {
  const find = () => {
    const path = findBinary(name);
    return path === undefined
      ? {
          outcome: "Unavailable",
          reason: `no binary for ${process.platform}-${process.arch}`,
        }
      : { outcome: "Found", path };
  };
  return { find, run };
}

/** Runs the smoke test, which prints one line of JSON. */
async function smokeIn(name, path, args) {
  const start = performance.now();
  const env = { DENO_DIR: join(dist, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const { code, output } = await capture(path, args, folder, env);
  const line = output.split("\n").find((one) => one.startsWith("[{"));
  const outcomes = code === 0 && line !== undefined ? JSON.parse(line) : [];
  const failed = outcomes.filter(({ ok }) => !ok);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (outcomes.length === 0) {
    process.stdout.write(`FAIL ${name}: exit code ${code}, no results\n${output}\n`);
    return { passed: 0, failed: 1 };
  }
  const passed = outcomes.length - failed.length;
  process.stdout.write(
    `${failed.length > 0 ? "FAIL" : "ok  "} ${name}: ${passed} uses of packages (${seconds} s)\n`,
  );
  for (const { name: use, found } of failed) process.stdout.write(`  ${use}: ${found}\n`);
  return { passed, failed: failed.length };
}

function inBrowser(path) {
  process.env.JOBSET_CHROMIUM = path;
  return runTests(["--config", join(folder, "vitest.config.ts")]);
}

/** Bundles the smoke test for each kind of runtime. Runtimes that cannot resolve packages get a single file. */
async function bundleSmoke() {
  const { build } = await import("esbuild");
  const entries = published.flatMap((name) =>
    listEntries(join(root, "packages", name)).map((entry) => entry.name),
  );
  for (const [host, isAlone] of [
    ["process", false],
    ["worker", true],
    ["page", true],
  ]) {
    const ownEntries = entries.filter((name) => !isAlone || !name.endsWith("/node"));
    const members = ownEntries.map((name) => `"${name}": () => import("${name}"),`);
    const start = `import start from "./src/in-${host}.ts";`;
    await build({
      stdin: {
        contents: `${start}\nexport default await start({\n${members.join("\n")}\n});`,
        resolveDir: folder,
      },
      outfile: join(dist, `${host}.mjs`),
      bundle: true,
      packages: isAlone ? "bundle" : "external",
      platform: isAlone ? "browser" : "neutral",
      format: "esm",
      target: "es2022",
      logLevel: "error",
    });
  }
  copyFileSync(join(folder, "workerd.capnp"), inWorker);
}
