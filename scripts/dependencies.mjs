// Defines which packages and folders may import each other. `dependencies.test.ts` checks all sources, including type imports. Tests may
// import anything.

/** The packages that each package may import. `core` means any entry of core, `core/index` only the main entry. */
export const packages = {
  api: [],
  crd: ["api"],
  "go-regexp": [],
  core: ["api", "go-regexp"],
  checks: ["api", "core/index"],
  admission: ["api", "crd", "core", "checks"],
  releases: ["api", "crd", "core"],
  kueue: ["api", "core"],
  diagnose: ["api", "core", "checks"],
  sim: ["api", "crd", "core", "admission", "kueue"],
  "controller-runtime": ["api", "core"],
  testing: ["api", "core", "admission", "kueue", "sim"],
  cli: ["api", "crd", "core", "releases", "admission", "kueue", "diagnose", "sim"],
  bench: ["api", "core", "admission", "diagnose", "sim"],
};

/**
 * The sibling folders that each folder may import. The row `.` is for the files next to the folders. If there is such a row, a
 * folder may import these files only if its own row lists `.`.
 */
export const folders = {
  "packages/core/src": {
    snapshot: [],
    plan: [],
    desired: [],
    agent: ["plan"],
    "child-jobs": ["desired", "plan", "snapshot"],
    status: ["child-jobs", "snapshot"],
    policies: ["child-jobs", "desired", "status"],
    placement: ["desired", "plan", "snapshot"],
    reconcile: ["child-jobs", "desired", "plan", "policies", "snapshot", "status"],
    run: ["plan"],
    requests: ["plan", "snapshot"],
  },
  "packages/diagnose/src/diagnosis": {
    view: [],
    checks: ["view"],
    extensions: ["view", "checks"],
    engine: ["view", "checks"],
    report: ["view", "checks", "engine"],
    invariants: ["view", "checks"],
  },
  "packages/cli/src": {
    output: [],
    input: ["output"],
    live: ["input", "output"],
    "jobset-version": ["input", "live", "output"],
    admission: ["input", "jobset-version", "output"],
    commands: ["admission", "input", "jobset-version", "live", "output"],
    "command-line": ["admission", "commands", "input", "jobset-version", "live", "output"],
    ".": ["command-line", "commands", "input", "live", "output"],
  },
};

/** Tests and test helpers may import anything. No other code may import them. */
const ofTests =
  /\.test(-d)?\.ts$|\/testing\.ts$|\/testdata\/|\/src\/(.*\/)?testing\/|^packages\/(conformance|mutants|e2e)\//;

/**
 * Returns one message for each forbidden import in a source file.
 *
 * @param file - the path relative to the repository root, with `/`
 */
export function findForbiddenImports(file, source) {
  if (ofTests.test(file)) return [];
  return listImports(source).flatMap((specifier) => {
    const target = resolve(file, specifier);
    const isForbidden =
      target !== undefined &&
      (ofTests.test(target) || crossesPackages(file, target) || crossesFolders(file, target));
    return isForbidden ? [`${file} must not import ${specifier}`] : [];
  });
}

/** Returns the specifiers of all imports and re-exports, including types. Expects formatted code. */
function listImports(source) {
  const statements =
    /^(?:import|export)\b[^;"'`]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source.matchAll(statements)].map(([, from, bare, call]) => from ?? bare ?? call);
}

/** Returns the imported path or `@jobset-ts/PACKAGE/ENTRY`, or undefined for other packages. */
function resolve(file, specifier) {
  if (specifier.startsWith(".")) return new URL(specifier, `file:///${file}`).pathname.slice(1);
  const [scope, name, entry = "index"] = specifier.split("/");
  return scope === "@jobset-ts" ? `${scope}/${name}/${entry}` : undefined;
}

function crossesPackages(file, target) {
  const [, importer] = file.split("/");
  const [parent, name, entry] = target.split("/");
  const allowed = packages[importer];
  if (parent === "packages") return name !== importer; // Another package, not through a public entry.
  if (parent !== "@jobset-ts" || allowed === undefined || name === importer) return false;
  return !allowed.includes(name) && !allowed.includes(`${name}/${entry}`);
}

function crossesFolders(file, target) {
  return Object.entries(folders).some(([parent, rows]) => {
    const [importer, imported] = [file, target].map((path) => folderBelow(parent, path));
    const allowed = rows[importer];
    if (allowed === undefined || imported === undefined || imported === importer) return false;
    return !allowed.includes(imported) && (imported !== "." || Object.hasOwn(rows, "."));
  });
}

/** Returns the direct subfolder of `parent` that contains a file, or `.` if the file is next to the subfolders. */
function folderBelow(parent, path) {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const [folder, ...rest] = path.slice(parent.length + 1).split("/");
  return rest.length > 0 ? folder : ".";
}
