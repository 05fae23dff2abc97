import type { ApiStatus } from "./api-status.ts";

/**
 * What a client of the API server sees of a webhook's refusal: its message, else its reason, behind the webhook's name.
 *
 * @param webhook - the name under which the webhook is registered, which differs by installation: `vpod.kb.io` in
 *   JobSet's manifests, `validate--v1-pod.x-k8s.io` in its chart
 * @see Kubernetes `apiserver/pkg/admission/plugin/webhook/errors.ToStatusErr`
 * @example apiServerStatus({ message: "no", reason: "Forbidden", code: 403 }, "vpod.kb.io").message // => 'admission webhook "vpod.kb.io" denied the request: no'
 */
export function apiServerStatus(status: ApiStatus, webhook: string): ApiStatus {
  const said = status.message || status.reason;
  const denied = `admission webhook "${webhook}" denied the request`;
  return {
    ...status,
    status: "Failure",
    message: said ? `${denied}: ${said}` : `${denied} without explanation`,
    code: Math.max(status.code, 400),
  };
}
