// Runs in Node, Bun and Deno, which have files, sockets and processes. Prints the results as one line of JSON.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { serveTextEndpoints } from "@jobset-ts/controller-runtime/node";
import { oneJob, train } from "./objects.ts";
import { type Entries, smoke } from "./smoke.ts";
import type { Use } from "./use.ts";

const uses: readonly Use[] = [
  {
    name: "controller-runtime/node: serves and fetches a probe",
    answer: async () => {
      const endpoints = new Map([["/readyz", () => ({ code: 200, text: "ok\n" })]]);
      const { port, close } = await serveTextEndpoints(0, endpoints);
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      const text = await response.text();
      close();
      return [response.status, text];
    },
    expected: [200, "ok\n"],
  },
  {
    name: "cli: jobset render",
    answer: () => jobset(train, "render", "-f", "-", "-o", "name"),
    expected: [0, "job.batch/train-workers-0\njob.batch/train-workers-1\n", ""],
  },
  {
    name: "cli: runs jobset explore in two threads",
    answer: async () => {
      const options = ["--runs", "100", "--jobs", "2"];
      const [code, , error] = await jobset(oneJob, "explore", "-f", "-", ...options);
      return [code, /note: 100 scenarios/.test(error)];
    },
    expected: [0, true],
  },
];

/**
 * Runs the command in the current runtime with an object at its standard input. Returns the exit code, the output and
 * the messages.
 */
function jobset(input: object, ...args: readonly string[]): Promise<[unknown, string, string]> {
  const main = fileURLToPath(import.meta.resolve("@jobset-ts/cli/dist/main.js"));
  const run = "Deno" in globalThis ? ["run", "--allow-all", main] : [main];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...run, ...args], (error, stdout, stderr) =>
      resolve([error === null ? 0 : error.code, stdout, stderr]),
    );
    child.stdin?.end(JSON.stringify(input));
  });
}

export default async function start(entries: Entries): Promise<void> {
  console.log(JSON.stringify(await smoke(entries, uses)));
}
