import { describe, expect, it } from "vitest";
import { createCluster, readCluster } from "./cluster.ts";

function readTestCluster(text: string) {
  const readFile = async () => new TextEncoder().encode(text);
  return readCluster(["c.yaml"], { readFile, readStdin: readFile, readFolder: async () => [] });
}

describe("readCluster", () => {
  it("readCluster adds the default namespace to objects without one, as a server would", async () => {
    const { snapshot } = await readTestCluster(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n",
    );
    expect(snapshot?.pod("default", "a")).toBeDefined();
    expect(snapshot?.node("node-a")).toBeDefined();
    const named = await readTestCluster(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\n",
    );
    expect(named.snapshot?.pod("ml", "a")).toBeDefined();
  });

  it("readCluster treats missing PersistentVolumeClaims as none, but missing Pods as unknown", async () => {
    const { snapshot } = createCluster([]);
    const readings = ["PersistentVolumeClaim", "Pod"].map(
      (kind) => snapshot?.kindStatus(kind).outcome,
    );
    expect(readings).toEqual(["Read", "NotRead"]);
  });

  it("readCluster returns no snapshot if an object is invalid", async () => {
    const { snapshot, diagnostics } = await readTestCluster(
      "apiVersion: v1\nkind: Pod\nmetadata: 5\n",
    );
    expect(snapshot).toBeUndefined();
    expect(diagnostics).toMatchObject([{ file: "c.yaml", field: "metadata" }]);
  });
});
