import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ApiClient, type ClientOptions } from "@jobset-ts/controller-runtime";
import { connectionFromKubeConfig } from "@jobset-ts/controller-runtime/node";
import { KubeConfig, loadYaml } from "@kubernetes/client-node";

/** As much of the file as is read here. */
interface Written {
  readonly users?: readonly {
    readonly name?: string;
    readonly user?: { readonly tokenFile?: string };
  }[];
}

/**
 * A client for the cluster of a kubeconfig; without one, for that of the Pod.
 *
 * @param onSent - told of each request with its method, save for watches
 * @throws Error with a sentence for the user when the kubeconfig cannot be used
 */
export function clientFor(file?: string, onSent?: ClientOptions["onSent"]): ApiClient {
  const connection = connectionFromKubeConfig(() => loadKubeConfig(file));
  return new ApiClient(connection, { userAgent: "jobset-ts-controller", onSent });
}

/**
 * Reads a kubeconfig with all that it points to; without one, what a Pod has of its service account.
 *
 * @param root - where the files of a service account are found
 * @throws Error with a sentence for the user, which names the file: it cannot be read, or its current context leads to
 * no cluster or no user
 */
export function loadKubeConfig(file?: string, root = ""): KubeConfig {
  if (file === undefined) {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromCluster(root);
    return kubeConfig;
  }
  try {
    const text = readFileSync(file, "utf8");
    const written = loadYaml<Written | undefined>(text);
    if (typeof written !== "object" || written === null)
      throw new Error("it contains no kubeconfig");
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(text);
    kubeConfig.makePathsAbsolute(dirname(file));
    readTokenFiles(kubeConfig, written, dirname(file));
    check(kubeConfig);
    return kubeConfig;
  } catch (error) {
    const [firstLine] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new Error(`kubeconfig ${file}: ${firstLine}`);
  }
}

/** The client library knows `tokenFile` by another name, and would send the end of its line too. */
function readTokenFiles({ users }: KubeConfig, written: Written, folder: string): void {
  for (const { name, user } of written.users ?? []) {
    const index = users.findIndex((one) => one.name === name);
    const known = users[index];
    if (known === undefined || user?.tokenFile === undefined) continue;
    const token = readFileSync(resolve(folder, user.tokenFile), "utf8").trim();
    users[index] = { ...known, token };
  }
}

function check(kubeConfig: KubeConfig): void {
  const current = kubeConfig.getCurrentContext();
  const context = current ? kubeConfig.getContextObject(current) : null;
  if (!context) throw new Error(`there is no context "${current ?? ""}", the current one`);
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster) throw new Error(`context "${current}": no cluster is named "${context.cluster}"`);
  if (!URL.canParse(cluster.server)) {
    throw new Error(`cluster "${cluster.name}": server "${cluster.server}" is not a URL`);
  }
  if (!kubeConfig.getCurrentUser()) {
    throw new Error(`context "${current}": no user is named "${context.user}"`);
  }
}
