// The reference of the published packages, made of their docstrings.
import { join, relative } from "node:path";
import { Application, Converter, ReflectionKind } from "typedoc";
import { listEntries, published, repositoryUrl } from "./build.mjs";
import { say } from "./report.mjs";
import { root } from "./root.mjs";
import { conclude } from "./test.mjs";

const out = join(root, "docs", "reference");

/** What has to have a docstring: whatever can be imported. Members may speak for themselves. */
const documented = ["Class", "Enum", "Function", "Interface", "TypeAlias", "Variable"];

/**
 * Writes the reference to `docs/reference`, unless something is wrong with it: an export without a docstring, a link that
 * leads nowhere, a parameter that does not exist. Each entry of a package counts as one, and each mistake. Answers with the
 * exit code.
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
    // A clone may be of another place, or of none.
    disableGit: true,
    gitRevision: "main",
    sourceLinkTemplate: `${repositoryUrl()}/blob/{gitRevision}/{path}#L{line}`,
  });
  // TypeDoc takes the name of an entry from its file; people import it by another one.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    reflection.name = names.get(reflection.sources?.[0]?.fullFileName) ?? reflection.name;
  });
  const project = await app.convert();
  if (project === undefined) return conclude([{ passed: 0, failed: 1 }]);
  app.validate(project);
  const failed = app.logger.warningCount + app.logger.errorCount;
  if (failed > 0) return conclude([{ passed: names.size, failed }]);
  await app.generateDocs(project, out);
  say(`the reference is in ${relative(process.cwd(), join(out, "index.html"))}`);
  return conclude([{ passed: names.size, failed: 0 }]);
}
