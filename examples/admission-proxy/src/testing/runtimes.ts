import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const scripts = join(import.meta.dirname, "..", "..", "..", "..", "scripts");
const { binaryOf }: { binaryOf(runtime: string): string | undefined } = await import(
  /* @vite-ignore */ join(scripts, "runtimes.mjs")
);

/** Where a proxy that is started finds what it needs, and where it listens. */
export interface Place {
  /** With `tls.crt`, `tls.key`, `ca.crt`, a `service-account` folder with the `token`, and what is bundled. */
  readonly folder: string;
  readonly port: number;
  readonly apiServerPort: number;
  /** Whether it gets the option to trust `ca.crt`. */
  readonly isTrusting: boolean;
}

/** A runtime in which the proxy runs. */
export interface Runtime {
  readonly name: string;
  /** Its entry, as bundle.mjs calls it. */
  readonly entry: "node" | "bun" | "deno" | "worker";
  /** Absent where it has no binary for this platform. */
  readonly binary: string | undefined;
  /** Whether it has a command line, and so exits with a code on request. */
  readonly hasCommandLine: boolean;
  start(binary: string, place: Place, more?: readonly string[]): ChildProcess;
}

/** All runtimes, be they on this machine or not. */
export const runtimes: readonly Runtime[] = [
  {
    name: "Node",
    entry: "node",
    binary: process.execPath,
    hasCommandLine: true,
    start: (binary, place, more = []) =>
      spawn(binary, [readFileOf(place, "node"), ...createOptions(place), ...more], {
        env: trusting(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Bun",
    entry: "bun",
    binary: binaryOf("bun"),
    hasCommandLine: true,
    start: (binary, place, more = []) =>
      spawn(binary, [readFileOf(place, "bun"), ...createOptions(place), ...more], {
        env: trusting(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Deno",
    entry: "deno",
    binary: binaryOf("deno"),
    hasCommandLine: true,
    start: (binary, place, more = []) => {
      const rights = ["--allow-net", "--allow-read", "--allow-env"];
      const args = ["run", ...rights, readFileOf(place, "deno"), ...createOptions(place), ...more];
      const quiet = { DENO_DIR: join(place.folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
      return spawn(binary, args, { env: { ...trusting(place, "DENO_CERT"), ...quiet } });
    },
  },
  {
    name: "workerd",
    entry: "worker",
    binary: binaryOf("workerd"),
    hasCommandLine: false,
    start: (binary, place) => {
      const { folder, port, apiServerPort, isTrusting } = place;
      return spawn(binary, [
        "serve",
        join(folder, isTrusting ? "workerd.capnp" : "workerd-trusting-nobody.capnp"),
        ...["--socket-addr", `webhooks=127.0.0.1:${port}`],
        ...["--external-addr", `api-server=127.0.0.1:${apiServerPort}`],
        ...["--directory-path", `service-account=${join(folder, "service-account")}`],
      ]);
    },
  },
];

function readFileOf({ folder }: Place, entry: string): string {
  return join(folder, `${entry}.mjs`);
}

function createOptions({ folder, port, apiServerPort }: Place): readonly string[] {
  return [
    ...["--server", `https://127.0.0.1:${apiServerPort}`],
    ...["--token-file", join(folder, "service-account", "token")],
    ...["--host", "127.0.0.1", "--port", String(port), "--cert-dir", folder],
  ];
}

/** The environment, without the variables of this process. */
function trusting({ folder, isTrusting }: Place, variable: string): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _node, DENO_CERT: _deno, ...env } = process.env;
  return isTrusting ? { ...env, [variable]: join(folder, "ca.crt") } : env;
}
