import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

// They are large, and so a package of their own, which is installed for tests alone.
const runtimesFolder = join(import.meta.dirname, "..", "..", "runtimes");
const require = createRequire(join(runtimesFolder, "package.json"));

/** Where a proxy that is started finds what it needs, and where it listens. */
export interface Place {
  /** With `tls.crt`, `tls.key`, `ca.crt`, a `service-account` folder with the `token`, and what is bundled. */
  readonly folder: string;
  readonly port: number;
  readonly apiServerPort: number;
  /** Whether it is told to trust `ca.crt`. */
  readonly isTrusting: boolean;
}

/** A runtime in which the proxy runs. */
export interface Runtime {
  readonly name: string;
  /** Its entry, as bundle.mjs calls it. */
  readonly entry: "node" | "bun" | "deno" | "worker";
  /** Absent where it has no binary for this platform. */
  readonly binary: string | undefined;
  /** Whether it has a command line of its own, and so ends with an exit code when it is asked to. */
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
      spawn(binary, [fileOf(place, "node"), ...optionsOf(place), ...more], {
        env: trusting(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Bun",
    entry: "bun",
    binary: binaryOf("bun", "bin/bun"),
    hasCommandLine: true,
    start: (binary, place, more = []) =>
      spawn(binary, [fileOf(place, "bun"), ...optionsOf(place), ...more], {
        env: trusting(place, "NODE_EXTRA_CA_CERTS"),
      }),
  },
  {
    name: "Deno",
    entry: "deno",
    binary: binaryOf("deno", "deno"),
    hasCommandLine: true,
    start: (binary, place, more = []) => {
      const rights = ["--allow-net", "--allow-read", "--allow-env"];
      const args = ["run", ...rights, fileOf(place, "deno"), ...optionsOf(place), ...more];
      const quiet = { DENO_DIR: join(place.folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
      return spawn(binary, args, { env: { ...trusting(place, "DENO_CERT"), ...quiet } });
    },
  },
  {
    name: "workerd",
    entry: "worker",
    binary: binaryOf("workerd", "bin/workerd"),
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

function fileOf({ folder }: Place, entry: string): string {
  return join(folder, `${entry}.mjs`);
}

function optionsOf({ folder, port, apiServerPort }: Place): readonly string[] {
  return [
    ...["--server", `https://127.0.0.1:${apiServerPort}`],
    ...["--token-file", join(folder, "service-account", "token")],
    ...["--host", "127.0.0.1", "--port", String(port), "--cert-dir", folder],
  ];
}

/** The environment, without what this process itself was told. */
function trusting({ folder, isTrusting }: Place, variable: string): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _node, DENO_CERT: _deno, ...env } = process.env;
  return isTrusting ? { ...env, [variable]: join(folder, "ca.crt") } : env;
}

/**
 * The binary that a runtime's package has for this platform, in an optional dependency of its own.
 *
 * @returns `undefined` where there is none, or none that starts: one for glibc is installed on musl, too
 */
function binaryOf(runtime: string, file: string): string | undefined {
  const manifest = require.resolve(`${runtime}/package.json`);
  const { optionalDependencies = {} } = require(manifest) as {
    optionalDependencies?: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const installed = createRequire(manifest).resolve(`${name}/package.json`);
      const extension = process.platform === "win32" ? ".exe" : "";
      const binary = join(dirname(installed), file + extension);
      if (spawnSync(binary, ["--version"]).status === 0) return binary;
    } catch {
      // It is for another platform.
    }
  }
  return undefined;
}
