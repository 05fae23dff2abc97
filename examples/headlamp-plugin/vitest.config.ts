import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// These tests need a browser and a built plugin, so `npm test` does not run them.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["browser/*.browser.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
