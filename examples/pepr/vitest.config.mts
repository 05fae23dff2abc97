import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// What needs Pepr, and the module to be built, is not among the tests of the workspace.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["module-tests/*.module.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
