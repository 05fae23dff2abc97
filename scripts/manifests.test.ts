import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { published } from "./build.mjs";
import { root } from "./root.mjs";

const folder = (name: string) => join(root, "packages", name);
const createManifest = (name: string) =>
  JSON.parse(readFileSync(join(folder(name), "package.json"), "utf8"));
/** Returns the external runtime dependencies of a package. */
const getOthers = (name: string) =>
  Object.keys(createManifest(name).dependencies ?? {}).filter(
    (one) => !one.startsWith("@jobset-ts/"),
  );

/** The CommonJS part of an entry in `exports`. */
interface ModuleEntry {
  readonly require: { readonly types: string; readonly default: string };
}

const page = "https://github.com/jobset-ts/jobset-ts";

it("the list of published packages contains every package that is not private", () => {
  const open = readdirSync(join(root, "packages")).filter((name) => !createManifest(name).private);
  expect(open.sort()).toEqual([...published].sort());
});

it("all packages have the same version", () => {
  expect(new Set(published.map((name) => createManifest(name).version)).size).toBe(1);
});

describe.each(published)("%s", (name) => {
  const manifest = createManifest(name);

  it("each package has a description, a license and a repository", () => {
    expect(manifest).toMatchObject({
      name: `@jobset-ts/${name}`,
      description: expect.stringMatching(/JobSet|Kubernetes/),
      keywords: expect.arrayContaining(["kubernetes", "jobset"]),
      license: "Apache-2.0",
      homepage: `${page}/tree/main/packages/${name}#readme`,
      bugs: { url: `${page}/issues` },
      repository: { type: "git", url: `git+${page}.git`, directory: `packages/${name}` },
      engines: { node: createManifest("api").engines.node },
      publishConfig: { access: "public" },
      type: "module",
      sideEffects: false,
    });
    expect(existsSync(join(folder(name), "README.md"))).toBe(true);
    expect(existsSync(join(root, "LICENSE"))).toBe(true); // pnpm packs it into each package.
  });

  it("each package has at most three external dependencies", () => {
    expect(getOthers(name).length).toBeLessThanOrEqual(3);
  });

  it("each package has main, types and typesVersions that match its exports", () => {
    const { main, types, typesVersions, exports } = manifest;
    const entries = Object.entries<ModuleEntry>(exports ?? {});
    const subpaths = entries.filter(([subpath]) => subpath !== ".");
    const paths = subpaths.map(([subpath, { require }]) => [subpath.slice(2), [require.types]]);
    const root: ModuleEntry | undefined = exports?.["."];
    expect({ main, types }).toEqual({ main: root?.require.default, types: root?.require.types });
    expect(typesVersions).toEqual(
      paths.length > 0 ? { "*": Object.fromEntries(paths) } : undefined,
    );
  });

  it("each package has only bins for the same file, jobset first, so npx can run the package", () => {
    const files = Object.values<string>(manifest.bin ?? {});
    expect(new Set(files).size).toBe(files.length > 0 ? 1 : 0);
    expect(Object.keys(manifest.bin ?? { jobset: "" })[0]).toBe("jobset");
  });

  it("each package has types for ES modules and CommonJS in every entry", () => {
    for (const [subpath, conditions] of Object.entries<object>(manifest.exports ?? {})) {
      const file = subpath === "." ? "index" : subpath.slice(2);
      expect(conditions).toEqual({
        "@jobset-ts/source": `./src/${file}.ts`,
        import: { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
        require: { types: `./dist/${file}.d.cts`, default: `./dist/${file}.cjs` },
      });
    }
  });
});

it("zod is an optional peer dependency of packages with schemas and a dependency of the cli only", () => {
  const named = published.filter((name) => getOthers(name).includes("zod"));
  expect(named).toEqual(["cli"]);
  const withSchemas = published.filter((name) => createManifest(name).exports?.["./schema"]);
  for (const name of withSchemas) {
    const { peerDependencies, peerDependenciesMeta } = createManifest(name);
    expect(peerDependencies).toEqual({ zod: "^4.0.0" });
    expect(peerDependenciesMeta).toEqual({ zod: { optional: true } });
  }
  expect(withSchemas).toEqual(["api", "sim"]);
});

it("all packages together have five external dependencies", () => {
  expect([...new Set(published.flatMap(getOthers))].sort()).toEqual([
    "@noble/hashes",
    "commander",
    "immer",
    "yaml",
    "zod",
  ]);
});
