// The packages as whoever installs them has them: in an empty folder, by plain npm, from the tarballs.
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

/** What the ten lines of `plan.mjs` print. */
const planned = "create train-workers-0\ncreate train-workers-1\nupdateStatus train\n";

/** The parts of what is looked at once the tarballs of a folder are installed in another one inside it. */
export function installed(folder) {
  const home = join(folder, "home");
  return [
    { "npm installs the tarballs": () => install(folder, home) },
    {
      "what is in them": () => contents(home),
      "every entry is imported": () => node(home, "import.mjs", ...importedNames(home)),
      // This Node may be one that lets `require` load ES modules; it is told not to, as Node 22.0 and Jest do not.
      "every entry is required": () =>
        node(home, "--no-experimental-require-module", "require.cjs", ...importedNames(home)),
      "ten lines get a plan, as an ES module": () => plans(home, "plan.mjs"),
      "ten lines get a plan, as CommonJS": () => plans(home, "plan.cjs"),
      "the command runs": () => capture(join(home, "node_modules", ".bin", "jobset"), ["-V"], home),
      "the command starts in little more CPU time than Node": () => startsFast(home),
      ...Object.fromEntries(compilations.map((one) => [getName(one), () => compiled(home, one)])),
    },
  ];
}

/** Installs as somebody would who knows npm and nothing of this workspace. */
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
    output: "the package registry cannot be reached, and npm has not all in its cache.",
  };
}

/** Every file is one that belongs there, and every source that a map speaks of is there, too, or in the map. */
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
        .map((file) => `${name}: ${file} does not belong there`),
      ...files.flatMap((file) =>
        listFaults(join(folder, file)).map((fault) => `${name}: ${file} ${fault}`),
      ),
    ];
  });
  return { code: faults.length === 0 ? 0 : 1, output: faults.join("\n") };
}

function listFaults(file) {
  const text = readFileSync(file, "utf8");
  const faults = text.includes(root) ? ["names a folder of the machine that built it"] : [];
  if (file.endsWith("package.json") && text.includes('"workspace:')) faults.push("says workspace:");
  if (!file.endsWith(".map")) return faults;
  const { sources, sourcesContent = [] } = JSON.parse(text);
  const isThere = (source, index) =>
    typeof sourcesContent[index] === "string" || existsSync(join(dirname(file), source));
  return [
    ...faults,
    ...sources
      .filter((source, index) => !isThere(source, index))
      .map((one) => `lacks source ${one}`),
  ];
}

/** By which names all the packages are imported that are installed. */
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

/** With which compiler, for which modules, how strict about members that are undefined, and which entries. */
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
    types.length > 0 ? "what needs a runtime's types" : "every other entry, ten lines";
  return `TypeScript ${version}, ${resolution}${exactly}: ${entries}`;
}

/** Compiles an import of every entry, and the ten lines, where the types of no runtime are at hand or those of Node are. */
async function compiled(home, { compiler, resolution, exact, types }) {
  const needsRuntime = /^@jobset-ts\/controller-runtime|\/schema$/; // that of zod speaks of URLs
  const isWithNode = types.includes("node");
  // The types of fast-check lead to a package whose types this resolution does not find.
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
