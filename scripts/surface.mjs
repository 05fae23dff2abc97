// The public surface of the published packages as checked-in reports, one for each entry, so that no change of it goes
// unseen.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import extractor from "@microsoft/api-extractor";
import { captureBuild, published } from "./build.mjs";
import { root } from "./root.mjs";

const { CompilerState, ConsoleMessageId, Extractor, ExtractorConfig, ExtractorMessage } = extractor;
const reports = join(root, "docs", "surface");

// A location is a built file with a hash in its name and a line in it: a comment that moves would change the report.
const { prototype } = ExtractorMessage;
prototype.formatMessageWithLocation = prototype.formatMessageWithoutLocation;

/** Builds the packages and writes their reports anew. Answers with the exit code. */
export async function writeSurface() {
  const { code, output } = await captureBuild();
  if (code !== 0) {
    process.stderr.write(output);
    return code;
  }
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  extract({ isToBeWritten: true });
  return 0;
}

/** Compares the packages as they were built with their reports: `{ code, output }`. */
export function compareSurface() {
  const { names, differences } = extract({ isToBeWritten: false });
  const left = readdirSync(reports).filter((file) => !names.includes(file));
  const output = [...differences, ...left.map((file) => `${file}: there is no such entry`)];
  if (output.length === 0) return { code: 0, output: "" };
  const advice = "The public surface has changed. If it is meant to: npm run surface, and commit.";
  return { code: 1, output: [...output, advice].join("\n") };
}

/** Makes the reports, and writes them down or says what is different in those that there are. */
function extract({ isToBeWritten }) {
  const made = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const names = [];
  const differences = [];
  for (const [types, packages] of programs) {
    const configs = packages.flatMap((name) => getConfigs(name, types, made));
    const compilerState = CompilerState.create(configs[0], {
      additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
    });
    for (const config of configs) {
      names.push(basename(config.reportFilePath));
      differences.push(...reported(config, compilerState, isToBeWritten));
    }
  }
  rmSync(made, { recursive: true });
  return { names, differences };
}

/** What is compiled together, since it would read the same types again, by the runtime that its types speak of. */
const programs = [
  [[], published.filter((name) => name !== "controller-runtime")],
  [["node"], ["controller-runtime"]],
];

function reported(config, compilerState, localBuild) {
  const said = [];
  const messageCallback = (message) => {
    message.handled = true;
    const isDifference = message.messageId === ConsoleMessageId.ApiReportDiff;
    if (isDifference || message.logLevel === "error") said.push(message.text);
  };
  const options = { localBuild, compilerState, messageCallback, printApiReportDiff: true };
  const { apiReportChanged } = Extractor.invoke(config, options);
  return apiReportChanged && said.length === 0 ? [`${config.reportFilePath} is missing`] : said;
}

/** What is asked of api-extractor for each entry of a package that others import. */
function getConfigs(name, types, reportTempFolder) {
  const projectFolder = join(root, "packages", name);
  const packageJsonFullPath = join(projectFolder, "package.json");
  const packageJson = JSON.parse(readFileSync(packageJsonFullPath, "utf8"));
  // As the sources are compiled, but that of other packages is read what was built.
  const overrideTsconfig = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { customConditions: [], types },
  };
  return Object.entries(packageJson.exports ?? {}).flatMap(([subpath, { import: esm }]) => {
    if (esm?.types === undefined) return [];
    const reportFileName = [name, ...subpath.split("/").slice(1)].join(".");
    const configObject = {
      projectFolder,
      newlineKind: "lf",
      mainEntryPointFilePath: join(projectFolder, esm.types),
      compiler: { overrideTsconfig },
      apiReport: { enabled: true, reportFileName, reportFolder: reports, reportTempFolder },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages,
    };
    const configObjectFullPath = undefined; // it is in no file
    return ExtractorConfig.prepare({
      packageJson,
      packageJsonFullPath,
      configObjectFullPath,
      configObject,
    });
  });
}

/** What stands in a report beside the names: those that signatures use and nobody can import, and links to such. */
const messages = {
  compilerMessageReporting: { default: { logLevel: "error" } },
  extractorMessageReporting: {
    default: { logLevel: "warning" },
    "ae-forgotten-export": { logLevel: "warning", addToApiReportFile: true },
    "ae-unresolved-link": { logLevel: "warning", addToApiReportFile: true },
    "ae-missing-release-tag": { logLevel: "none" },
    "ae-undocumented": { logLevel: "none" },
  },
  tsdocMessageReporting: { default: { logLevel: "none" } },
};
