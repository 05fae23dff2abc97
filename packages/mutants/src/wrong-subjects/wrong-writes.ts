// Controllers that send wrong requests, or overwrite what belongs to another client or to the API server.
import { JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition, getLabel } from "@jobset-ts/api/kubernetes";
import type { ShapeName } from "@jobset-ts/api/typed";
import { desiredService } from "@jobset-ts/core/desired";
import type { TestApiClient } from "@jobset-ts/testing/reconcile";
import { edit, type Place, type Untyped } from "../edit.ts";
import { passes } from "../law-sets.ts";
import { isControlledBy, readJobSet, replaceKind } from "../right-subjects/controller-parts.ts";
import { readObject, readStored, runBefore } from "../wrapped-controllers.ts";
import { defectForEach, memberNames } from "./schema-paths.ts";
import { createWrongSubjects } from "./wrong-subject.ts";

interface Context extends Place {
  /** The object of the request. */
  readonly object: Untyped;
  /** The object in the cluster. */
  readonly stored: Untyped;
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
    edit(object, path, (value, place) => change(value, { ...place, object, stored }));
    return { ...request, object };
  });
}

const createWithStatus = (kind: string) =>
  miswrite(`create ${kind}: status`, () => ({ active: 1, ready: 1 }));

/** The controller omits members of its requests: all at a path, or some. */
const omit = (
  target: string,
  isOmitted: (value: Untyped, context: Context) => unknown = () => true,
) => miswrite(target, (value, context) => (isOmitted(value, context) ? undefined : value));

/** The controller does not copy members of a template to the objects that it creates: all, except some. */
const omitEach = (kind: string, parent: string, type: ShapeName, excluded?: string) =>
  defectForEach(memberNames(type, excluded), (name) => [
    `creates a ${kind} without ${parent}.${name}`,
    omit(`create ${kind}: ${parent}.${name}`),
  ]);

/** The controller first changes the existing Service with the name of the JobSet's subdomain. */
const changeService = (
  whose: "Own" | "Other",
  change: (client: TestApiClient, service: Untyped, desired: Untyped) => Promise<unknown>,
) =>
  runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    const desired: Untyped = desiredService(jobSet);
    const name = desired?.metadata.name;
    const service = name && (await readObject(client, "Service", pass.namespace, name));
    if (service && isControlledBy(service, jobSet) === (whose === "Own"))
      await change(client, service, desired);
  });

const STATUS = "update JobSet/status: status";
const CONDITIONS = `${STATUS}.conditions`;
const POD = "spec.template.spec";
const OTHER_TIME = "2026-02-07T10:00:00Z";

const isJobSetCondition = ({ type }: Untyped) =>
  /^(Completed|Failed|Suspended|RestartingJobSet|StartupPolicy(InProgress|Completed))$/.test(type);
const getJobSetName = ({ object }: Context) => getLabel(object, JOBSET_NAME_KEY);
const countJobRestarts = ({ status }: Untyped) =>
  asArray<Untyped>(status?.replicatedJobsStatus)
    .flatMap(({ jobRestarts }) => jobRestarts ?? [])
    .reduce((total, count) => total + count, 0);

export const wrongWrites = createWrongSubjects(passes, {
  deletionsWaitForPods: {
    "B21 deletes Jobs in the background": replaceKind("delete Job", (request) => ({
      ...request,
      propagationPolicy: "Background",
    })),
  },
  jobsAreSuspendedAndResumed: {
    "does not suspend Jobs with a ready Pod": replaceKind("update Job", async (one, client) => {
      const { spec } = one.object as Untyped;
      const isOmitted = spec.suspend && (await readStored(one, client)).status?.ready;
      return isOmitted ? [] : one;
    }),
  },
  restartsCountTowardsTheLimit: {
    "B39 counts restarts of single Jobs towards the limit": miswrite(
      `${STATUS}.restartsCountTowardsMax`,
      (count, { object, stored }) =>
        countJobRestarts(object) > countJobRestarts(stored) ? (count ?? 0) + 1 : count,
    ),
  },
  conditionsMatchTheState: {
    "adds a condition that is False": miswrite(CONDITIONS, (all) => {
      const condition = { type: "Suspended", status: "False", reason: "ResumeJobs", message: "" };
      if (findCondition<Untyped>(all, "Suspended")) return all;
      return [...asArray(all), { ...condition, lastTransitionTime: OTHER_TIME }];
    }),
  },
  createdJobsMatchTheirTemplate: {
    ...omitEach(
      "Job",
      "spec",
      "JobSpec",
      "parallelism completions completionMode suspend selector manualSelector template",
    ),
    "creates Jobs with a status": createWithStatus("Job"),
  },
  createdJobsMatchTheirPodTemplate: {
    ...omitEach(
      "Job",
      POD,
      "PodSpec",
      "containers ephemeralContainers nodeSelector tolerations schedulingGates volumes subdomain",
    ),
    ...omitEach("Job", `${POD}.containers.*`, "Container", "name"),
  },
  createdPodsUseTheirService: {
    "B54 creates Pods without a default subdomain": omit(
      `create Job: ${POD}.subdomain`,
      (subdomain, context) => subdomain === getJobSetName(context),
    ),
    "B90b creates Pods whose subdomain is the name of the JobSet": miswrite(
      `create Job: ${POD}.subdomain`,
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
    "creates Services with a status": createWithStatus("Service"),
  },
  claimsMatchTheirTemplate: {
    ...omitEach("PersistentVolumeClaim", "spec", "PersistentVolumeClaimSpec"),
    "creates PVCs with a status": createWithStatus("PersistentVolumeClaim"),
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
      `update Job: ${POD}.schedulingGates`,
      (_, { stored }) => stored.spec.template.spec.schedulingGates,
    ),
  },
  fieldsOfOtherClientsAreKept: {
    "drops conditions of other types": omit(`${CONDITIONS}.*`, (one) => !isJobSetCondition(one)),
    "resets the times of all conditions": miswrite(
      `${CONDITIONS}.*.lastTransitionTime`,
      (time, { owner }) => (isJobSetCondition(owner) ? time : OTHER_TIME),
    ),
    "drops unknown members of the status": omit(
      `${STATUS}.later.*`,
      (_, { key }) => key !== "seen",
    ),
    "drops empty labels of Jobs": omit("update Job: metadata.labels.*", (value) => value === ""),
    "drops other annotations of Jobs": omit(
      "update Job: metadata.annotations.*",
      (_, { key }) => !key.includes("k8s.io/"),
    ),
    "drops all but the first owner of Jobs": omit(
      "update Job: metadata.ownerReferences.*",
      (_, { index }) => index > 0,
    ),
    "drops a setting of Jobs": omit("update Job: spec.ttlSecondsAfterFinished"),
    "drops conditions of Jobs with their start time": omit("update Job/status: status.conditions"),
    "replaces the finalizers of the JobSet": runBefore(async (client, pass) => {
      const { metadata, ...jobSet } = (await readJobSet(client, pass)) ?? {};
      const finalizers = ["acme.com/mine"];
      if (metadata) await client.update({ ...jobSet, metadata: { ...metadata, finalizers } });
    }),
    "replaces its Service with a new one": changeService("Own", (client, _, desired) =>
      client.update(desired),
    ),
  },
  servicesOfOthersAreLeftAlone: {
    "changes the Service of another JobSet to select its own Pods": changeService(
      "Other",
      (client, service, { spec: { selector } }) =>
        client.update({ ...service, spec: { ...service.spec, selector } }),
    ),
    "deletes the Service of another JobSet": changeService("Other", (client, service) =>
      client.delete(service, { propagationPolicy: "Background" }),
    ),
  },
});
