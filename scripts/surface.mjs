// Maintains the API reports of the published packages, one for each entry. They make every API change visible in a diff.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import extractor from "@microsoft/api-extractor";
import { captureBuild, published } from "./build.mjs";
import { root } from "./root.mjs";

const { CompilerState, ConsoleMessageId, Extractor, ExtractorConfig, ExtractorMessage } = extractor;
const reports = join(root, "docs", "surface");

// Locations contain hashed file names and line numbers. With them, a moved comment would change the report.
const { prototype } = ExtractorMessage;
prototype.formatMessageWithLocation = prototype.formatMessageWithoutLocation;

/** Builds the packages and rewrites their reports. Returns the exit code. */
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

/** Compares the built packages with their reports. Returns `{ code, output }`. */
export function compareSurface() {
  const { names, differences } = extract({ isToBeWritten: false });
  const left = readdirSync(reports).filter((file) => !names.includes(file));
  const output = [...differences, ...left.map((file) => `${file}: no package has this entry`)];
  if (output.length === 0) return { code: 0, output: "" };
  const advice =
    "The public API has changed. If this is intended, run `npm run surface` and commit the result.";
  return { code: 1, output: [...output, advice].join("\n") };
}

/** Creates the reports. Writes them, or returns their differences from the existing ones. */
function extract({ isToBeWritten }) {
  const temporaryFolder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const names = [];
  const differences = [];
  for (const [types, packages] of programs) {
    const configs = packages.flatMap((name) => getConfigs(name, types, temporaryFolder));
    const compilerState = CompilerState.create(configs[0], {
      additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
    });
    for (const config of configs) {
      names.push(basename(config.reportFilePath));
      differences.push(...reported(config, compilerState, isToBeWritten));
    }
  }
  rmSync(temporaryFolder, { recursive: true });
  return { names, differences };
}

/** Packages that are compiled together, with the runtime types that they need. This reads common types only once. */
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

/** Returns the api-extractor configuration of each importable entry of a package. */
function getConfigs(name, types, reportTempFolder) {
  const projectFolder = join(root, "packages", name);
  const packageJsonFullPath = join(projectFolder, "package.json");
  const packageJson = JSON.parse(readFileSync(packageJsonFullPath, "utf8"));
  // The compiler options of the sources, except that other packages resolve to their build output.
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
    const configObjectFullPath = undefined; // There is no configuration file.
    return ExtractorConfig.prepare({
      packageJson,
      packageJsonFullPath,
      configObjectFullPath,
      configObject,
    });
  });
}

/** The messages in a report: unexported types in public signatures, and links to unexported names. */
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
