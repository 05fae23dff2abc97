#!/usr/bin/env node
// Installs missing dependencies and starts the controller from its TypeScript sources.
import { pathToFileURL } from "node:url";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";

await install("controller");
await import(pathToFileURL(await bundleProgram("controller", import.meta.dirname)).href);
