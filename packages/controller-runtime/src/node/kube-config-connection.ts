import * as http from "node:http";
import * as https from "node:https";
import type { Connection, FetchRequest, FetchResponse } from "../connection.ts";

/** The part of `@kubernetes/client-node`'s `KubeConfig` that is used: addresses and credentials. */
export interface KubeConfigLike {
  /** The cluster of the current context, or `null` if there is none. */
  getCurrentCluster(): { readonly server: string; readonly proxyUrl?: string } | null;
  /** Adds certificates and credentials to the options of a request. */
  applyToHTTPSOptions(options: https.RequestOptions): Promise<void>;
}

const AGENT: http.AgentOptions = { keepAlive: true, maxSockets: 64 };

/**
 * Returns the connection to the cluster of a kubeconfig, with its credentials.
 *
 * @param load - reads the kubeconfig; called now, and again if the server rejects the credentials
 * @throws the error of the first call to `load`
 */
export function connectionFromKubeConfig(load: () => KubeConfigLike): Connection {
  const agents = { "http:": new http.Agent(AGENT), "https:": new https.Agent(AGENT) };
  let kubeConfig = load();

  const optionsFor = async (url: URL, { method, headers, body, signal }: FetchRequest) => {
    const options: https.RequestOptions = {
      method,
      // Node omits the length of a DELETE. Then the server would read the body as the next request.
      headers: {
        ...headers,
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      signal,
    };
    await kubeConfig.applyToHTTPSOptions(options);
    // client-node creates an agent, and thus a connection, for each request. With a proxy this is unavoidable.
    const isProxied = kubeConfig.getCurrentCluster()?.proxyUrl !== undefined;
    if (!isProxied) options.agent = agents[url.protocol as keyof typeof agents];
    return options;
  };

  const send = async (url: URL, request: FetchRequest): Promise<http.IncomingMessage> => {
    const options = await optionsFor(url, request);
    for (;;) {
      const sent = await sendOnce(url, options, request.body);
      if (sent !== "Stale") return sent;
    }
  };

  const hasNewCredentials = () => {
    try {
      kubeConfig = load();
      return true;
    } catch {
      return false; // The file may be incomplete while it is written. The server's response describes the problem.
    }
  };

  return {
    server: kubeConfig.getCurrentCluster()?.server ?? "",
    fetch: async (text, request) => {
      const url = new URL(text);
      const response = await send(url, request);
      if (response.statusCode !== 401 || !hasNewCredentials()) return webResponse(response);
      response.resume();
      return webResponse(await send(url, request));
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function sendOnce(
  url: URL,
  options: https.RequestOptions,
  body: string | undefined,
): Promise<http.IncomingMessage | "Stale"> {
  const { request: open } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const sent = open(url, options, resolve);
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection at the moment of its reuse.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve("Stale");
      else reject(error);
    });
    sent.end(body);
  });
}

function webResponse(response: http.IncomingMessage): FetchResponse {
  const { statusCode: status = 0, headers } = response;
  const get = (name: string) => headers[name]?.toString() ?? null;
  return { status, headers: { get }, body: response };
}
