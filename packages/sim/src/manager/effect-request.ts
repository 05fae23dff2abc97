import type { Effect, EffectResult } from "@jobset-ts/core";
import type { ApiReply, ApiRequest, RequestedObject } from "../api-server/api-request.ts";

/** The request that an effect stands for. */
export function requestOf(effect: Effect): ApiRequest {
  const { apiVersion, kind, namespace, name } = effect.target;
  const named = { apiVersion, kind, metadata: { namespace, name } };
  switch (effect.verb) {
    case "create":
      return { verb: "create", object: effect.object as unknown as RequestedObject };
    case "update":
      return { verb: "update", object: effect.object as unknown as RequestedObject };
    case "updateStatus":
      return {
        verb: "update",
        object: effect.object as unknown as RequestedObject,
        subresource: "status",
      };
    case "patch":
      return { verb: "patch", object: { ...effect.patch, ...named } };
    case "delete":
      return {
        verb: "delete",
        object: named,
        propagationPolicy: effect.propagationPolicy,
        ...(effect.uid !== undefined && { preconditions: { uid: effect.uid } }),
      };
  }
}

/** An answer as whoever carries out a plan takes it. */
export function resultOf(reply: ApiReply): EffectResult {
  if (reply.ok) return { ok: true, object: reply.object };
  const { reason, message } = reply;
  return { ok: false, error: { message, ...(reason !== "" && { reason }) } };
}
