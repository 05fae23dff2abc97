import { parseArgs } from "node:util";
import { parseFeatureGates, resolveFeatureGates } from "@jobset-ts/api";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";

/** What the command line asks of a program that runs. */
export interface Options {
  /** The file; absent in a Pod, which has its service account. */
  readonly kubeconfig?: string;
  readonly controllers: ReadonlySet<ControllerName>;
  readonly webhook?: { readonly host: string; readonly port: number; readonly certDir: string };
  /** Whether to issue and renew the certificate of the webhooks in the cluster. */
  readonly managesCertificate?: true;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly quirks: Quirks;
  readonly leaderElection?: { readonly namespace: string; readonly identity: string };
  readonly metricsPort?: number;
  readonly healthPort?: number;
}

/** Which parts run: the passes over JobSets, and the repair of exclusive placement. */
export type ControllerName = "jobset" | "pod";

/** What `--help` says. */
export const HELP = `A controller of JobSets, with its webhooks.

  install, uninstall               set it up on a cluster, take it away; each has a --help of its own

  --kubeconfig FILE                the cluster and the credentials; default $KUBECONFIG, and in a Pod its account
  --controllers jobset,pod         which run: of JobSets, of exclusive placement, or none; default both
  --feature-gates A=true,B=false   JobSet's feature gates
  --quirks none|upstream           whether to do what upstream gets wrong; default none

  --webhook-port N                 serve the webhooks, which needs --cert-dir
  --webhook-host H                 where; default 127.0.0.1
  --cert-dir DIR                   the folder of tls.crt and tls.key, read again when they change
  --manage-certificate             issue and renew that certificate in the cluster

  --leader-elect                   work only while holding the Lease jobset-controller
  --leader-elect-namespace NS      where it is; default jobset-system
  --leader-elect-identity NAME     as whom; default the host's name and a random part

  --health-port N                  serve /healthz and /readyz, which says what is wrong
  --metrics-port N                 serve /metrics for Prometheus

  --help, --version                say this, or the version, and end
`;

/**
 * Reads the command line.
 *
 * @throws TypeError with a sentence for the user: an unknown option, a missing file name, a port that is none
 */
export function readOptions(args: readonly string[], defaultIdentity: string): Options {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      kubeconfig: { type: "string" },
      controllers: { type: "string", default: "jobset,pod" },
      "webhook-host": { type: "string", default: "127.0.0.1" },
      "webhook-port": { type: "string" },
      "cert-dir": { type: "string" },
      "manage-certificate": { type: "boolean", default: false },
      "feature-gates": { type: "string", default: "" },
      quirks: { type: "string", default: "none" },
      "leader-elect": { type: "boolean", default: false },
      "leader-elect-namespace": { type: "string", default: "jobset-system" },
      "leader-elect-identity": { type: "string", default: defaultIdentity },
      "metrics-port": { type: "string" },
      "health-port": { type: "string" },
    },
  });
  const kubeconfig = values.kubeconfig ?? process.env.KUBECONFIG;
  const isInPod = kubeconfig === undefined && process.env.KUBERNETES_SERVICE_HOST !== undefined;
  if (!kubeconfig && !isInPod) throw new TypeError("--kubeconfig names no file");
  const webhookPort = getPort("webhook-port", values["webhook-port"]);
  const certDir = values["cert-dir"];
  if (webhookPort !== undefined && certDir === undefined) {
    throw new TypeError("--webhook-port needs --cert-dir with tls.crt and tls.key");
  }
  const metricsPort = getPort("metrics-port", values["metrics-port"]);
  const healthPort = getPort("health-port", values["health-port"]);
  return {
    ...(kubeconfig && { kubeconfig }),
    controllers: parseControllers(values.controllers),
    featureGates: getFeatureGates(values["feature-gates"]),
    quirks: resolveQuirks(values.quirks),
    ...(webhookPort !== undefined &&
      certDir !== undefined && {
        webhook: { host: values["webhook-host"], port: webhookPort, certDir },
      }),
    ...(values["manage-certificate"] && { managesCertificate: true }),
    ...(values["leader-elect"] && {
      leaderElection: {
        namespace: values["leader-elect-namespace"],
        identity: values["leader-elect-identity"],
      },
    }),
    ...(metricsPort !== undefined && { metricsPort }),
    ...(healthPort !== undefined && { healthPort }),
  };
}

function parseControllers(text: string): ReadonlySet<ControllerName> {
  if (text === "none") return new Set();
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (name !== "jobset" && name !== "pod") {
      throw new TypeError(`--controllers: "${name}" is neither jobset, pod nor none`);
    }
  }
  return new Set(names as ControllerName[]);
}

/** @throws TypeError for what is no setting of a gate, or of none that there is */
function getFeatureGates(text: string): Readonly<Record<string, boolean>> {
  try {
    const gates = parseFeatureGates(text);
    resolveFeatureGates(gates);
    return gates;
  } catch (error) {
    throw new TypeError(`--feature-gates: ${error instanceof Error ? error.message : error}`);
  }
}

function resolveQuirks(text: string): Quirks {
  if (text === "none") return NO_QUIRKS;
  if (text === "upstream") return UPSTREAM_QUIRKS;
  throw new TypeError(`--quirks: "${text}" is neither upstream nor none`);
}

function getPort(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new TypeError(`--${option}: "${text}" is no port`);
  }
  return port;
}
