// The clusters of the examples, as responses of the fake kubectl.
import { readFileSync } from "node:fs";
import { readYamlDocuments } from "../../input/yaml-documents.ts";
import type { FakeKubectlResult } from "./fake-kubectl.ts";

/** An object of an example. */
interface ExampleObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Returns the objects of an example. Each container has a secret in its environment. */
export function listObjects(example: string): readonly ExampleObject[] {
  const url = new URL(`../../../../../examples/${example}/cluster.yaml`, import.meta.url);
  const text = readFileSync(url, "utf8").replace(
    /^( +)- (name: \S+)\n( +)(image: )/gm,
    "$1- $2\n$3env: [{name: TOKEN, value: hunter2}, {name: SEED, value: hunter2}]\n$3$4",
  );
  const objects = readYamlDocuments(text).flatMap(({ value }) => {
    const { items = [value] } = value as { items?: readonly unknown[] };
    return items as ExampleObject[];
  });
  if (!JSON.stringify(objects).includes("hunter2")) throw new Error(`${example} has no secret`);
  return objects;
}

/** The resources of the listed kinds, as kubectl names them. */
export const resources: Readonly<Record<string, string>> = {
  JobSet: "jobsets.jobset.x-k8s.io",
  Job: "jobs.batch",
  Service: "services",
  PersistentVolumeClaim: "persistentvolumeclaims",
  Pod: "pods",
  Node: "nodes",
  Event: "events",
};

/** Returns kubectl's responses for a cluster with these objects. */
export function createCluster(
  objects: readonly ExampleObject[],
): Record<string, FakeKubectlResult> {
  return Object.fromEntries(
    Object.entries(resources).map(([kind, resource]) => [
      resource,
      { items: objects.filter((object) => object.kind === kind) },
    ]),
  );
}

/** The objects of the example `restart`. */
export const restart = listObjects("restart");

/** The objects of the example `leader-pending`. */
export const pending = listObjects("leader-pending");

/** Returns a List of objects as JSON. */
export const list = (items: readonly object[]) =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** The follower Pod of the example `leader-pending`. */
export const follower = readFileSync(
  new URL("../../../../../examples/leader-pending/follower.yaml", import.meta.url),
  "utf8",
);

/** The resource of JobSets. */
export const jobSets = resources.JobSet ?? "";

/** The path of the JobSets in namespace `ml`. */
export const jobSetPath = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/ml/jobsets";

/** The path of the CustomResourceDefinition of JobSets. */
export const definitions =
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldSelector=metadata.name%3Djobsets.jobset.x-k8s.io";
