import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// These tests need Pepr and a built module, so `npm test` does not run them.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["module-tests/*.module.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
