// Generates the API reference of the published packages from their docstrings.
import { join, relative } from "node:path";
import { Application, Converter, ReflectionKind } from "typedoc";
import { listEntries, published, repositoryUrl } from "./build.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { summarizeParts } from "./test.mjs";

const out = join(root, "docs", "reference");

/** The kinds of exports that need a docstring. Members do not need one. */
const documented = ["Class", "Enum", "Function", "Interface", "TypeAlias", "Variable"];

/**
 * Writes the reference to `docs/reference`, or reports missing docstrings, broken links and unknown parameters. The last line
 * counts each entry as passed and each problem as failed. Returns the exit code.
 */
export async function docs() {
  const entries = published.flatMap((name) => listEntries(join(root, "packages", name)));
  const names = new Map(
    entries.flatMap(({ name, source }) => (source === undefined ? [] : [[source, name]])),
  );
  const app = await Application.bootstrap({
    name: "jobset-ts",
    logLevel: "Warn",
    readme: "none",
    entryPoints: [...names.keys()],
    tsconfig: join(root, "scripts", "tsconfig.docs.json"),
    // `npm test` checks the types.
    skipErrorChecking: true,
    packagesRequiringDocumentation: published.map((name) => `@jobset-ts/${name}`),
    requiredToBeDocumented: documented,
    validation: { invalidLink: true, invalidPath: true, notDocumented: true, notExported: false },
    sort: ["kind", "alphabetical"],
    navigation: { includeGroups: true },
    githubPages: false,
    // The Git remote of a clone may be a different repository, or missing.
    disableGit: true,
    gitRevision: "main",
    sourceLinkTemplate: `${repositoryUrl()}/blob/{gitRevision}/{path}#L{line}`,
  });
  // TypeDoc names an entry after its file. Users import it by its package path.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    reflection.name = names.get(reflection.sources?.[0]?.fullFileName) ?? reflection.name;
  });
  const project = await app.convert();
  if (project === undefined) return summarizeParts([{ passed: 0, failed: 1 }]);
  app.validate(project);
  const failed = app.logger.warningCount + app.logger.errorCount;
  if (failed > 0) return summarizeParts([{ passed: names.size, failed }]);
  await app.generateDocs(project, out);
  say(`the reference is in ${relative(process.cwd(), join(out, "index.html"))}`);
  return summarizeParts([{ passed: names.size, failed: 0 }]);
}
