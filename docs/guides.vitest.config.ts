import { defineConfig, mergeConfig } from "vitest/config";
import workspace from "../vitest.config.ts";

// `npm run guides` runs these, after it has packed what they install.
export default defineConfig({
  ...mergeConfig(workspace, { root: import.meta.dirname }),
  test: { include: ["*.follow.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
});
