import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Plugin } from "esbuild";
import { defineConfig, type Options } from "tsup";

/** Unpublished packages of the workspace. A package that imports one bundles a copy. */
const PRIVATE = ["@jobset-ts/checks", "@jobset-ts/go-regexp"];

/**
 * Returns the build options of a library: ES modules, CommonJS and types, for every runtime.
 *
 * @param esmOnly - dependencies that CommonJS cannot require in every supported version of Node. The CommonJS build contains
 * a copy of them and their licenses. The ES module build imports them.
 */
export function library(entry: readonly string[], esmOnly: readonly string[] = []) {
  return defineConfig({
    entry: [...entry],
    format: ["esm", "cjs"],
    platform: "neutral",
    // Entries named `node` import Node modules.
    external: [/^node:/],
    removeNodeProtocol: false,
    clean: true,
    sourcemap: true,
    // Entries share one copy of common code, so `instanceof` works across entries.
    splitting: true,
    noExternal: [...esmOnly, ...PRIVATE].map((name) => new RegExp(`^${name}($|/)`)),
    plugins: [mapsThatTravel()],
    esbuildPlugins: [importedByModules(esmOnly), copyLicenses()],
    esbuildOptions(options) {
      options.sourcesContent = false; // The package contains its sources.
    },
    tsconfig: join("..", "..", "tsconfig.base.json"),
    dts: {
      compilerOptions: {
        // tsup sets an option that TypeScript 6 has deprecated.
        ignoreDeprecations: "6.0",
        // Another check covers the types. Types of other packages come from their build output.
        noCheck: true,
        customConditions: [],
        paths: Object.fromEntries(PRIVATE.map((name) => [name, [findSource(name)]])),
        composite: false,
      },
    },
  });
}

/** Returns the source path of a private package, so its types are bundled like its code. */
function findSource(name: string): string {
  return resolve("..", basename(name), "src", "index.ts");
}

type TsupPlugin = NonNullable<Options["plugins"]>[number];

/**
 * Makes source maps independent of the build machine. Sources of the package get relative paths. The text of sources from other
 * packages is embedded. Without this plugin, tsup writes absolute paths into the maps of the CommonJS build.
 */
function mapsThatTravel(): TsupPlugin {
  return {
    name: "maps-that-travel",
    buildEnd({ writtenFiles }) {
      for (const { name } of writtenFiles) {
        if (!name.endsWith(".map")) continue;
        const map = JSON.parse(readFileSync(name, "utf8"));
        const files: string[] = map.sources.map((source: string) => resolve(dirname(name), source));
        const isOurs = (file: string) => file.startsWith(process.cwd() + sep);
        map.sources = files.map((file) =>
          isOurs(file)
            ? relative(dirname(name), file).replaceAll(sep, "/")
            : file.replaceAll(sep, "/").replace(/^.*\/(node_modules|packages)\//, ""),
        );
        map.sourcesContent = files.map((file) =>
          isOurs(file) ? null : readFileSync(file, "utf8"),
        );
        map.file = basename(name, ".map");
        writeFileSync(name, JSON.stringify(map));
      }
    },
  };
}

/** Makes dependencies external in the ES module build only. tsup has no option for this. */
function importedByModules(names: readonly string[]): Plugin {
  return {
    name: "imported-by-modules",
    setup(build) {
      // With splitting, esbuild writes ES modules for both formats, and tsup converts one copy to CommonJS.
      if (build.initialOptions.define?.TSUP_FORMAT !== '"esm"') return;
      build.onResolve({ filter: /^[^.]/ }, ({ path }) =>
        names.some((name) => path === name || path.startsWith(`${name}/`))
          ? { external: true }
          : undefined,
      );
    },
  };
}

/** Writes the licenses of all bundled packages to `THIRD-PARTY-LICENSES.txt` in the folder. */
export function copyLicenses(folder = "dist"): Plugin {
  const licences = new Map<string, string>();
  return {
    name: "licences-of-copies",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
          for (const file of Object.keys(inputs)) {
            const folder = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0];
            if (folder !== undefined) licences.set(folder, findLicense(folder));
          }
        }
        if (licences.size === 0) return;
        const all = [...licences.values()].sort().join("\n\n");
        mkdirSync(folder, { recursive: true }); // The build creates the folder later.
        writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), all);
      });
    },
  };
}

function findLicense(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} is bundled but has no license file`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8")}`;
}
