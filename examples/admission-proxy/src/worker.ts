import { parseFeatureGates } from "@jobset-ts/api";
import { admissionProxy } from "./proxy.ts";
import { getFailurePolicy } from "./settings.ts";

/** The bindings in the worker's configuration. */
interface Environment {
  /** The API server as an external service, with its address and certificate authority. */
  readonly API_SERVER: Service;
  /** The URL of the API server. Its host is sent in the Host header. */
  readonly SERVER: string;
  /** The folder of the service account token: a disk service, which reads the file for each request. */
  readonly SERVICE_ACCOUNT?: Service;
  readonly FEATURE_GATES?: string;
  readonly FAILURE_POLICY?: string;
  /** Set to `true` for exactly upstream's messages, without root causes. */
  readonly UPSTREAM_MESSAGES?: string;
}

interface Service {
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

let proxy: ((request: Request) => Promise<Response>) | undefined;

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    proxy ??= admissionProxy({
      server: environment.SERVER,
      token: () => getToken(environment),
      fetch: (url, init) => environment.API_SERVER.fetch(url, init),
      featureGates: parseFeatureGates(environment.FEATURE_GATES ?? ""),
      failurePolicy: getFailurePolicy(environment.FAILURE_POLICY ?? "Fail"),
      explainDenials: environment.UPSTREAM_MESSAGES !== "true",
    });
    return proxy(request);
  },
};

async function getToken({ SERVICE_ACCOUNT }: Environment): Promise<string> {
  if (SERVICE_ACCOUNT === undefined) return "";
  const response = await SERVICE_ACCOUNT.fetch("http://service-account/token");
  if (!response.ok) throw new Error(`reading the token file returned ${response.status}`);
  return response.text();
}
