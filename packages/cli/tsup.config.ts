// biome-ignore lint/correctness/noUndeclaredDependencies: a tool of the workspace
import { defineConfig, type Options } from "tsup";
import { licencesOfCopies } from "../../tsup.library.ts";

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
      options.sourcesContent = false; // the sources themselves are in the package
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
    esbuildPlugins: [licencesOfCopies("release")],
    // Dependencies in CommonJS still ask for Node's own modules by `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildOptions(options) {
      options.conditions = ["@jobset-ts/source"]; // so that nothing else has to be built before
      options.keepNames = true; // for those who mend it
    },
  },
]);
