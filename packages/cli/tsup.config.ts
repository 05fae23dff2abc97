// biome-ignore lint/correctness/noUndeclaredDependencies: a tool of the workspace
import { defineConfig, type Options } from "tsup";
import { copyLicenses } from "../../tsup.library.ts";

const program: Options = {
  format: ["esm"],
  platform: "node",
  removeNodeProtocol: false,
  target: "node20",
  tsconfig: "../../tsconfig.base.json",
  clean: true,
};

export default defineConfig([
  {
    ...program,
    entry: ["src/main.ts"],
    sourcemap: true,
    esbuildOptions(options) {
      options.sourcesContent = false; // The package contains its sources.
    },
  },
  {
    // A single file, for users with Node who do not want to install packages.
    ...program,
    entry: { jobset: "src/main.ts" },
    outDir: "release",
    outExtension: () => ({ js: ".mjs" }),
    noExternal: [/./],
    splitting: false,
    minify: true,
    esbuildPlugins: [copyLicenses("release")],
    // CommonJS dependencies load Node modules with `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildOptions(options) {
      options.conditions = ["@jobset-ts/source"]; // This does not need a build of the other packages.
      options.keepNames = true; // For readable stack traces.
    },
  },
]);
