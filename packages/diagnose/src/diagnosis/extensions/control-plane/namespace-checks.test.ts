import { describe, expect, it } from "vitest";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  diagnoseCluster,
  listJobs,
  type Wire,
} from "../../testing/a-diagnosed-cluster.ts";

const deletionTimestamp = "2026-02-07T09:00:00Z";
const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
const [job] = listJobs(jobSet);
const REJECTED =
  'Error creating: pods "js-w-0-0-" is forbidden: unable to create new content in namespace ml because it is being terminated';
const rejected = [jobSet, createService(jobSet), job, anEvent(job, "FailedCreate", REJECTED)];

function createNamespace(conditions: readonly Wire[] = [], deletedAt = deletionTimestamp): Wire {
  const metadata = { name: "ml", deletionTimestamp: deletedAt };
  return { apiVersion: "v1", kind: "Namespace", metadata, status: { conditions } };
}

function isTrue(type: string, message: string): Wire {
  return { type, status: "True", reason: "Some", message };
}

function deleted(object: Wire, finalizers: readonly string[]): Wire {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp, finalizers } };
}

function findRoots(objects: readonly Wire[]) {
  const { status, roots } = diagnoseCluster(objects);
  return {
    status,
    ids: roots.map(({ id }) => id),
    message: roots[0]?.message,
    advice: roots[0]?.texts?.advice?.join(),
  };
}

describe("namespace-deleting", () => {
  it("the deletion of the namespace is the reason why Pods are rejected", () => {
    const { status, ids, message, advice } = findRoots([...rejected, createNamespace()]);
    expect({ status, ids }).toEqual({ status: "Stuck", ids: ["namespace-deleting"] });
    expect(message).toBe("namespace ml is being deleted");
    expect(advice).toContain("recreate JobSet js in a namespace that is not being deleted");
  });

  it.each([
    [
      "NamespaceDeletionDiscoveryFailure",
      "stale GroupVersion discovery: metrics.k8s.io/v1beta1",
      "kubectl get apiservices",
    ],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      "unexpected GroupVersion string: a/b/c",
      "kubectl get apiservices",
    ],
    [
      "NamespaceDeletionContentFailure",
      "unexpected items still remain",
      "the namespace controller retries",
    ],
    [
      "NamespaceDeletionContentFailure",
      'failed calling webhook "g": Post "https://guard.policy.svc:443/": no endpoints available for service "guard"',
      "repair the Pods of Service guard in namespace policy",
    ],
  ])(
    "%s is the reason why the deletion fails, also after the JobSet was deleted: %s",
    (type, text, expected) => {
      const namespace = createNamespace([
        isTrue("NamespaceContentRemaining", "jobs"),
        isTrue(type, text),
      ]);
      for (const cluster of [rejected, [deleted(jobSet, ["foregroundDeletion"]), job]]) {
        const { status, ids, message, advice } = findRoots([...cluster, namespace]);
        expect({ status, ids }).toEqual({ status: "Stuck", ids: ["namespace-deleting"] });
        expect(message).toBe(`namespace ml is being deleted, but its deletion fails: ${text}`);
        expect(advice).toContain(expected);
      }
    },
  );

  it("a finalizer of the JobSet is the reason for the remaining namespace", () => {
    const remaining = isTrue(
      "NamespaceFinalizersRemaining",
      "a.example.com/b in 1 resource instances",
    );
    const kept = deleted(jobSet, ["a.example.com/b"]);
    expect(findRoots([kept, createNamespace([remaining])]).ids).toEqual(["jobset-finalizer"]);
  });

  it("remaining finalizers of other objects make a deleted JobSet wait", () => {
    const text = "a.example.com/b in 1 resource instances";
    const namespace = createNamespace([isTrue("NamespaceFinalizersRemaining", text)]);
    const found = findRoots([deleted(jobSet, ["foregroundDeletion"]), job, namespace]);
    expect(found).toMatchObject({ status: "Waiting", ids: ["namespace-deleting"] });
    expect(found.message).toBe(`namespace ml is being deleted, which waits: ${text}`);
  });

  it("a deletion that has just started makes a JobSet wait", () => {
    const young = createNamespace([], "2026-02-07T09:55:01Z");
    expect(findRoots([...rejected, young]).status).toBe("Waiting");
  });

  it("a namespace in which the Pods still run is not a root", () => {
    const cluster = [jobSet, createService(jobSet), job, createPod(job, 0), aNodeIn("r1")];
    const others = findRoots(cluster);
    expect(findRoots([...cluster, createNamespace()])).toEqual(others);
    expect(others.ids).toEqual([]);
  });
});
