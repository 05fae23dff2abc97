// Recorded clusters with secrets, as responses of the fake kubectl.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type LiveKind, liveResources } from "../resources.ts";
import type { FakeKubectlResult } from "./fake-kubectl.ts";

/** An object of a recorded cluster. */
export interface Stored {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** A value that no output may contain. */
export const SECRET = "hunter2hunter2";

/** Returns the objects of a recorded cluster. Each container and object has a secret. */
export function readObjects(name: string): readonly Stored[] {
  const url = new URL(`../../testdata/dumps/${name}.json.gz`, import.meta.url);
  const text = gunzipSync(readFileSync(url))
    .toString()
    .replace(
      /"containers":\s*\[\s*\{/g,
      `$&"env":[{"name":"TOKEN","value":"${SECRET}"}],"args":["--key=${SECRET}"],`,
    );
  const { items } = JSON.parse(text) as { readonly items: readonly Stored[] };
  return items.map((object) => {
    const annotations = {
      "example.com/note": `see ${SECRET}`,
      [LAST_APPLIED]: `{"a":"${SECRET}"}`,
    };
    const { metadata } = object as { readonly metadata: { readonly annotations?: object } };
    return {
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { ...metadata.annotations, ...annotations },
        managedFields: [{ manager: "kubectl" }],
      },
    };
  });
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The kinds that a diagnosis reads. */
export const kinds = Object.keys(liveResources) as LiveKind[];

/** Returns the resource of a kind and its version in a cluster where the server prefers `v1beta2`. */
export function getServed(kind: LiveKind) {
  const found: { resource: string; apiVersion?: string; group?: string } = liveResources[kind];
  const { resource, group, apiVersion = `${group}/v1beta2` } = found;
  const [prefix] = apiVersion.includes("/") ? apiVersion.split("/") : [];
  return { resource, apiVersion, key: prefix === undefined ? resource : `${resource}.${prefix}` };
}

/** Returns kubectl's responses for a cluster with these objects. */
export function createResponses(
  objects: readonly Stored[],
  served: readonly LiveKind[] = kinds,
): Record<string, FakeKubectlResult> {
  const lists = kinds.map((kind): [string, FakeKubectlResult] => [
    getServed(kind).key,
    { items: objects.filter((object) => object.kind === kind) },
  ]);
  const rows = served.map((kind) => {
    const { resource, apiVersion } = getServed(kind);
    return `${resource}   ${resource.slice(0, 2)}   ${apiVersion}   true   ${kind}\n`;
  });
  return { ...Object.fromEntries(lists), "api-resources": { prints: rows.join("") } };
}

/** Returns a List of objects as JSON. */
export const list = (items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** A time after the recordings. */
export const now = Date.parse("2026-11-22T00:00:00Z");

/** The response of kubectl for a resource that it may not list. */
export const forbidden = (resource: string, group = "", where = "at the cluster scope") => ({
  says: `Error from server (Forbidden): ${resource} is forbidden: User "eve" cannot list resource "${resource}" in API group "${group}" ${where}\n`,
});

/** The objects of a recorded cluster. */
export const pool = readObjects("s01-pool-slice");
