import { type ParseArgsConfig, parseArgs } from "node:util";
import { parseFeatureGates, resolveFeatureGates } from "@jobset-ts/api";
import type { ApiClient } from "@jobset-ts/controller-runtime";
import { clientFor } from "../kube-config.ts";
import { Administrator } from "./administrator.ts";
import { install } from "./install.ts";
import type { DeploymentWishes } from "./manifests.ts";
import { uninstall } from "./uninstall.ts";

type Command = "install" | "uninstall";

const HELP: Readonly<Record<Command, string>> = {
  install: `Sets up the controller with its webhooks on a cluster, or brings it up to date.

  --image NAME               the image that the Dockerfile makes, where the cluster can pull it
  --kubeconfig FILE          the cluster, with the rights of its administrator; default $KUBECONFIG
  --replicas N               default 2: all answer to the webhooks, one works
  --feature-gates A=true,B=false
  --wait SECONDS             how long that may take; default 300
`,
  uninstall: `Removes the controller and its webhooks. JobSets stay, but no controller manages them.

  --kubeconfig FILE          the cluster, with the rights of its administrator; default $KUBECONFIG
  --delete-crd               also delete the CustomResourceDefinition, and so all JobSets with their Jobs
  --wait SECONDS             how long that may take; default 300
`,
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const common = { kubeconfig: text, wait: text, help: flag };

const OPTIONS: Readonly<Record<Command, NonNullable<ParseArgsConfig["options"]>>> = {
  install: { ...common, image: text, replicas: text, "feature-gates": text },
  uninstall: { ...common, "delete-crd": flag },
};

/** Whether the first argument asks for something else than to be the controller. */
export function isCommand(word: string | undefined): word is Command {
  return word !== undefined && Object.hasOwn(HELP, word);
}

/** Does what one command is for, and says each step in one line. Answers with the exit code; 2 for a wrong option. */
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
  readonly wishes: DeploymentWishes;
  readonly deletesCrd: boolean;
}

/** @throws TypeError with a sentence for the user */
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
    if (kubeconfig === "") throw new TypeError("--kubeconfig names no file");
    if (command === "install" && image === "") throw new TypeError("--image names no image");
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
  throw new TypeError(`--${option}: "${text}" is no number above zero`);
}
