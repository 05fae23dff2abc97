import { asString, getName, type ObjectMeta } from "@jobset-ts/api/kubernetes";
import { withMembers, withoutMember } from "../with-members.ts";
import type { ServerReply } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";
import { invalid, resourceVersionConflict } from "./rejections.ts";
import { type RequestExecution, storeVersion } from "./request-execution.ts";
import { deepFreeze, shareUnchanged } from "./stored-values.ts";

/** Updates an object or its status. */
export function updateObject(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  requested: Stored,
  subresource: "status" | undefined,
): ServerReply {
  const name = getName(stored);
  const version = asString(requested.metadata?.resourceVersion);
  if (version !== "" && version !== stored.metadata.resourceVersion) {
    return resourceVersionConflict(rules, name);
  }
  const written =
    subresource === "status"
      ? mergeStatusWrite(rules, stored, requested)
      : mergeMainWrite(
          rules,
          stored,
          rules.applyDefaults?.(requested, serving.server) ?? requested,
        );
  // Equal parts are shared, so identity is enough.
  const isSpecChanged = written.spec !== stored.spec;
  const after =
    isSpecChanged && rules.countsGenerations
      ? deepFreeze(
          withMembers(written, {
            metadata: withMembers(written.metadata, {
              generation: (written.metadata.generation ?? 0) + 1,
            }),
          }),
        )
      : written;
  const errors =
    (subresource === "status"
      ? rules.validateStatus?.(after, stored, serving.server)
      : rules.validateUpdate?.(after, stored, serving.server)) ?? [];
  if (errors.length > 0) return invalid(rules, name, errors);
  // Status writes skip the webhooks.
  const denial = subresource === "status" ? undefined : serving.server.validate(after, stored);
  if (denial !== undefined) return denial;
  return { ok: true, object: storeVersion(serving, stored, after) };
}

/** Merges an update of the main resource. It keeps the status and the fields that only the server writes. */
function mergeMainWrite(rules: KindRules, stored: Stored, requested: Stored): Stored {
  const { apiVersion, kind } = stored;
  const metadata = mergeMetadata(stored, requested);
  const { status } = rules.hasStatus ? stored : requested;
  return shareUnchanged(stored, withStatus(requested, { apiVersion, kind, metadata, status }));
}

/**
 * Merges a status update. It keeps the spec. A built-in kind also accepts changes of user metadata. Returns the stored
 * object if nothing changes.
 */
function mergeStatusWrite(rules: KindRules, stored: Stored, requested: Stored): Stored {
  const status = shareUnchanged(stored.status, requested.status);
  const metadata = rules.isCustomResource
    ? stored.metadata
    : shareUnchanged(stored.metadata, mergeMetadata(stored, requested));
  return status === stored.status && metadata === stored.metadata
    ? stored
    : Object.freeze(withStatus(stored, { status, metadata }));
}

/** Returns an object with other members. An undefined status is absent. */
function withStatus(
  object: Stored,
  members: Partial<Stored> & { readonly status: unknown },
): Stored {
  const next = withMembers(object, members) as Stored;
  return members.status === undefined ? withoutMember(next, "status") : next;
}

/** Merges the metadata of an update. The system metadata does not change. */
function mergeMetadata(stored: Stored, { metadata }: Stored): ObjectMeta {
  return metadata === stored.metadata
    ? metadata
    : withMembers(metadata, pickSystemMetadata(stored));
}

const SYSTEM_METADATA = [
  "name",
  "namespace",
  "generateName",
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
] as const;

function pickSystemMetadata({ metadata }: Stored): Partial<ObjectMeta> {
  const members: Record<string, unknown> = {};
  for (const name of SYSTEM_METADATA) {
    if (metadata[name] !== undefined) members[name] = metadata[name];
  }
  return members;
}
