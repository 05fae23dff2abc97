import { createReadRequest, type RequiredObject } from "@jobset-ts/admission";
import type { Snapshot } from "@jobset-ts/core";
import { K8s, kind } from "pepr";

/**
 * Reads the objects that a decision depends on from the API server, with the permissions of Pepr's service account.
 *
 * @throws any error of the API server except that the object does not exist
 */
export async function read(
  snapshot: Snapshot,
  required: readonly RequiredObject[],
): Promise<Snapshot> {
  return snapshot.with({ put: await Promise.all(required.map(readOne)) });
}

async function readOne(required: RequiredObject): Promise<object> {
  const request = createReadRequest(required);
  const { apiVersion, kind: name } = required;
  // An empty list means that there are no objects. That differs from a kind that was not read.
  const none = { apiVersion, kind: `${name}List`, items: [] };
  if (request.action !== "Get") return none;
  try {
    return await K8s(kind.GenericKind).Raw(request.path);
  } catch (response) {
    const { status, statusText } = response as {
      readonly status?: number;
      readonly statusText?: string;
    };
    if (status === 404) return none;
    throw new Error(`GET ${request.path}: ${status} ${statusText}`);
  }
}
