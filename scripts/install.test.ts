import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { commands } from "./commands.mjs";
import { bundled, programs } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockfile = parse(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")) as Lockfile;

interface Lockfile {
  readonly importers: Readonly<
    Record<string, Partial<Record<"dependencies" | "devDependencies", Dependencies>>>
  >;
  readonly snapshots: Readonly<
    Record<string, Partial<Record<"dependencies" | "optionalDependencies", Versions>>>
  >;
}
type Dependencies = Readonly<Record<string, { readonly version: string }>>;
type Versions = Readonly<Record<string, string>>;

it("the installation for programs contains only their dependencies and a bundler, in less than 60 MB", () => {
  const [start, conformance, bench] = [commands.start, commands.conformance, commands.bench];
  expect([start.needs, conformance.needs, bench.needs]).toEqual(Array(3).fill("programs"));
  const packages = installedFor(programs).filter((id) => !id.startsWith("@esbuild/"));
  expect(packages.map((id) => id.replace(/@[^@]*$/, ""))).toEqual([
    "@noble/hashes",
    "commander",
    "esbuild",
    "immer",
    "yaml",
    "zod",
  ]);
  const megabytes =
    installedFor(programs)
      .map(measureSize)
      .reduce((sum, size) => sum + size) / 1e6;
  expect(megabytes).toBeGreaterThan(5);
  expect(megabytes).toBeLessThan(60);
});

it("the installation for programs contains every workspace package that they import", () => {
  const own = new Set(Object.keys(lockfile.importers["."]?.dependencies ?? {}));
  const missing = getProjects([...programs, ...bundled]).flatMap((folder) => {
    const linked = Object.keys(lockfile.importers[folder]?.dependencies ?? {});
    return listImports(folder)
      .filter((name) => !linked.includes(name) && !own.has(name))
      .map((name) => `${folder}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it("only commands that start the other runtimes install them", () => {
  const withRuntimes = Object.keys(lockfile.importers).filter((folder) =>
    installedFor([folder], "with tools").some((id) => /^(bun|deno|workerd)@/.test(id)),
  );
  expect(withRuntimes).toEqual(["examples/admission-proxy/runtimes"]);
  const others = Object.entries(commands).filter(([, { needs }]) => needs === "everything");
  expect(others.map(([name]) => name)).toEqual(["test:processes", "test:long", "everywhere"]);
});

/** Returns the packages that are installed to run folders, or to develop them, including those of the root manifest. */
function installedFor(
  folders: readonly string[],
  purpose: "to run" | "with tools" = "to run",
): readonly string[] {
  const ids = new Set<string>();
  const seen = new Set<string>();
  const addProject = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const { dependencies, devDependencies } = lockfile.importers[folder] ?? {};
    const expected = { ...dependencies, ...(purpose === "with tools" && devDependencies) };
    for (const [name, { version }] of Object.entries(expected)) {
      if (version.startsWith("link:")) addProject(join(folder, version.slice("link:".length)));
      else addPackage(`${name}@${version}`);
    }
  };
  const addPackage = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    const { dependencies = {}, optionalDependencies = {} } = lockfile.snapshots[id] ?? {};
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      addPackage(`${name}@${version}`);
    }
  };
  for (const folder of [".", ...folders]) addProject(folder);
  return [...ids].sort();
}

/** Returns folders and the workspace folders that they need at run time. */
function getProjects(folders: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const add = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const { version } of Object.values(lockfile.importers[folder]?.dependencies ?? {})) {
      if (version.startsWith("link:")) add(join(folder, version.slice("link:".length)));
    }
  };
  for (const folder of folders) add(folder);
  return [...seen];
}

/** Returns the workspace packages that the sources of a folder import, without its tests. */
function listImports(folder: string): readonly string[] {
  const sources = join(root, folder, "src");
  const names = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test(-d)?\.ts$|(^|\/)test(ing|data)\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(sources, file), "utf8");
      return Array.from(
        text.matchAll(/^(?!import type).*from "(@jobset-ts\/[^"/]+)/gm),
        ([, name]) => name,
      );
    });
  return [...new Set(names.map((name) => name ?? ""))];
}

/** Returns the size of a package in `node_modules` in bytes, or 0 for a package of another platform. */
function measureSize(id: string): number {
  const folder = join(root, "node_modules", ".pnpm", id.replace("/", "+"), "node_modules");
  let files: readonly Dirent[];
  try {
    files = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return 0;
  }
  return files
    .filter((file) => file.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
