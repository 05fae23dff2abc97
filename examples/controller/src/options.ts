import { parseArgs } from "node:util";
import { type Features, featuresOf } from "@jobset-ts/api";

/** What the command line asks for. */
export interface Options {
  readonly kubeconfig: string;
  readonly controllers: ReadonlySet<ControllerName>;
  readonly webhook?: { readonly host: string; readonly port: number; readonly certDir: string };
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly leaderElection?: { readonly namespace: string; readonly identity: string };
  readonly metricsPort?: number;
  readonly healthPort?: number;
}

/** Which parts run: the passes over JobSets, and the repair of exclusive placement. */
export type ControllerName = "jobset" | "pod";

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
      "feature-gates": { type: "string", default: "" },
      "leader-elect": { type: "boolean", default: false },
      "leader-elect-namespace": { type: "string", default: "jobset-system" },
      "leader-elect-identity": { type: "string", default: defaultIdentity },
      "metrics-port": { type: "string" },
      "health-port": { type: "string" },
    },
  });
  const kubeconfig = values.kubeconfig ?? process.env.KUBECONFIG;
  if (!kubeconfig) throw new TypeError("--kubeconfig names no file");
  const webhookPort = portOf("webhook-port", values["webhook-port"]);
  const certDir = values["cert-dir"];
  if (webhookPort !== undefined && certDir === undefined) {
    throw new TypeError("--webhook-port needs --cert-dir with tls.crt and tls.key");
  }
  const featureGates = parseFeatureGates(values["feature-gates"]);
  featuresFrom(featureGates);
  const metricsPort = portOf("metrics-port", values["metrics-port"]);
  const healthPort = portOf("health-port", values["health-port"]);
  return {
    kubeconfig,
    controllers: parseControllers(values.controllers),
    featureGates,
    ...(webhookPort !== undefined &&
      certDir !== undefined && {
        webhook: { host: values["webhook-host"], port: webhookPort, certDir },
      }),
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

/**
 * Feature gates by name, as a set of those that are on.
 *
 * @throws TypeError for a name that is no gate
 */
export function featuresFrom(gates: Readonly<Record<string, boolean>>): Features {
  return featuresOf(gates);
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

/** `A=true,B=false`, as kube-apiserver reads them. */
function parseFeatureGates(text: string): Record<string, boolean> {
  const gates: Record<string, boolean> = {};
  for (const part of text.split(",").filter((part) => part.trim() !== "")) {
    const [name = "", value] = part.trim().split("=");
    if (value !== "true" && value !== "false") {
      throw new TypeError(`--feature-gates: "${part}" is not <gate>=true or <gate>=false`);
    }
    gates[name] = value === "true";
  }
  return gates;
}

function portOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`--${option}: "${text}" is no port`);
  }
  return port;
}
