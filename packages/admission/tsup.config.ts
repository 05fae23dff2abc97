// biome-ignore lint/correctness/noUndeclaredDependencies: a tool of the workspace
import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
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
