import { type RequiredObject, readRequestFor } from "@jobset-ts/admission";
import type { Snapshot } from "@jobset-ts/core";
import { K8s, kind } from "pepr";

/**
 * Reads what an answer depends on from the API server, with the rights of Pepr's service account.
 *
 * @throws what the API server answers, save that there is no such object
 */
export async function read(
  snapshot: Snapshot,
  required: readonly RequiredObject[],
): Promise<Snapshot> {
  return snapshot.with({ put: await Promise.all(required.map(readOne)) });
}

async function readOne(required: RequiredObject): Promise<object> {
  const request = readRequestFor(required);
  const { apiVersion, kind: name } = required;
  // An empty list says that there is none, which is not the same as not having looked.
  const none = { apiVersion, kind: `${name}List`, items: [] };
  if (request.action !== "Get") return none;
  try {
    return await K8s(kind.GenericKind).Raw(request.path);
  } catch (answer) {
    const { status, statusText } = answer as {
      readonly status?: number;
      readonly statusText?: string;
    };
    if (status === 404) return none;
    throw new Error(`GET ${request.path}: ${status} ${statusText}`);
  }
}
