#!/usr/bin/env node
// Starts the controller straight from its TypeScript sources, installing what is missing first.
import { pathToFileURL } from "node:url";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";

await install("controller");
await import(pathToFileURL(await bundleProgram("controller", import.meta.dirname)).href);
