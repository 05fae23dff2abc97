import { type ParseArgsConfig, parseArgs } from "node:util";
import { parseFeatureGates, resolveFeatureGates } from "@jobset-ts/api";
import type { ApiClient } from "@jobset-ts/controller-runtime";
import { clientFor } from "../kube-config.ts";
import { Administrator } from "./administrator.ts";
import { install } from "./install.ts";
import type { DeploymentSettings } from "./manifests.ts";
import { uninstall } from "./uninstall.ts";

type Command = "install" | "uninstall";

const HELP: Readonly<Record<Command, string>> = {
  install: `Installs the controller with its webhooks on a cluster, or updates an installation.

  --image NAME               the image that is built from the Dockerfile, under a name that the cluster can pull
  --kubeconfig FILE          the cluster, with administrator credentials; default $KUBECONFIG
  --replicas N               default 2: all serve the webhooks, one reconciles
  --feature-gates A=true,B=false
  --wait SECONDS             the timeout; default 300
`,
  uninstall: `Removes the controller and its webhooks. JobSets stay, but no controller manages them.

  --kubeconfig FILE          the cluster, with administrator credentials; default $KUBECONFIG
  --delete-crd               also delete the CustomResourceDefinition, and so all JobSets with their Jobs
  --wait SECONDS             the timeout; default 300
`,
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const common = { kubeconfig: text, wait: text, help: flag };

const OPTIONS: Readonly<Record<Command, NonNullable<ParseArgsConfig["options"]>>> = {
  install: { ...common, image: text, replicas: text, "feature-gates": text },
  uninstall: { ...common, "delete-crd": flag },
};

/** Returns whether the first argument is a command other than running the controller. */
export function isCommand(word: string | undefined): word is Command {
  return word !== undefined && Object.hasOwn(HELP, word);
}

/** Runs a command and prints each step in one line. Returns the exit code, which is 2 for an invalid option. */
export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const fail = (error: unknown, exitCode: number) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return exitCode;
  };
  let options: CommandOptions;
  let client: ApiClient;
  try {
    options = readCommandOptions(command, args);
    if (options.helps) {
      process.stdout.write(HELP[command]);
      return 0;
    }
    const { kubeconfig } = options;
    client = clientFor(kubeconfig);
  } catch (error) {
    return fail(error, 2);
  }
  try {
    const ground = { client, cluster: new Administrator(client, options.waitSeconds), say };
    if (command === "install") await install(ground, options.wishes);
    else await uninstall(ground, options);
    return 0;
  } catch (error) {
    return fail(error, 1);
  } finally {
    client.close();
  }
}

interface CommandOptions {
  readonly helps: boolean;
  readonly kubeconfig: string;
  readonly waitSeconds: number;
  readonly wishes: DeploymentSettings;
  readonly deletesCrd: boolean;
}

/** @throws TypeError with a message for the user */
function readCommandOptions(command: Command, args: readonly string[]): CommandOptions {
  const { values } = parseArgs({ args: [...args], strict: true, options: OPTIONS[command] });
  const optionText = (name: string) => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  const kubeconfig = optionText("kubeconfig") ?? process.env.KUBECONFIG ?? "";
  const [image = "", replicas, featureGates] = ["image", "replicas", "feature-gates"].map(
    optionText,
  );
  const helps = values.help === true;
  if (!helps) {
    if (kubeconfig === "") throw new TypeError("--kubeconfig: the file name is missing");
    if (command === "install" && image === "")
      throw new TypeError("--image: the image name is missing");
    resolveFeatureGates(parseFeatureGates(featureGates ?? ""));
  }
  return {
    helps,
    kubeconfig,
    waitSeconds: wholeNumber("wait", optionText("wait") ?? "300"),
    deletesCrd: values["delete-crd"] === true,
    wishes: {
      image,
      ...(replicas !== undefined && { replicas: wholeNumber("replicas", replicas) }),
      ...(featureGates !== undefined && { featureGates }),
    },
  };
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new TypeError(`--${option}: "${text}" is not a positive number`);
}
