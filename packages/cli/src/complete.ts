#!/usr/bin/env node
// What kubectl looks for by the name kubectl_complete-jobset, and asks what the words of `kubectl jobset` may become.
import process from "node:process";

process.argv.splice(2, 0, "__complete");
await import("./main.ts");
