import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseFeatureGates } from "@jobset-ts/api";
import type { ProxyOptions } from "./proxy.ts";
import { getFailurePolicy } from "./settings.ts";

/** What the command line asks for. */
export interface Options {
  readonly proxy: ProxyOptions;
  readonly host: string;
  readonly port: number;
  /** The folder with `tls.crt` and `tls.key`. */
  readonly certDir: string;
}

/** What `--help` says. */
export const HELP = `JobSet's webhooks, without a cache of the cluster.

  --server URL                     the API server; default the one of the Pod's cluster
  --token-file FILE                read before each request; default the one of the Pod's account, and none with --server
  --feature-gates A=true,B=false   JobSet's feature gates
  --failure-policy Fail|Ignore     what happens when the cluster cannot be read; default Fail

  --host H                         where it listens; default 127.0.0.1
  --port N                         default 9443
  --cert-dir DIR                   the folder of tls.crt and tls.key

  --help, --version                say this, or the version, and end
`;

const SERVICE_ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/**
 * Reads the command line. In a Pod the API server and the token are found by themselves.
 *
 * @param env - the environment, of which a Pod has `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`
 * @throws TypeError with a sentence for the user
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      server: { type: "string" },
      "token-file": { type: "string" },
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "9443" },
      "cert-dir": { type: "string" },
      "feature-gates": { type: "string", default: "" },
      "failure-policy": { type: "string", default: "Fail" },
    },
  });
  const server = values.server ?? getPodServer(env);
  if (server === undefined)
    throw new TypeError("--server is missing, and this process does not run in a Pod");
  const certDir = values["cert-dir"];
  if (certDir === undefined)
    throw new TypeError("--cert-dir is missing: the folder of tls.crt and tls.key");
  // Who names a server need not have a token: `kubectl proxy` adds its own.
  const tokenFile =
    values["token-file"] ?? (values.server === undefined ? SERVICE_ACCOUNT_TOKEN : undefined);
  return {
    proxy: {
      server,
      ...(tokenFile !== undefined && { token: () => readFile(tokenFile, "utf8") }),
      featureGates: parseFeatureGates(values["feature-gates"]),
      failurePolicy: getFailurePolicy(values["failure-policy"]),
    },
    host: values.host,
    port: getPort(values.port),
    certDir,
  };
}

function getPodServer(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (!host) return undefined;
  return `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function getPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new TypeError(`--port: "${text}" is no port`);
  return port;
}
