import type { Effect, EffectResult } from "@jobset-ts/core";
import { createApiRequest } from "@jobset-ts/core/requests";
import {
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  type KubeConfig,
  RequestContext,
} from "@kubernetes/client-node";

const http = new IsomorphicFetchHttpLibrary();

/** Performs an effect with client-node. It sends the raw request, because typed calls drop unknown fields. */
export async function perform(kubeConfig: KubeConfig, effect: Effect): Promise<EffectResult> {
  const created = createApiRequest(effect);
  if (!created.ok) return created;
  const { method, path, contentType, body } = created.request;
  const server = kubeConfig.getCurrentCluster()?.server ?? "";
  const request = new RequestContext(server + path, HttpMethod[method]);
  request.setHeaderParam("content-type", contentType);
  request.setBody(JSON.stringify(body));
  await kubeConfig.applySecurityAuthentication(request);
  const response = await http.send(request).toPromise();
  // The object, or a Status with the error.
  const result = JSON.parse(await response.body.text());
  return response.httpStatusCode < 300
    ? { ok: true, object: result }
    : { ok: false, error: result };
}
