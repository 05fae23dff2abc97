import type { Effect, EffectResult } from "@jobset-ts/core";
import { createApiRequest } from "@jobset-ts/core/requests";
import {
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  type KubeConfig,
  RequestContext,
} from "@kubernetes/client-node";

const http = new IsomorphicFetchHttpLibrary();

/** Carries an effect out with client-node, by the request that it stands for: the typed calls drop what they do not know. */
export async function perform(kubeConfig: KubeConfig, effect: Effect): Promise<EffectResult> {
  const asked = createApiRequest(effect);
  if (!asked.ok) return asked;
  const { method, path, contentType, body } = asked.request;
  const server = kubeConfig.getCurrentCluster()?.server ?? "";
  const request = new RequestContext(server + path, HttpMethod[method]);
  request.setHeaderParam("content-type", contentType);
  request.setBody(JSON.stringify(body));
  await kubeConfig.applySecurityAuthentication(request);
  const response = await http.send(request).toPromise();
  // The object, or a Status that says why not.
  const answer = JSON.parse(await response.body.text());
  return response.httpStatusCode < 300
    ? { ok: true, object: answer }
    : { ok: false, error: answer };
}
