import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseFeatureGates } from "@jobset-ts/api";
import type { ProxyOptions } from "./proxy.ts";
import { getFailurePolicy } from "./settings.ts";

/** The options of the program. */
export interface Options {
  readonly proxy: ProxyOptions;
  readonly host: string;
  readonly port: number;
  /** The folder with `tls.crt` and `tls.key`. */
  readonly certDir: string;
}

/** The text that `--help` prints. */
export const HELP = `JobSet's webhooks, without a cache of the cluster.

  --server URL                     the API server; in a Pod, the default is the cluster's
  --token-file FILE                the token, read before each request; default: the Pod's service account token,
                                   or none with --server
  --feature-gates A=true,B=false   JobSet's feature gates
  --failure-policy Fail|Ignore     what to do if the cluster cannot be read; default Fail
  --upstream-messages              deny with exactly upstream's messages, without root causes

  --host H                         the listen address; default 127.0.0.1
  --port N                         the port; default 9443
  --cert-dir DIR                   the folder of tls.crt and tls.key

  --help, --version                print this help or the version, and exit
`;

const SERVICE_ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/**
 * Parses the command line. In a Pod, the API server and the token have defaults.
 *
 * @param env - the environment; a Pod has `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`
 * @throws TypeError with a message for the user
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
      "upstream-messages": { type: "boolean", default: false },
    },
  });
  const server = values.server ?? getPodServer(env);
  if (server === undefined) throw new TypeError("--server is required outside of a Pod");
  const certDir = values["cert-dir"];
  if (certDir === undefined)
    throw new TypeError("--cert-dir is required: the folder of tls.crt and tls.key");
  // A server from the options may not need a token: `kubectl proxy` adds its own.
  const tokenFile =
    values["token-file"] ?? (values.server === undefined ? SERVICE_ACCOUNT_TOKEN : undefined);
  return {
    proxy: {
      server,
      ...(tokenFile !== undefined && { token: () => readFile(tokenFile, "utf8") }),
      featureGates: parseFeatureGates(values["feature-gates"]),
      failurePolicy: getFailurePolicy(values["failure-policy"]),
      ...(values["upstream-messages"] && { explainDenials: false }),
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
  if (!(port <= 65_535)) throw new TypeError(`--port: "${text}" is not a port`);
  return port;
}
