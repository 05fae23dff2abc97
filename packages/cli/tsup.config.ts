// biome-ignore lint/correctness/noUndeclaredDependencies: a tool of the workspace
import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  platform: "node",
  removeNodeProtocol: false,
  target: "node20",
  tsconfig: "../../tsconfig.base.json",
  clean: true,
  sourcemap: true,
  esbuildOptions(options) {
    options.conditions = ["@jobset-ts/source"]; // what is bundled, the simulator, is not built by itself
    options.sourcesContent = false; // the sources themselves are in the package
  },
});
