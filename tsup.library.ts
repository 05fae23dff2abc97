import { defineConfig } from "tsup";

/** How a library is built: for both module systems and every runtime, with types. */
export function library(entry: readonly string[]) {
  return defineConfig({
    entry: [...entry],
    format: ["esm", "cjs"],
    platform: "neutral",
    clean: true,
    sourcemap: true,
    esbuildOptions(options) {
      options.sourcesContent = false; // the sources themselves are in the package
    },
    // tsup sets an option that TypeScript 6 has deprecated.
    dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
  });
}
