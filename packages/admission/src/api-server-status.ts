import type { ApiStatus } from "./api-status.ts";

/**
 * Returns the status that a client of the API server gets for a webhook's denial: the webhook's name and the message,
 * or the reason without a message.
 *
 * @param webhook - the name under which the webhook is registered, which differs by installation: `vpod.kb.io` in
 *   JobSet's manifests, `validate--v1-pod.x-k8s.io` in its chart
 * @see Kubernetes `apiserver/pkg/admission/plugin/webhook/errors.ToStatusErr`
 * @example apiServerStatus({ message: "no", reason: "Forbidden", code: 403 }, "vpod.kb.io").message // => 'admission webhook "vpod.kb.io" denied the request: no'
 */
export function apiServerStatus(status: ApiStatus, webhook: string): ApiStatus {
  const text = status.message || status.reason;
  const denied = `admission webhook "${webhook}" denied the request`;
  return {
    ...status,
    status: "Failure",
    message: text ? `${denied}: ${text}` : `${denied} without explanation`,
    code: Math.max(status.code, 400),
  };
}
