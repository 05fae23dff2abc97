import { formatTime } from "@jobset-ts/api";
import {
  asString,
  getNamespace,
  type ObjectMeta,
  resolveGenerateName,
} from "@jobset-ts/api/kubernetes";
import { withMembers, withoutMember } from "../with-members.ts";
import type { RequestedObject, ServerRejection, ServerReply } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";
import { alreadyExists, invalid, notFound } from "./rejections.ts";
import type { RequestExecution } from "./request-execution.ts";
import { deepFreeze } from "./stored-values.ts";

const NAME_ATTEMPTS = 8;

/** Creates an object, under a generated name if it has none. */
export function createObject(
  serving: RequestExecution,
  rules: KindRules,
  requested: RequestedObject,
): ServerReply {
  const decoded = deepFreeze(withoutSystemMembers(rules, requested));
  const { server } = serving;
  const mutated = server.mutate(rules.applyDefaults?.(decoded, server) ?? decoded, undefined);
  if (!mutated.ok) return mutated;
  const { metadata } = mutated.object;
  const prefix = asString(metadata.name) === "" ? asString(metadata.generateName) : "";
  let rejection: ServerRejection | undefined;
  for (let attempt = 0; attempt < (prefix === "" ? 1 : NAME_ATTEMPTS); attempt++) {
    const name =
      prefix === ""
        ? asString(metadata.name)
        : resolveGenerateName(prefix, serving.server.nameSuffix(prefix, attempt));
    const existing = serving.server.objects.get(rules.kind, getNamespace(mutated.object), name);
    if (existing === undefined) return storeNewObject(serving, rules, mutated.object, name);
    const isBeingDeleted = existing.metadata.deletionTimestamp !== undefined;
    rejection = alreadyExists(rules, name, { isBeingDeleted, wasGenerated: prefix !== "" });
  }
  return rejection ?? notFound(rules, "");
}

/** Sets the server-assigned fields of a new object, validates it and stores it. */
function storeNewObject(
  serving: RequestExecution,
  rules: KindRules,
  mutated: Stored,
  name: string,
): ServerReply {
  // A run creates thousands of objects, and an immer draft for each would dominate the run time.
  const metadata = withMembers(mutated.metadata, {
    name,
    uid: serving.newUid(),
    creationTimestamp: formatTime(serving.server.now),
    ...(rules.countsGenerations && { generation: 1 }),
  });
  const created = deepFreeze(withMembers(withoutStatus(rules, mutated), { metadata }));
  const object = rules.prepare?.(created) ?? created;
  const errors = rules.validateCreate?.(object, serving.server) ?? [];
  if (errors.length > 0) return invalid(rules, name, errors);
  const denial = serving.server.validate(object, undefined);
  return denial ?? { ok: true, object: serving.commit(undefined, object) };
}

/** Returns a new object without the fields that only the server writes. */
function withoutSystemMembers(rules: KindRules, requested: RequestedObject): Stored {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    ...metadata
  } = (requested.metadata ?? {}) as Partial<ObjectMeta> & Record<string, unknown>;
  const { apiVersion, kind } = rules;
  const members = { apiVersion, kind, metadata: metadata as ObjectMeta };
  return withoutStatus(rules, withMembers(requested as unknown as Stored, members));
}

/** Removes the status from a new object. Clients and webhooks can set it only for some kinds. */
function withoutStatus({ hasStatus, isCreatedWithStatus }: KindRules, object: Stored): Stored {
  if (!hasStatus || isCreatedWithStatus || object.status === undefined) return object;
  return withoutMember(object, "status");
}
