import { parseArgs } from "node:util";
import { parseFeatureGates, resolveFeatureGates } from "@jobset-ts/api";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";

/** The options of the running program. */
export interface Options {
  /** The kubeconfig file. Undefined in a Pod, which has a service account. */
  readonly kubeconfig?: string;
  readonly controllers: ReadonlySet<ControllerName>;
  readonly webhook?: {
    readonly host: string;
    readonly port: number;
    readonly certDir: string;
    /** Whether denials name their root causes. The default is `true`. */
    readonly explainDenials?: boolean;
  };
  /** Whether to issue and renew the webhook certificate in the cluster. */
  readonly managesCertificate?: true;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly quirks: Quirks;
  readonly leaderElection?: { readonly namespace: string; readonly identity: string };
  readonly metricsPort?: number;
  readonly healthPort?: number;
}

/** The controllers that can run: for JobSets, and for Pods under exclusive placement. */
export type ControllerName = "jobset" | "pod";

/** The text that `--help` prints. */
export const HELP = `A controller of JobSets, with its webhooks.

  install, uninstall               install it on a cluster, or remove it; each has its own --help

  --kubeconfig FILE                the cluster and the credentials; default $KUBECONFIG, or the Pod's service account
  --controllers jobset,pod         the controllers to run: jobset for JobSets, pod for exclusive placement, or none;
                                   default both
  --feature-gates A=true,B=false   JobSet's feature gates
  --quirks none|upstream           upstream: reproduce upstream's quirks; default none

  --webhook-port N                 serve the webhooks; requires --cert-dir
  --webhook-host H                 the listen address; default 127.0.0.1
  --cert-dir DIR                   the folder of tls.crt and tls.key, which are reloaded when they change
  --upstream-messages              deny with exactly upstream's messages, without root causes
  --manage-certificate             issue and renew that certificate in the cluster

  --leader-elect                   reconcile only while holding the Lease jobset-controller
  --leader-elect-namespace NS      the namespace of the Lease; default jobset-system
  --leader-elect-identity NAME     the identity; default the hostname and a random suffix

  --health-port N                  serve /healthz and /readyz, which reports problems
  --metrics-port N                 serve /metrics for Prometheus

  --help, --version                print this help or the version, and exit
`;

/**
 * Parses the command line.
 *
 * @throws TypeError with a message for the user: an unknown option, a missing file name, an invalid port
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
      "upstream-messages": { type: "boolean", default: false },
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
  if (!kubeconfig && !isInPod) throw new TypeError("--kubeconfig: the file name is missing");
  const webhookPort = getPort("webhook-port", values["webhook-port"]);
  const certDir = values["cert-dir"];
  if (webhookPort !== undefined && certDir === undefined) {
    throw new TypeError("--webhook-port requires --cert-dir with tls.crt and tls.key");
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
        webhook: {
          host: values["webhook-host"],
          port: webhookPort,
          certDir,
          ...(values["upstream-messages"] && { explainDenials: false }),
        },
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
      throw new TypeError(`--controllers: "${name}" is not jobset, pod or none`);
    }
  }
  return new Set(names as ControllerName[]);
}

/** @throws TypeError for an invalid setting or an unknown gate */
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
  throw new TypeError(`--quirks: "${text}" is not upstream or none`);
}

function getPort(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new TypeError(`--${option}: "${text}" is not a port`);
  }
  return port;
}
