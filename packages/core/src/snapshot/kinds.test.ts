import { expect, it } from "vitest";
import { SNAPSHOT_KINDS } from "./kinds.ts";

it("the kinds of a snapshot have the API versions of a real API server", () => {
  const served = [...SNAPSHOT_KINDS].map(([name, { apiVersion, kind, isNamespaced }]) => {
    expect(kind).toBe(name);
    return `${apiVersion} ${kind}${isNamespaced ? "" : ", of the cluster"}`;
  });
  expect(served).toEqual([
    "jobset.x-k8s.io/v1alpha2 JobSet",
    "batch/v1 Job",
    "v1 Pod",
    "v1 Service",
    "v1 PersistentVolumeClaim",
    "v1 Node, of the cluster",
    "v1 Event",
  ]);
});
