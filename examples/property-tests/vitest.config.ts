import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../../vitest.config.ts";

// These tests fail on purpose, so `npm test` does not run them.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["src/*.laws.ts"] },
});
