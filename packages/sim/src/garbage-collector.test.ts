import { describe, expect, it } from "vitest";
import { JobCluster } from "./testing/job-cluster.ts";

/** Creates a Service with owners of the given kinds. */
function createOwnedService(cluster: JobCluster, name: string, owners: readonly Owner[]): void {
  const ownerReferences = owners.map(({ kind = "Service", name: owner, uid, blocks }) => ({
    apiVersion: "v1",
    kind,
    name: owner,
    uid: uid ?? cluster.get<{ metadata: { uid: string } }>(owner, kind)?.metadata.uid ?? "none",
    blockOwnerDeletion: blocks ?? true,
  }));
  const metadata = { name, namespace: "ns", ...(owners.length > 0 && { ownerReferences }) };
  cluster.request({ verb: "create", object: { kind: "Service", metadata } });
  cluster.run(1);
}

interface Owner {
  readonly kind?: string;
  readonly name: string;
  readonly uid?: string;
  readonly blocks?: boolean;
}

interface StoredObject {
  readonly metadata: {
    readonly ownerReferences?: readonly { readonly name: string }[];
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
}

const find = (cluster: JobCluster, name: string) => cluster.get<StoredObject>(name, "Service");

/** Sets the finalizers of an object, which block its deletion. */
function setFinalizers(
  cluster: JobCluster,
  name: string,
  finalizers: readonly string[] | null,
): void {
  const metadata = { name, namespace: "ns", finalizers: finalizers as string[] };
  cluster.request({ verb: "patch", object: { kind: "Service", metadata } });
}

describe("garbageCollector", () => {
  it("the garbage collector deletes objects without an owner, level by level", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", [{ name: "a" }]);
    createOwnedService(cluster, "c", [{ name: "b" }]);
    cluster.delete("Background", "a", "Service");
    expect(find(cluster, "b")).toBeDefined();
    cluster.run(1);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("the garbage collector deletes objects whose owner never existed or has another UID", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", [{ name: "a", uid: "another" }]);
    createOwnedService(cluster, "c", [{ name: "missing" }]);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("the garbage collector only removes the reference to a deleted owner if another owner exists", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", []);
    createOwnedService(cluster, "c", [{ name: "a" }, { name: "b" }]);
    cluster.delete("Background", "a", "Service");
    cluster.run(1);
    expect(find(cluster, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
    cluster.delete("Foreground", "b", "Service");
    cluster.run(1);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("the garbage collector removes the reference to a waiting owner if another owner exists, and then deletes the waiting one", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", []);
    createOwnedService(cluster, "c", [{ name: "a" }, { name: "b" }]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(1);
    expect(find(cluster, "a")).toBeUndefined();
    expect(find(cluster, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
  });

  it("an owner in foreground deletion waits only for dependents with blockOwnerDeletion", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "held", [{ name: "a" }]);
    createOwnedService(cluster, "loose", [{ name: "a", blocks: false }]);
    setFinalizers(cluster, "held", ["x.io/hold"]);
    setFinalizers(cluster, "loose", ["x.io/hold"]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(5);
    expect(find(cluster, "a")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(find(cluster, "held")?.metadata.deletionTimestamp).toBeDefined();
    setFinalizers(cluster, "held", null);
    cluster.run(5);
    expect([find(cluster, "a"), find(cluster, "held")]).toEqual([undefined, undefined]);
    expect(find(cluster, "loose")?.metadata.deletionTimestamp).toBeDefined();
  });

  it("the garbage collector deletes dependents with dependents in the foreground", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", [{ name: "a" }]);
    createOwnedService(cluster, "c", [{ name: "b" }]);
    setFinalizers(cluster, "c", ["x.io/hold"]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(5);
    expect(find(cluster, "b")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(find(cluster, "a")).toBeDefined();
    setFinalizers(cluster, "c", null);
    cluster.run(5);
    expect([find(cluster, "a"), find(cluster, "b")]).toEqual([undefined, undefined]);
  });

  it("dependents are orphaned on request, which is the default for Jobs", () => {
    const cluster = new JobCluster();
    cluster.create({});
    cluster.run(2);
    cluster.delete();
    cluster.run(2);
    expect(cluster.get("j")).toBeUndefined();
    expect(
      cluster.pods.map(({ metadata }) => [metadata.ownerReferences, metadata.finalizers]),
    ).toEqual([[undefined, undefined]]);
  });

  it("the garbage collector becomes idle", () => {
    const cluster = new JobCluster();
    createOwnedService(cluster, "a", []);
    createOwnedService(cluster, "b", [{ name: "a" }]);
    cluster.delete("Foreground", "a", "Service");
    expect(cluster.runUntilIdle(50)).toBe(true);
  });
});
