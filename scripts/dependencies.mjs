// The direction of dependencies between packages and folders. This table is the only definition; `dependencies.test.ts`
// checks all sources against it, type imports included. Tests may import what they like.

/** What each package may import. `core/index` is the main entry of core only; `core` is any of its entries. */
export const packages = {
  api: [],
  crd: ["api"],
  "go-regexp": [],
  core: ["api", "go-regexp"],
  checks: ["api", "core/index"],
  admission: ["api", "crd", "core", "checks"],
  kueue: ["api", "core"],
  diagnose: ["api", "core", "checks"],
  sim: ["api", "crd", "core", "admission", "kueue"],
  "controller-runtime": ["api", "core"],
  testing: ["api", "core", "admission", "kueue", "sim"],
  cli: ["api", "crd", "core", "admission", "kueue", "diagnose", "sim"],
  bench: ["api", "core", "admission", "diagnose", "sim"],
};

/**
 * What a folder may import of the folders beside it. A row `.` is for the files beside the folders: what these may import, and
 * that a folder whose row does not list `.` may not import them.
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
    engine: ["view", "checks"],
    report: ["view", "checks", "engine"],
    invariants: ["view", "checks"],
  },
  "packages/cli/src": {
    output: [],
    input: ["output"],
    live: ["input", "output"],
    admission: ["input", "output"],
    commands: ["admission", "input", "live", "output"],
    "command-line": ["admission", "commands", "input", "live", "output"],
    ".": ["command-line", "commands", "input", "live", "output"],
  },
};

/** Tests, and what only tests use, may import what they like; nothing else may import it. */
const ofTests =
  /\.test(-d)?\.ts$|\/testing\.ts$|\/testdata\/|\/src\/(.*\/)?testing\/|^packages\/(conformance|mutants|e2e)\//;

/**
 * The imports of a source file that the table forbids, as sentences.
 *
 * @param file - its path from the root of the repository, with `/`
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

/** The specifiers of static and dynamic imports and of re-exports, types included, as the formatter prints them. */
function listImports(source) {
  const statements =
    /^(?:import|export)\b[^;"'`]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...source.matchAll(statements)].map(([, from, bare, call]) => from ?? bare ?? call);
}

/** The path of what is imported, or `@jobset-ts/PACKAGE/ENTRY`; undefined for what is not of this repository. */
function resolve(file, specifier) {
  if (specifier.startsWith(".")) return new URL(specifier, `file:///${file}`).pathname.slice(1);
  const [scope, name, entry = "index"] = specifier.split("/");
  return scope === "@jobset-ts" ? `${scope}/${name}/${entry}` : undefined;
}

function crossesPackages(file, target) {
  const [, importer] = file.split("/");
  const [parent, name, entry] = target.split("/");
  const allowed = packages[importer];
  if (parent === "packages") return name !== importer; // another package, past its public entries
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

/** The folder directly below another one that a file is in; `.` if it lies beside the folders. */
function folderBelow(parent, path) {
  if (!path.startsWith(`${parent}/`)) return undefined;
  const [folder, ...rest] = path.slice(parent.length + 1).split("/");
  return rest.length > 0 ? folder : ".";
}
