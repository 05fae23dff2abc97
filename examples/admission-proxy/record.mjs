#!/usr/bin/env node
// Records recordings/*.json again, with a control plane on this machine. See src/testing/record.ts.
import { spawnSync } from "node:child_process";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";
import { root } from "../../scripts/root.mjs";

await install("controller");
const file = await bundleProgram(
  "admission-proxy-record",
  import.meta.dirname,
  "src/testing/record.ts",
);
const { status } = spawnSync(process.execPath, [file, root], { stdio: "inherit" });
process.exitCode = status ?? 1;
