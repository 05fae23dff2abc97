import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { clusterPath, collectionPath, objectPath } from "./request-path.ts";

/** Every runtime has this API, but the libraries do not use it. */
declare const URL: new (
  url: string,
) => { readonly pathname: string; readonly search: string; readonly hash: string };

const job = { apiVersion: "batch/v1", kind: "Job" };
const pod = { apiVersion: "v1", kind: "Pod" };
const node = { apiVersion: "v1", kind: "Node" };

/** The URL that a client requests for a path, segment by segment; `undefined` if it sends no request. */
function splitSegments(requested: ReturnType<typeof objectPath>): readonly string[] | undefined {
  if (!requested.ok) return undefined;
  const { pathname, search, hash } = new URL(`https://server:6443${requested.path}`);
  expect([search, hash]).toEqual(["", ""]);
  return pathname.split("/").slice(1).map(decodeURIComponent);
}

describe("a path", () => {
  it("request paths address one object, a namespace, or the cluster", () => {
    const key = { ...job, namespace: "ml", name: "train-0" };
    expect(splitSegments(objectPath(key))?.join(" ")).toBe(
      "apis batch v1 namespaces ml jobs train-0",
    );
    expect(splitSegments(collectionPath(key))?.join(" ")).toBe("apis batch v1 namespaces ml jobs");
    expect(clusterPath(job)).toBe("/apis/batch/v1/jobs");
    expect(clusterPath(node)).toBe("/api/v1/nodes");
  });

  it("a path has a namespace unless the kind is cluster-scoped", () => {
    expect(objectPath({ ...node, name: "n1" })).toEqual({ ok: true, path: "/api/v1/nodes/n1" });
    expect(objectPath({ ...node, namespace: "", name: "n1" }).ok).toBe(false);
    expect(collectionPath({ ...pod, namespace: "" }).ok).toBe(false);
  });

  it.each([
    "",
    ".",
    "..",
    "a/b",
    "../secrets",
    "x/eviction",
    "%2e%2e",
    "100%",
    "\ud800",
    "a\udc00b",
  ])("objectPath rejects a name or a namespace of %j", (hostile) => {
    const message = `invalid name of a Pod: ${JSON.stringify(hostile)}`;
    const error = { reason: "Invalid", message };
    expect(objectPath({ ...pod, namespace: "ml", name: hostile })).toEqual({ ok: false, error });
    expect(objectPath({ ...pod, namespace: hostile, name: "a" })).toMatchObject({
      ok: false,
      error: { message: `invalid name of a namespace: ${JSON.stringify(hostile)}` },
    });
    expect(collectionPath({ ...pod, namespace: hostile }).ok).toBe(false);
  });

  it.each([
    "?",
    "#",
    "a?b=c",
    "a b",
    "...",
    "..a",
    "\\..\\",
    ";",
    "\n",
    "é",
    "\u{1f4a5}",
    "a&b",
    "@",
  ])("objectPath escapes a name of %j", (strange) => {
    const key = { ...pod, namespace: strange, name: strange };
    expect(splitSegments(objectPath(key))).toEqual([
      "api",
      "v1",
      "namespaces",
      strange,
      "pods",
      strange,
    ]);
  });

  it("objectPath leads to the named object or nowhere, for any names", () => {
    const names = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom(".", "/", "%", "2", "e", "E", "\\", "?", "#", "\ud800", "a"),
      }),
    );
    const property = fc.property(names, names, (namespace, name) => {
      const segments = splitSegments(objectPath({ ...job, namespace, name }));
      const isName = (text: string) => !["", ".", ".."].includes(text) && !/[/%]/.test(text);
      const wellFormed = namespace.isWellFormed() && name.isWellFormed();
      expect(segments).toEqual(
        wellFormed && isName(namespace) && isName(name)
          ? ["apis", "batch", "v1", "namespaces", namespace, "jobs", name]
          : undefined,
      );
    });
    fc.assert(property, { numRuns: runs(150) });
  });
});
