import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import { expect, it } from "vitest";
import type { ServerRequest } from "../api-server/api-request.ts";
import { Objects } from "../api-server/objects.ts";
import type { RequestNote } from "../jobset-controller/pass-note.ts";
import { childObjectsMatchTheirJobSet } from "./child-object-laws.ts";
import { deletedAndForeignJobSetsAreLeftAlone as law } from "./planner-laws.ts";

const owner = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  name: "train",
  uid: "1",
  controller: true,
};
const jobSet = {
  apiVersion: owner.apiVersion,
  kind: "JobSet",
  metadata: { name: "train", namespace: "ml", uid: "1" },
  spec: { network: { enableDNSHostnames: true }, replicatedJobs: [] },
};
const deleted = {
  ...jobSet,
  metadata: { ...jobSet.metadata, deletionTimestamp: "2026-02-07T10:00:00Z" },
};
const metadata = { name: "train-w-0", namespace: "ml", ownerReferences: [owner] };
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { ...metadata, finalizers: ["acme.com/own", "others.net/audit"] },
  spec: {},
};

function createNote(request: object, ...objects: readonly object[]): RequestNote {
  const pass = { kind: "JobSet", namespace: "ml", name: "train" };
  const snapshot = createSnapshot(objects as KubernetesObject[], { kinds: "all" });
  return { request, pass, snapshot } as unknown as RequestNote;
}

function removeFinalizer(name: string): Partial<ServerRequest> {
  const finalizers = job.metadata.finalizers.filter((one) => one !== name);
  const object = { ...job, metadata: { ...job.metadata, finalizers } };
  return { verb: "update", object } as unknown as Partial<ServerRequest>;
}

it.each([
  ["a finalizer of the controller", removeFinalizer("acme.com/own"), undefined],
  [
    "a finalizer of another client",
    removeFinalizer("others.net/audit"),
    "update of Job train-w-0 for a JobSet that the pass must not touch",
  ],
  [
    "a suspension",
    { verb: "update", object: { ...job, spec: { suspend: true } } },
    "update of Job train-w-0 for a JobSet that the pass must not touch",
  ],
])("the law about deleted JobSets judges %s in an update of a Job", (_, request, message) => {
  const context = { objects: Objects.none, memory: law.memory } as never;
  const own = { ...job, metadata: { ...metadata, finalizers: ["acme.com/own"] } };
  expect(law.onRequest?.(createNote({ verb: "create", object: own }, jobSet), context)).toBe(
    undefined,
  );
  expect(law.onRequest?.(createNote(request, deleted, job), context)).toBe(message);
});

it.each([
  ["without blockOwnerDeletion", owner, undefined],
  ["with another owner", { ...owner, uid: "2" }, "Service train is not controlled by its JobSet"],
])("the law about created objects judges a Service %s", (_, ownerReference, message) => {
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "train", namespace: "ml", ownerReferences: [ownerReference] },
    spec: {
      clusterIP: "None",
      selector: { "jobset.sigs.k8s.io/jobset-name": "train" },
      publishNotReadyAddresses: true,
    },
  };
  const context = { objects: Objects.none, memory: childObjectsMatchTheirJobSet.memory } as never;
  const note = createNote({ verb: "create", object: service }, jobSet);
  expect(childObjectsMatchTheirJobSet.onRequest?.(note, context)).toBe(message);
});
