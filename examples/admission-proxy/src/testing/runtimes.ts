import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const scripts = join(import.meta.dirname, "..", "..", "..", "..", "scripts");
const { findBinary }: { findBinary(runtime: string): string | undefined } = await import(
  /* @vite-ignore */ join(scripts, "runtimes.mjs")
);

/** The files and the port of a proxy process. */
export interface ProxyLocation {
  /** The folder with `tls.crt`, `tls.key`, `ca.crt`, the bundle, and a `service-account` folder with the `token`. */
  readonly folder: string;
  readonly port: number;
  readonly apiServerPort: number;
  /** Whether the proxy trusts `ca.crt`. */
  readonly isTrusting: boolean;
}

/** A runtime in which the proxy runs. */
export interface Runtime {
  readonly name: string;
  /** The name of its entry point in bundle.mjs. */
  readonly entry: "node" | "bun" | "deno" | "worker";
  /** Undefined if there is no binary for this platform. */
  readonly binary: string | undefined;
  /** Whether it has a command line and exit codes. */
  readonly hasCommandLine: boolean;
  start(binary: string, place: ProxyLocation, more?: readonly string[]): ChildProcess;
}

/** All runtimes, whether or not they are installed. */
export const runtimes: readonly Runtime[] = [
  {
    name: "Node",
    entry: "node",
    binary: process.execPath,
    hasCommandLine: true,
    start: (binary, place, more = []) =>
      spawn(binary, [readFileOf(place, "node"), ...createOptions(place), ...more], {
        env: createEnvironment(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Bun",
    entry: "bun",
    binary: findBinary("bun"),
    hasCommandLine: true,
    start: (binary, place, more = []) =>
      spawn(binary, [readFileOf(place, "bun"), ...createOptions(place), ...more], {
        env: createEnvironment(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Deno",
    entry: "deno",
    binary: findBinary("deno"),
    hasCommandLine: true,
    start: (binary, place, more = []) => {
      const rights = ["--allow-net", "--allow-read", "--allow-env"];
      const args = ["run", ...rights, readFileOf(place, "deno"), ...createOptions(place), ...more];
      const quiet = { DENO_DIR: join(place.folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
      return spawn(binary, args, { env: { ...createEnvironment(place, "DENO_CERT"), ...quiet } });
    },
  },
  {
    name: "workerd",
    entry: "worker",
    binary: findBinary("workerd"),
    hasCommandLine: false,
    start: (binary, place) => {
      const { folder, port, apiServerPort, isTrusting } = place;
      return spawn(binary, [
        "serve",
        join(folder, isTrusting ? "workerd.capnp" : "workerd-without-trust.capnp"),
        ...["--socket-addr", `webhooks=127.0.0.1:${port}`],
        ...["--external-addr", `api-server=127.0.0.1:${apiServerPort}`],
        ...["--directory-path", `service-account=${join(folder, "service-account")}`],
      ]);
    },
  },
];

function readFileOf({ folder }: ProxyLocation, entry: string): string {
  return join(folder, `${entry}.mjs`);
}

function createOptions({ folder, port, apiServerPort }: ProxyLocation): readonly string[] {
  return [
    ...["--server", `https://127.0.0.1:${apiServerPort}`],
    ...["--token-file", join(folder, "service-account", "token")],
    ...["--host", "127.0.0.1", "--port", String(port), "--cert-dir", folder],
    "--upstream-messages",
  ];
}

/** Returns the environment with a variable that trusts the CA. */
function createEnvironment(
  { folder, isTrusting }: ProxyLocation,
  variable: string,
): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _node, DENO_CERT: _deno, ...env } = process.env;
  return isTrusting ? { ...env, [variable]: join(folder, "ca.crt") } : env;
}
