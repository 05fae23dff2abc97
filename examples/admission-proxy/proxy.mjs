#!/usr/bin/env node
// Starts the proxy in Node straight from its TypeScript sources, installing what is missing first.
import { pathToFileURL } from "node:url";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";

await install("programs");
await import(pathToFileURL(await bundleProgram("admission-proxy", import.meta.dirname)).href);
