import { describe, expect, it } from "vitest";
import { JobCluster } from "./testing/job-cluster.ts";

/** A Service with the owners that are named, each of a kind. */
function owned(cluster: JobCluster, name: string, owners: readonly Owner[]): void {
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

interface Found {
  readonly metadata: {
    readonly ownerReferences?: readonly { readonly name: string }[];
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
}

const find = (cluster: JobCluster, name: string) => cluster.get<Found>(name, "Service");

/** Keeps an object from going. */
function hold(cluster: JobCluster, name: string, finalizers: readonly string[] | null): void {
  const metadata = { name, namespace: "ns", finalizers: finalizers as string[] };
  cluster.request({ verb: "patch", object: { kind: "Service", metadata } });
}

describe("the garbage collector", () => {
  it("deletes what has lost its last owner, down the chain", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "b", [{ name: "a" }]);
    owned(cluster, "c", [{ name: "b" }]);
    cluster.delete("Background", "a", "Service");
    expect(find(cluster, "b")).toBeDefined();
    cluster.run(1);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("deletes what never had an owner, and what has one of another UID", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "b", [{ name: "a", uid: "another" }]);
    owned(cluster, "c", [{ name: "nobody" }]);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("only strips the owner that is gone where another one lives", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "b", []);
    owned(cluster, "c", [{ name: "a" }, { name: "b" }]);
    cluster.delete("Background", "a", "Service");
    cluster.run(1);
    expect(find(cluster, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
    cluster.delete("Foreground", "b", "Service");
    cluster.run(1);
    expect([find(cluster, "b"), find(cluster, "c")]).toEqual([undefined, undefined]);
  });

  it("strips the owner that waits where another one lives, and lets it go", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "b", []);
    owned(cluster, "c", [{ name: "a" }, { name: "b" }]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(1);
    expect(find(cluster, "a")).toBeUndefined();
    expect(find(cluster, "c")?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(["b"]);
  });

  it("lets an owner wait for what blocks it, and for nothing else", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "held", [{ name: "a" }]);
    owned(cluster, "loose", [{ name: "a", blocks: false }]);
    hold(cluster, "held", ["x.io/hold"]);
    hold(cluster, "loose", ["x.io/hold"]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(5);
    expect(find(cluster, "a")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(find(cluster, "held")?.metadata.deletionTimestamp).toBeDefined();
    hold(cluster, "held", null);
    cluster.run(5);
    expect([find(cluster, "a"), find(cluster, "held")]).toEqual([undefined, undefined]);
    expect(find(cluster, "loose")?.metadata.deletionTimestamp).toBeDefined();
  });

  it("the garbage collector deletes dependents with dependents in the foreground", () => {
    const cluster = new JobCluster();
    owned(cluster, "a", []);
    owned(cluster, "b", [{ name: "a" }]);
    owned(cluster, "c", [{ name: "b" }]);
    hold(cluster, "c", ["x.io/hold"]);
    cluster.delete("Foreground", "a", "Service");
    cluster.run(5);
    expect(find(cluster, "b")?.metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect(find(cluster, "a")).toBeDefined();
    hold(cluster, "c", null);
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
    owned(cluster, "a", []);
    owned(cluster, "b", [{ name: "a" }]);
    cluster.delete("Foreground", "a", "Service");
    expect(cluster.rest(50)).toBe(true);
  });
});
