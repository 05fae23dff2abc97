import type { Untyped } from "../edit.ts";
import {
  type CreateController,
  interceptRequests,
  readObject,
  replaceRequests,
  runBefore,
} from "../wrapped-controllers.ts";
import { changeCreated, createEventRequest, identify, readJobSet } from "./controller-parts.ts";

/** Correct controllers that write more objects, Events or annotations than ours. */
export const additionalRequests: Readonly<Record<string, CreateController>> = {
  "that sets last-applied-configuration on created objects": changeCreated((object) => {
    const key = "metacontroller.k8s.io/last-applied-configuration";
    const annotations = { ...object.metadata.annotations, [key]: JSON.stringify(object.spec) };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }),
  "that annotates Jobs after it has created them": () =>
    replaceRequests(async (one, client) => {
      if (one.verb !== "create" || one.object.kind !== "Job") return [one];
      const outcome = await client.send(one);
      if (!outcome.ok) return [one];
      const object = identify(one);
      object.metadata.annotations = { "acme.com/hash": "0" };
      return [{ verb: "patch", object }];
    }),
  "that reports each Job in an Event about the Job": reportJobs("batch/v1 Job"),
  "that reports each Job in an Event about the JobSet": reportJobs(
    "jobset.x-k8s.io/v1alpha2 JobSet",
  ),
  "that reports rejected creations with its own message": changeCreated(
    (object) => object,
    (event) => ({ ...event, message: "an object is missing" }),
  ),
  "that creates a ConfigMap for each JobSet": createForEachJobSet("v1 ConfigMap", "hosts", {
    data: { hosts: "" },
  }),
  "that creates a NetworkPolicy for each JobSet": createForEachJobSet(
    "networking.k8s.io/v1 NetworkPolicy",
    "pods",
    { spec: { podSelector: {} } },
  ),
  "that creates a PodDisruptionBudget for each JobSet": createForEachJobSet(
    "policy/v1 PodDisruptionBudget",
    "pods",
    { spec: { minAvailable: "100%" } },
  ),
  "that creates a second Service for each JobSet": createForEachJobSet("v1 Service", "metrics", {
    spec: { clusterIP: "None", ports: [{ name: "metrics", port: 9090 }] },
  }),
};

/** Our controller creates one more object for each JobSet. */
function createForEachJobSet(type: string, suffix: string, members: object): CreateController {
  const [apiVersion = "", kind = ""] = type.split(" ");
  return runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    if (jobSet === undefined) return;
    const { namespace } = pass;
    const name = `${pass.name}-${suffix}`;
    if ((await readObject(client, kind, namespace, name)) !== undefined) return;
    const { uid } = jobSet.metadata;
    const owner = { apiVersion: jobSet.apiVersion, kind: jobSet.kind, name: pass.name, uid };
    const metadata = { namespace, name, ownerReferences: [owner] };
    await client.create({ apiVersion, kind, metadata, ...members });
  });
}

/** Our controller creates an Event about each Job that it creates. */
function reportJobs(type: string): CreateController {
  return () =>
    interceptRequests(async (request, client, pass) => {
      const outcome = await client.send(request);
      const isCreated = outcome.ok && request.verb === "create" && request.object.kind === "Job";
      const about = type.endsWith(" Job") ? (request.object.metadata as Untyped) : pass;
      const text = { type: "Normal", reason: "JobCreated", message: "a Job is created" };
      if (isCreated) await client.create(createEventRequest(type, about, text).object);
      return outcome;
    });
}
