import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// Here the tests that fail, as they should, are not among those of the workspace.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["src/*.laws.ts"] },
});
