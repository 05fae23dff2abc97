import type { Denial } from "../verdict.ts";

/** The names under which JobSet's webhooks are registered, which clients are told; a Helm chart has others. */
export interface WebhookNames {
  readonly mutating: string;
  readonly validating: string;
}

/** The names in JobSet's own manifests. */
export const defaultWebhookNames: WebhookNames = {
  mutating: "mjobset.kb.io",
  validating: "vjobset.kb.io",
};

/**
 * A webhook's refusal as the API server hands it on.
 *
 * @see Kubernetes `apiserver/pkg/admission/plugin/webhook/errors.ToStatusErr`
 */
export function toldByServer<Id extends string>(denial: Denial<Id>, webhook: string): Denial<Id> {
  const { status } = denial;
  const message = `admission webhook "${webhook}" denied the request: ${status.message}`;
  return { ...denial, status: { ...status, message } };
}
