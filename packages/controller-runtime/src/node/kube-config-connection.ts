import * as http from "node:http";
import * as https from "node:https";
import type { Connection, FetchRequest, FetchResponse } from "../connection.ts";

/** What is used of the `KubeConfig` of `@kubernetes/client-node`: addresses and credentials. */
export interface KubeConfigLike {
  /** The cluster of the current context, or `null` where there is none. */
  getCurrentCluster(): { readonly server: string; readonly proxyUrl?: string } | null;
  /** Puts certificates and credentials into the options of a request. */
  applyToHTTPSOptions(options: https.RequestOptions): Promise<void>;
}

const AGENT: http.AgentOptions = { keepAlive: true, maxSockets: 64 };

/**
 * The way to the cluster of a kubeconfig, with its credentials.
 *
 * @param load - reads the kubeconfig: now, and again when the server does not accept our credentials
 * @throws what `load` throws now
 */
export function connectionFromKubeConfig(load: () => KubeConfigLike): Connection {
  const agents = { "http:": new http.Agent(AGENT), "https:": new https.Agent(AGENT) };
  let kubeConfig = load();

  const optionsFor = async (url: URL, { method, headers, body, signal }: FetchRequest) => {
    const options: https.RequestOptions = {
      method,
      // Node leaves the length out of a DELETE, whose body would be read as the next request.
      headers: {
        ...headers,
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      signal,
    };
    await kubeConfig.applyToHTTPSOptions(options);
    // client-node makes an agent, and so a connection, for each request; through a proxy that has to do.
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
      return false; // it is being written, perhaps; what the server answered says what is wrong
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
      // The server may close a connection that was idle just when we use it again.
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
