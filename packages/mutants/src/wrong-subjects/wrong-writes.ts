// Controllers that send wrong requests, or overwrite what belongs to another client or to the API server.

import { JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition, getLabel } from "@jobset-ts/api/kubernetes";
import { desiredService } from "@jobset-ts/core/desired";
import type { TestApiClient } from "@jobset-ts/testing/reconcile";
import { edit, type Untyped } from "../edit.ts";
import { isControlledBy, readJobSet, replaceKind } from "../right-subjects/controller-parts.ts";
import {
  type CreateController,
  readObject,
  readStored,
  runBefore,
} from "../wrapped-controllers.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";

interface Context {
  /** The object of the request. */
  readonly object: Untyped;
  /** The object in the cluster. */
  readonly stored: Untyped;
  readonly parent: Untyped;
}

/**
 * The controller writes other values.
 *
 * @param target - the requests and a path in their objects, such as `update JobSet/status: status.conditions`
 * @param change - returns the value to write; undefined omits it
 */
function miswrite(target: string, change: (value: Untyped, context: Context) => Untyped) {
  const [kind = "", path = ""] = target.split(": ");
  return replaceKind(kind, async (request, client) => {
    const stored = (await readStored(request, client)) ?? {};
    const object = structuredClone(request.object);
    edit(object, path, (value, parent) => change(value, { object, stored, parent }));
    return { ...request, object };
  });
}

/** The controller omits a member of its requests. */
export const omit = (target: string) => miswrite(target, () => undefined);
const createWithStatus = (kind: string, status: object) =>
  miswrite(`create ${kind}: status`, () => status);

const STATUS = "update JobSet/status: status";
const SUBDOMAIN = "create Job: spec.template.spec.subdomain";
const OTHER_TIME = "2026-02-07T10:00:00Z";

const isJobSetCondition = (type: string) =>
  /^(Completed|Failed|Suspended|RestartingJobSet|StartupPolicy(InProgress|Completed))$/.test(type);
const omitConditions = (isOmitted: (type: string) => boolean) =>
  miswrite(`${STATUS}.conditions.*`, (one) => (isOmitted(one.type) ? undefined : one));
const omitMetadata = (member: string, isOmitted: (key: string, value: unknown) => boolean) =>
  miswrite(`update Job: metadata.${member}`, (all = {}) =>
    Object.fromEntries(Object.entries(all).filter(([key, value]) => !isOmitted(key, value))),
  );
const isOfOtherDomain = (key: string) => !key.includes("k8s.io/");

const getJobSetName = ({ object }: Context) => getLabel(object, JOBSET_NAME_KEY);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const countJobRestarts = ({ status }: Untyped) =>
  sum(asArray<Untyped>(status?.replicatedJobsStatus).flatMap((one) => one.jobRestarts ?? []));

const replaceMetadata = (member: string, value: unknown) =>
  runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    if (jobSet)
      await client.update({ ...jobSet, metadata: { ...jobSet.metadata, [member]: value } });
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
    "B21 deletes Jobs in the background": replaceKind("delete Job", (request) => ({
      ...request,
      propagationPolicy: "Background",
    })),
  },
  jobsAreSuspendedAndResumed: {
    "does not suspend Jobs without a ready Pod": replaceKind("update Job", async (one, client) => {
      const { spec } = one.object as Untyped;
      const isSent = !spec.suspend || (await readStored(one, client)).status?.ready;
      return isSent ? one : [];
    }),
  },
  singleRestartsAreCounted: {
    "counts the restart of a single Job for the first Job": miswrite(
      `${STATUS}.replicatedJobsStatus.*.jobRestarts`,
      (counts) => counts?.map((_: number, index: number) => (index === 0 ? sum(counts) : 0)),
    ),
  },
  restartsCountTowardsTheLimit: {
    "B39 counts restarts of single Jobs towards the limit": miswrite(
      `${STATUS}.restartsCountTowardsMax`,
      (count, { object, stored }) =>
        countJobRestarts(object) > countJobRestarts(stored) ? (count ?? 0) + 1 : count,
    ),
  },
  conditionsMatchTheState: {
    "adds a condition that is False": miswrite(`${STATUS}.conditions`, (all) => {
      const condition = { type: "Suspended", status: "False", reason: "ResumeJobs", message: "" };
      if (findCondition<Untyped>(all, "Suspended")) return all;
      return [...asArray(all), { ...condition, lastTransitionTime: OTHER_TIME }];
    }),
  },
  createdJobsMatchTheirTemplate: {
    "creates Jobs with a status": createWithStatus("Job", { active: 1, ready: 1 }),
    "creates Jobs that have completed": createWithStatus("Job", {
      conditions: [{ type: "Complete", status: "True" }],
    }),
  },
  createdPodsUseTheirService: {
    "B54 creates Pods without a default subdomain": miswrite(SUBDOMAIN, (subdomain, context) =>
      subdomain === getJobSetName(context) ? undefined : subdomain,
    ),
    "B90b creates Pods whose subdomain is the name of the JobSet": miswrite(
      SUBDOMAIN,
      (subdomain, context) => subdomain && getJobSetName(context),
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "B91 creates Services without an owner": omit("create Service: metadata.ownerReferences"),
  },
  createdObjectsHaveJobSetLabels: {
    "B11 creates Job keys without the namespace": miswrite(
      "create Job: metadata.labels",
      (labels, { object }) => ({ ...labels, [JOB_KEY_KEY]: object.metadata.name }),
    ),
  },
  servicesFindTheJobSetsPods: {
    "B90a creates Services that select other Pods": miswrite(
      "create Service: spec.selector",
      (selector) => ({ "jobset-name": selector[JOBSET_NAME_KEY] }),
    ),
    "creates Services with a status": createWithStatus("Service", {
      loadBalancer: { ingress: [{ ip: "10.0.0.1" }] },
    }),
  },
  claimsMatchTheirTemplate: {
    "creates PVCs that are bound": createWithStatus("PersistentVolumeClaim", { phase: "Bound" }),
  },
  resumedJobsFollowTheirTemplate: {
    "B43 copies only the node selector on resume": miswrite(
      "update Job: spec.template",
      (next, { stored }) => {
        const { metadata, spec } = stored.spec.template;
        return { metadata, spec: { ...spec, nodeSelector: next.spec.nodeSelector } };
      },
    ),
    "B44 drops scheduling gates on resume": miswrite(
      "update Job: spec.template.spec.schedulingGates",
      (_, { stored }) => stored.spec.template.spec.schedulingGates,
    ),
  },
  fieldsOfOtherClientsAreKept: {
    "drops conditions with a domain in their type": omitConditions((type) => type.includes("/")),
    "drops conditions of other types without a domain": omitConditions(
      (type) => !type.includes("/") && !isJobSetCondition(type),
    ),
    "resets the times of all conditions": miswrite(
      `${STATUS}.conditions.*.lastTransitionTime`,
      (time, { parent }) => (isJobSetCondition(parent.type) ? time : OTHER_TIME),
    ),
    "drops unknown members within the status": miswrite(
      `${STATUS}.later`,
      (later) => later && { seen: later.seen },
    ),
    "drops other labels of Jobs": omitMetadata("labels", isOfOtherDomain),
    "drops empty labels of Jobs": omitMetadata("labels", (_, value) => value === ""),
    "drops other annotations of Jobs": omitMetadata("annotations", isOfOtherDomain),
    "drops all but the first owner of Jobs": miswrite(
      "update Job: metadata.ownerReferences",
      (owners) => owners?.slice(0, 1),
    ),
    "drops a setting of Jobs": omit("update Job: spec.ttlSecondsAfterFinished"),
    "drops conditions of Jobs with their start time": omit("update Job/status: status.conditions"),
    "replaces the finalizers of the JobSet": replaceMetadata("finalizers", ["acme.com/mine"]),
    "replaces the annotations of the JobSet": replaceMetadata("annotations", {
      "acme.com/mine": "",
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
