// Checks an installation: npm installs the tarballs in an empty folder.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { listEntries, published } from "../build.mjs";
import { networkErrors } from "../install.mjs";
import { tarballsIn } from "../pack.mjs";
import { root } from "../root.mjs";
import { capture } from "../tool.mjs";
import { startsFast } from "./start-time.mjs";

/** The expected output of `plan.mjs`. */
const planned = "create train-workers-0\ncreate train-workers-1\nupdateStatus train\n";

/** Returns the checks, in parts. They install the tarballs of a folder in a subfolder. */
export function installed(folder) {
  const home = join(folder, "home");
  return [
    { "npm installs the tarballs": () => install(folder, home) },
    {
      "the tarballs contain the right files": () => contents(home),
      "every entry can be imported": () => node(home, "import.mjs", ...importedNames(home)),
      // Newer versions of Node can load ES modules with `require`. The flag disables this, because Node 22.0 and Jest cannot.
      "every entry can be required": () =>
        node(home, "--no-experimental-require-module", "require.cjs", ...importedNames(home)),
      "a short program prints a plan, as an ES module": () => plans(home, "plan.mjs"),
      "a short program prints a plan, as CommonJS": () => plans(home, "plan.cjs"),
      "the command runs": () => capture(join(home, "node_modules", ".bin", "jobset"), ["-V"], home),
      "the command starts fast": () => startsFast(home),
      ...Object.fromEntries(compilations.map((one) => [getName(one), () => compiled(home, one)])),
    },
  ];
}

/** Installs the tarballs with plain npm, without the settings of the workspace. */
async function install(folder, home) {
  mkdirSync(home);
  for (const file of ["plan.mjs", "import.mjs", "require.cjs"]) {
    copyFileSync(join(import.meta.dirname, file), join(home, file));
  }
  const plan = readFileSync(join(home, "plan.mjs"), "utf8");
  const required = plan.replace(/^import (.*) from (.*);$/m, "const $1 = require($2);");
  writeFileSync(join(home, "plan.cjs"), required);
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
  const types = join(root, "node_modules", "@types", "node", "package.json");
  const { version } = JSON.parse(readFileSync(types, "utf8"));
  const quietly = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const wanted = [...tarballsIn(folder), `@types/node@${version}`];
  const { code, output } = await capture("npm", ["install", ...quietly, ...wanted], home);
  if (code === 0 || !networkErrors.test(output)) return { code, output };
  return {
    code,
    output: "the package registry is not reachable, and the npm cache lacks some packages.",
  };
}

/** Checks that only expected files are present, and that source maps contain or find all their sources. */
function contents(home) {
  const belongs =
    /^(package\.json|README\.md|LICENSE|dist\/THIRD-PARTY-LICENSES\.txt|dist\/[^/]+\.(c?js|c?js\.map|d\.c?ts)|src\/.+\.ts)$/;
  const isOfTests = /\.test(-d)?\.ts$|\/testdata\/|^src\/testing\//;
  const faults = published.flatMap((name) => {
    const folder = join(home, "node_modules", "@jobset-ts", name);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
    const lacking = ["package.json", "README.md", "LICENSE"].filter((one) => !files.includes(one));
    return [
      ...lacking.map((file) => `${name}: ${file} is missing`),
      ...files
        .filter((file) => !belongs.test(file) || isOfTests.test(file))
        .map((file) => `${name}: unexpected file ${file}`),
      ...files.flatMap((file) =>
        listFaults(join(folder, file)).map((fault) => `${name}: ${file} ${fault}`),
      ),
    ];
  });
  return { code: faults.length === 0 ? 0 : 1, output: faults.join("\n") };
}

function listFaults(file) {
  const text = readFileSync(file, "utf8");
  const faults = text.includes(root) ? ["contains a path of the build machine"] : [];
  if (file.endsWith("package.json") && text.includes('"workspace:'))
    faults.push("contains workspace:");
  if (!file.endsWith(".map")) return faults;
  const { sources, sourcesContent = [] } = JSON.parse(text);
  const isThere = (source, index) =>
    typeof sourcesContent[index] === "string" || existsSync(join(dirname(file), source));
  return [
    ...faults,
    ...sources
      .filter((source, index) => !isThere(source, index))
      .map((one) => `refers to the missing source ${one}`),
  ];
}

/** Returns the import names of all entries of the installed packages. */
function importedNames(home) {
  return published
    .flatMap((name) => listEntries(join(home, "node_modules", "@jobset-ts", name)))
    .map(({ name }) => name);
}

async function plans(home, program) {
  const { code, output } = await node(home, program);
  if (code !== 0 || output === planned) return { code, output };
  return { code: 1, output: `${program} printed\n${output}` };
}

function node(home, ...args) {
  return capture(process.execPath, args, home);
}

/** The compilations: compiler, module resolution, `exactOptionalPropertyTypes` and types of the runtime. */
const compilations = ["typescript-5.4", "typescript"].flatMap((compiler) => [
  ...["nodenext", "bundler", "node"].flatMap((resolution) =>
    [false, true].map((exact) => ({ compiler, resolution, exact, types: [] })),
  ),
  { compiler, resolution: "nodenext", exact: true, types: ["node"] },
]);

function getName({ compiler, resolution, exact, types }) {
  const manifest = join(root, "node_modules", compiler, "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const exactly = exact ? ", exactOptionalPropertyTypes" : "";
  const entries =
    types.length > 0 ? "entries that need types of Node" : "all other entries, a short program";
  return `TypeScript ${version}, ${resolution}${exactly}: ${entries}`;
}

/** Compiles an import of every entry. Entries that need types of Node are compiled separately, the others with the short program. */
async function compiled(home, { compiler, resolution, exact, types }) {
  const needsRuntime = /^@jobset-ts\/controller-runtime|\/schema$/; // zod's types use `URL`.
  const isWithNode = types.includes("node");
  // With this resolution, TypeScript does not find the types of a dependency of fast-check.
  const cannotResolve = resolution === "node" ? /^@jobset-ts\/testing/ : /^$/;
  const imports = importedNames(home)
    .filter((entry) => needsRuntime.test(entry) === isWithNode && !cannotResolve.test(entry))
    .map((entry, index) => `export * as entry${index} from "${entry}";`);
  const plan = readFileSync(join(home, "plan.mjs"), "utf8");
  const console = "declare const console: { log(...args: string[]): void };";
  const source = (isWithNode ? imports : [...imports, console, plan]).join("\n");
  const files = resolution === "nodenext" ? ["all.mts", "all.cts"] : ["all.ts"];
  for (const file of files) writeFileSync(join(home, file), source);
  const isDeprecated = resolution === "node" && compiler === "typescript";
  const compilerOptions = {
    ...(isDeprecated && { ignoreDeprecations: "6.0" }),
    target: "es2022",
    lib: ["es2023"],
    module: resolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution: resolution,
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: exact,
    noEmit: true,
    types,
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return node(home, join(root, "node_modules", compiler, "bin", "tsc"), "-p", home);
}
