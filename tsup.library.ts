import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Plugin } from "esbuild";
import { defineConfig, type Options } from "tsup";

/** Packages of the workspace that are not published: who imports one holds a copy of it. */
const PRIVATE = ["@jobset-ts/checks", "@jobset-ts/go-regexp"];

/**
 * How a library is built: for both module systems and every runtime, with types.
 *
 * @param esmOnly - dependencies that CommonJS cannot require in every Node that `engines` names. The CommonJS build
 * holds a copy of them, and beside it stands their licence; the other one imports them.
 */
export function library(entry: readonly string[], esmOnly: readonly string[] = []) {
  return defineConfig({
    entry: [...entry],
    format: ["esm", "cjs"],
    platform: "neutral",
    // An entry that says so in its name is for Node.
    external: [/^node:/],
    removeNodeProtocol: false,
    clean: true,
    sourcemap: true,
    // What two entries share is there once, in both module systems: a class is the same class from each.
    splitting: true,
    noExternal: [...esmOnly, ...PRIVATE].map((name) => new RegExp(`^${name}($|/)`)),
    plugins: [mapsThatTravel()],
    esbuildPlugins: [importedByModules(esmOnly), licencesOfCopies()],
    esbuildOptions(options) {
      options.sourcesContent = false; // the package's own sources are in it
    },
    tsconfig: join("..", "..", "tsconfig.base.json"),
    dts: {
      compilerOptions: {
        // tsup sets an option that TypeScript 6 has deprecated.
        ignoreDeprecations: "6.0",
        // Types are checked by themselves; here they are only written. What other packages export is read as it was built.
        noCheck: true,
        customConditions: [],
        paths: Object.fromEntries(PRIVATE.map((name) => [name, [sourceOf(name)]])),
        composite: false,
      },
    },
  });
}

/** Where the types of a private package come from: found by their path, they are copied as code is. */
function sourceOf(name: string): string {
  return resolve("..", basename(name), "src", "index.ts");
}

type TsupPlugin = NonNullable<Options["plugins"]>[number];

/**
 * Makes maps right wherever the package is installed: what its own folder holds is named from the map, and of what was copied
 * from other packages the map holds the text. As tsup turns modules for CommonJS, it names files by their whole path.
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

/** Leaves dependencies out of the build for ES modules, for which tsup has no option of its own. */
function importedByModules(names: readonly string[]): Plugin {
  return {
    name: "imported-by-modules",
    setup(build) {
      // With splitting, tsup has esbuild write modules for both and turns the ones for CommonJS itself.
      if (build.initialOptions.define?.TSUP_FORMAT !== '"esm"') return;
      build.onResolve({ filter: /^[^.]/ }, ({ path }) =>
        names.some((name) => path === name || path.startsWith(`${name}/`))
          ? { external: true }
          : undefined,
      );
    },
  };
}

/** Writes down the licence of every package whose code has come into what is published, in a folder of its own. */
export function licencesOfCopies(folder = "dist"): Plugin {
  const licences = new Map<string, string>();
  return {
    name: "licences-of-copies",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
          for (const file of Object.keys(inputs)) {
            const folder = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0];
            if (folder !== undefined) licences.set(folder, licenceOf(folder));
          }
        }
        if (licences.size === 0) return;
        const all = [...licences.values()].sort().join("\n\n");
        mkdirSync(folder, { recursive: true }); // what is built is written only after this
        writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), all);
      });
    },
  };
}

function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} ${version} is copied and has no licence`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8")}`;
}
