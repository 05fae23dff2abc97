import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ApiClient, type ClientOptions } from "@jobset-ts/controller-runtime";
import { connectionFromKubeConfig } from "@jobset-ts/controller-runtime/node";
import { KubeConfig, loadYaml } from "@kubernetes/client-node";

/** The fields of the file that are read here. */
interface FileValue {
  readonly users?: readonly {
    readonly name?: string;
    readonly user?: { readonly tokenFile?: string };
  }[];
}

/**
 * Creates a client for the cluster of a kubeconfig. Without a kubeconfig, the client is for the cluster of the Pod.
 *
 * @param onRequest - called with the method of each request except watches
 * @throws Error with a message for the user if the kubeconfig is invalid
 */
export function clientFor(file?: string, onRequest?: ClientOptions["onRequest"]): ApiClient {
  const connection = connectionFromKubeConfig(() => loadKubeConfig(file));
  return new ApiClient(connection, { userAgent: "jobset-ts-controller", onRequest });
}

/**
 * Reads a kubeconfig with all files that it refers to. Without a kubeconfig, it returns the Pod's service account.
 *
 * @param root - the root folder for the files of a service account
 * @throws Error with a message for the user that names the file: it cannot be read, or its current context has no cluster
 * or user
 */
export function loadKubeConfig(file?: string, root = ""): KubeConfig {
  if (file === undefined) {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromCluster(root);
    return kubeConfig;
  }
  try {
    const text = readFileSync(file, "utf8");
    const written = loadYaml<FileValue | undefined>(text);
    if (typeof written !== "object" || written === null)
      throw new Error("the file is not a kubeconfig");
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

/** The client library has another name for `tokenFile`, and would also send the final newline of the file. */
function readTokenFiles({ users }: KubeConfig, written: FileValue, folder: string): void {
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
  if (!context) throw new Error(`the current context "${current ?? ""}" does not exist`);
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster)
    throw new Error(`context "${current}": cluster "${context.cluster}" does not exist`);
  if (!URL.canParse(cluster.server)) {
    throw new Error(`cluster "${cluster.name}": server "${cluster.server}" is not a URL`);
  }
  if (!kubeConfig.getCurrentUser()) {
    throw new Error(`context "${current}": user "${context.user}" does not exist`);
  }
}
