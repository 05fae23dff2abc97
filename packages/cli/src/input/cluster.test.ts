import { describe, expect, it } from "vitest";
import { createCluster, readCluster } from "./cluster.ts";

function clusterIn(text: string) {
  const readFile = async () => new TextEncoder().encode(text);
  return readCluster(["c.yaml"], { readFile, readStdin: readFile, readFolder: async () => [] });
}

describe("readCluster", () => {
  it("puts objects that name no namespace where a server would", async () => {
    const { snapshot } = await clusterIn(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n",
    );
    expect(snapshot?.pod("default", "a")).toBeDefined();
    expect(snapshot?.node("node-a")).toBeDefined();
    const named = await clusterIn(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\n",
    );
    expect(named.snapshot?.pod("ml", "a")).toBeDefined();
  });

  it("files without PersistentVolumeClaims mean that there are none, but files without Pods do not", async () => {
    const { snapshot } = createCluster([]);
    const readings = ["PersistentVolumeClaim", "Pod"].map(
      (kind) => snapshot?.kindStatus(kind).outcome,
    );
    expect(readings).toEqual(["Read", "NotRead"]);
  });

  it("is none when an object cannot be held", async () => {
    const { snapshot, diagnostics } = await clusterIn("apiVersion: v1\nkind: Pod\nmetadata: 5\n");
    expect(snapshot).toBeUndefined();
    expect(diagnostics).toMatchObject([{ file: "c.yaml", field: "metadata" }]);
  });
});
