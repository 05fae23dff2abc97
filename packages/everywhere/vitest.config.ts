import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// What needs a browser, and packages that are built, is not among the tests of the workspace.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["browser/*.browser.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
