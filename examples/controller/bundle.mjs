#!/usr/bin/env node
// Bundles the controller and the library into one JavaScript file that needs only Node:
//   node bundle.mjs FILE
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("usage: bundle.mjs FILE\n");
  process.exit(2);
}
await install("controller");
mkdirSync(dirname(file), { recursive: true });
copyFileSync(await bundleProgram("controller", import.meta.dirname), file);
