// Controllers that send wrong requests, or overwrite what belongs to another client or to the API server.

import { JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition } from "@jobset-ts/api/kubernetes";
import { desiredService } from "@jobset-ts/core/desired";
import type { TestApiClient } from "@jobset-ts/testing/reconcile";
import { edit, type Untyped } from "../edit.ts";
import { isControlledBy, readJobSet, replaceKind } from "../right-subjects/controller-parts.ts";
import {
  type CreateController,
  readObject,
  readStored,
  replaceRequests,
  runBefore,
} from "../wrapped-controllers.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";

type Miswrite = (
  value: Untyped,
  context: { readonly parent: Untyped; readonly stored: Untyped },
) => Untyped;

/**
 * The controller writes other values.
 *
 * @param kind - of the requests, such as `update JobSet/status`
 * @param path - in the object of a request
 * @param change - returns the value to write; `stored` is the object in the cluster
 */
function miswrite(kind: string, path: string, change: Miswrite): CreateController {
  return replaceKind(kind, async (request, client) => {
    const stored = (await readStored(request, client)) ?? {};
    const object = structuredClone(request.object);
    edit(object, path, (value, parent) => change(value, { parent, stored }));
    return { ...request, object };
  });
}

const omit = (kind: string, path: string) => miswrite(kind, path, () => undefined);
const addStatus = (kind: string, status: object) =>
  miswrite(`create ${kind}`, "status", () => status);
const miswriteStatus = (path: string, change: Miswrite) =>
  miswrite("update JobSet/status", `status${path}`, change);

const isJobSetCondition = (type: string) =>
  /^(Completed|Failed|Suspended|RestartingJobSet|StartupPolicy(InProgress|Completed))$/.test(type);
const keepConditions = (isKept: (type: string) => boolean) =>
  miswriteStatus(".conditions.*", (one) => (isKept(one.type) ? one : undefined));
const keepMetadata = (member: string, isKept: (key: string, value: unknown) => boolean) =>
  miswrite("update Job", `metadata.${member}`, (all = {}) =>
    Object.fromEntries(Object.entries(all).filter(([key, value]) => isKept(key, value))),
  );

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const countJobRestarts = (status: Untyped) =>
  sum(
    asArray<Untyped>(status?.replicatedJobsStatus).flatMap((one) =>
      asArray<number>(one.jobRestarts),
    ),
  );

const replaceMetadata = (members: object) =>
  runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    if (jobSet) await client.update({ ...jobSet, metadata: { ...jobSet.metadata, ...members } });
  });

/** The controller writes its objects again, with only the members that JobSet sets. */
const replaceOwnObjects = (kind: string) =>
  runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    for (const object of (await client.list(kind, pass.namespace)) as Untyped[]) {
      const { namespace, name, ownerReferences } = object.metadata;
      const { ports: _ports, volumeName: _volumeName, ...spec } = object.spec;
      if (isControlledBy(object, jobSet))
        await client.update({ ...object, metadata: { namespace, name, ownerReferences }, spec });
    }
  });

/** The controller changes the Service of its JobSet's subdomain although another JobSet owns it. */
const takeOverService = (
  take: (client: TestApiClient, service: Untyped, desired: Untyped) => Promise<unknown>,
) =>
  runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    const desired: Untyped = desiredService(jobSet);
    if (desired === undefined) return;
    const service = await readObject(client, "Service", pass.namespace, desired.metadata.name);
    if (service && !isControlledBy(service, jobSet)) await take(client, service, desired);
  });

const defects: DefectsByLaw<CreateController> = {
  deletionsWaitForPods: {
    "B21 deletes Jobs in the background": () =>
      replaceRequests((one) => [
        one.verb === "delete" ? { ...one, propagationPolicy: "Background" } : one,
      ]),
  },
  jobsAreSuspendedAndResumed: {
    "does not suspend Jobs without a ready Pod": replaceKind("update Job", async (one, client) => {
      const { spec } = one.object as Untyped;
      const isSent = !spec.suspend || (await readStored(one, client)).status?.ready;
      return isSent ? one : [];
    }),
  },
  singleRestartsAreCounted: {
    "counts the restart of a single Job for the first Job": miswriteStatus(
      ".replicatedJobsStatus.*.jobRestarts",
      (counts) => counts?.map((_: number, index: number) => (index === 0 ? sum(counts) : 0)),
    ),
  },
  restartsCountTowardsTheLimit: {
    "B39 counts restarts of single Jobs towards the limit": miswriteStatus(
      "",
      (status, { stored }) => {
        const { restartsCountTowardsMax: count = 0 } = status;
        return countJobRestarts(status) > countJobRestarts(stored.status)
          ? { ...status, restartsCountTowardsMax: count + 1 }
          : status;
      },
    ),
  },
  conditionsMatchTheState: {
    "adds a condition that is False": miswriteStatus(".conditions", (all) => {
      const condition = { type: "Suspended", status: "False", reason: "ResumeJobs", message: "" };
      return findCondition<Untyped>(all, "Suspended")
        ? all
        : [...asArray(all), { ...condition, lastTransitionTime: "2026-02-07T10:00:00Z" }];
    }),
  },
  createdJobsMatchTheirTemplate: {
    "creates Jobs with a status": addStatus("Job", { active: 1, ready: 1 }),
    "creates Jobs that have completed": addStatus("Job", {
      conditions: [{ type: "Complete", status: "True" }],
    }),
  },
  createdPodsUseTheirService: {
    "B54 creates Pods without a default subdomain": miswrite(
      "create Job",
      "spec.template",
      ({ metadata, spec: { subdomain, ...spec } }) => {
        const isDefault = subdomain === metadata.labels[JOBSET_NAME_KEY];
        return { metadata, spec: isDefault ? spec : { ...spec, subdomain } };
      },
    ),
    "B90b creates Pods whose subdomain is the name of the JobSet": miswrite(
      "create Job",
      "spec.template",
      ({ metadata, spec }) => ({
        metadata,
        spec: { ...spec, subdomain: spec.subdomain && metadata.labels[JOBSET_NAME_KEY] },
      }),
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "B91 creates Services without an owner": omit("create Service", "metadata.ownerReferences"),
  },
  createdObjectsHaveJobSetLabels: {
    "B11 creates Job keys without the namespace": miswrite(
      "create Job",
      "metadata.labels",
      (labels, { parent }) => ({ ...labels, [JOB_KEY_KEY]: parent.name }),
    ),
  },
  servicesFindTheJobSetsPods: {
    "B90a creates Services that select other Pods": miswrite(
      "create Service",
      "spec.selector",
      (selector) => ({ "jobset-name": selector[JOBSET_NAME_KEY] }),
    ),
    "creates Services with a status": addStatus("Service", {
      loadBalancer: { ingress: [{ ip: "10.0.0.1" }] },
    }),
  },
  claimsMatchTheirTemplate: {
    "creates PVCs that are bound": addStatus("PersistentVolumeClaim", { phase: "Bound" }),
  },
  resumedJobsFollowTheirTemplate: {
    "B43 copies only the node selector on resume": miswrite(
      "update Job",
      "spec.template",
      (
        { spec: { nodeSelector } },
        {
          stored: {
            spec: { template },
          },
        },
      ) => ({ ...template, spec: { ...template.spec, nodeSelector } }),
    ),
    "B44 drops scheduling gates on resume": miswrite(
      "update Job",
      "spec.template.spec.schedulingGates",
      (_, { stored }) => stored.spec.template.spec.schedulingGates,
    ),
  },
  fieldsOfOtherClientsAreKept: {
    "drops conditions with a domain in their type": keepConditions((type) => !type.includes("/")),
    "drops conditions of other types without a domain": keepConditions(
      (type) => type.includes("/") || isJobSetCondition(type),
    ),
    "resets the times of all conditions": miswriteStatus(
      ".conditions.*.lastTransitionTime",
      (time, { parent }) => (isJobSetCondition(parent.type) ? time : "2026-02-07T10:00:00Z"),
    ),
    "drops unknown members within the status": miswriteStatus(
      ".later",
      (later) => later && { seen: later.seen },
    ),
    "drops other labels of Jobs": keepMetadata("labels", (key) => key.includes("k8s.io/")),
    "drops empty labels of Jobs": keepMetadata("labels", (_, value) => value !== ""),
    "drops other annotations of Jobs": keepMetadata("annotations", (key) =>
      key.includes("k8s.io/"),
    ),
    "drops all but the first owner of Jobs": miswrite(
      "update Job",
      "metadata.ownerReferences",
      (all) => all?.slice(0, 1),
    ),
    "drops a setting of Jobs": omit("update Job", "spec.ttlSecondsAfterFinished"),
    "drops conditions of Jobs with their start time": omit(
      "update Job/status",
      "status.conditions",
    ),
    "replaces the finalizers of the JobSet": replaceMetadata({ finalizers: ["acme.com/mine"] }),
    "replaces the annotations of the JobSet": replaceMetadata({
      annotations: { "acme.com/mine": "" },
    }),
    "replaces its Service with a new one": replaceOwnObjects("Service"),
    "replaces its PVCs with new ones": replaceOwnObjects("PersistentVolumeClaim"),
  },
  servicesOfOthersAreLeftAlone: {
    "changes the Service of another JobSet to select its own Pods": takeOverService(
      (client, service, { spec: { selector } }) =>
        client.update({ ...service, spec: { ...service.spec, selector } }),
    ),
    "applies its Service to the Service of another JobSet": takeOverService(
      (client, _, { apiVersion, kind, metadata: { namespace, name }, spec }) =>
        client.apply({ apiVersion, kind, metadata: { namespace, name }, spec }),
    ),
    "adds itself as an owner of the Service of another JobSet": takeOverService(
      (client, service, { metadata: { ownerReferences } }) =>
        client.update({ ...service, metadata: { ...service.metadata, ownerReferences } }),
    ),
    "replaces the Service of another JobSet": takeOverService((client, service) =>
      client.delete(service, { propagationPolicy: "Background" }),
    ),
  },
};

export const wrongWrites = createWrongSubjects("passes", defects, (create) => create());
