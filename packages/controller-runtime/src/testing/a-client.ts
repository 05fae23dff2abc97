import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ApiClient, type ClientOptions, type ClientTimeouts } from "../api-client.ts";
import type { ApiError } from "../api-error.ts";
import type { FakeApiServer } from "./fake-api-server.ts";
import {
  connectionIn,
  type KubeConfigParts,
  temporaryFolder,
  writeKubeConfig,
} from "./kubeconfig.ts";

export const pods = "/api/v1/pods";
export const list = { method: "GET", path: pods } as const;

/** Starts a server, and stops it after the test. */
export async function startServer(one: FakeApiServer): Promise<FakeApiServer> {
  await one.start();
  onTestFinished(() => one.stop());
  return one;
}

/** How a client reaches its server. By default, it has a token and writes the kubeconfig to a temporary folder. */
export interface ClientParts extends KubeConfigParts, Pick<ClientOptions, "onRequest"> {
  readonly file?: string;
  readonly url: string;
  readonly timeouts?: Partial<ClientTimeouts>;
}

/** Creates a client as a Node program does. */
export function aClient({ url, timeouts, onRequest, ...options }: ClientParts): ApiClient {
  const { file = join(temporaryFolder(), "config"), ...parts } = options;
  const connection = connectionIn(writeKubeConfig(file, url, parts));
  // Long timeouts, so that a busy machine does not trigger them.
  const usual = { responseMs: 60_000, watchMs: 60_000, ...timeouts };
  const client = new ApiClient(connection, { onRequest, timeouts: usual });
  onTestFinished(() => client.close());
  return client;
}

/** Lists Pods, and returns the error of the response. */
export async function getListError(client: ApiClient): Promise<ApiError> {
  const response = await client.send(list);
  if (response.ok) throw new Error("the request succeeded");
  return response.error;
}
