#!/usr/bin/env node
// Installs missing dependencies and starts the proxy in Node from its TypeScript sources.
import { pathToFileURL } from "node:url";
import { install } from "../../scripts/install.mjs";
import { bundleProgram } from "../../scripts/program.mjs";

await install("programs");
await import(pathToFileURL(await bundleProgram("admission-proxy", import.meta.dirname)).href);
