#!/usr/bin/env node
// Makes recordings/*.json anew, with a control plane on this machine; see src/testing/record.ts.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { install } from "../../scripts/install.mjs";
import { root } from "../../scripts/root.mjs";

install();
const { build } = await import("esbuild");
const file = join(root, "node_modules", ".cache", "jobset-ts", "record.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "src", "testing", "record.ts")],
  outfile: file,
  bundle: true,
  platform: "node",
  format: "esm",
  conditions: ["@jobset-ts/source"],
  mainFields: ["module", "main"],
  logLevel: "error",
  banner: {
    // Bundled CommonJS dependencies still ask for Node's own modules by `require`.
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
const { status } = spawnSync(process.execPath, [file, root], { stdio: "inherit" });
process.exitCode = status ?? 1;
