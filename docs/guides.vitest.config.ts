import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../vitest.config.ts";

// `npm run guides` packs the packages and then runs these tests.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["*.follow.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
});
