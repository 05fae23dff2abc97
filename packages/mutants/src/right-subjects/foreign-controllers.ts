import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type TestApiClient,
  TestApiError,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import type { Untyped } from "../edit.ts";
import { type CreateController, readStored, replaceRequests } from "../wrapped-controllers.ts";
import {
  addCondition,
  changeCreated,
  changeKind,
  changeTimeSuffix,
  createApplyRequest,
  createEventRequest,
  createPatchRequest,
  identify,
  isStatusOfJobSet,
  mergePatch,
  replaceKind,
  sendPlanned,
} from "./controller-parts.ts";

/** Correct controllers whose requests differ from ours in form, order or number. */
export const foreignControllers: Readonly<Record<string, CreateController>> = {
  "that applies its objects again after it has created them": () =>
    replaceRequests((one) =>
      one.verb === "create" && ["Job", "Service"].includes(one.object.kind)
        ? [one, { ...one, verb: "apply" }]
        : [one],
    ),
  "that applies its Jobs again after it has created them": applyCreatedJobs,
  "that patches only the changed fields of Jobs": replaceKind("update Job", createPatchRequest),
  "that changes a template first and then resumes the Job": replaceKind(
    "update Job",
    async (one, client) => {
      const { object, ...request } = await createPatchRequest(one, client);
      const { apiVersion, kind, metadata, spec } = object as Untyped;
      const { suspend, ...others } = spec ?? {};
      if (suspend !== false || Object.keys(others).length === 0) return { ...request, object };
      const { namespace, name } = metadata;
      const named = { apiVersion, kind, metadata: { namespace, name } };
      return [
        { ...request, object: { apiVersion, kind, metadata, spec: others } },
        { ...request, object: { ...named, spec: { suspend } } },
      ];
    },
  ),
  "that writes a status in two requests": replaceKind("update JobSet/status", splitStatusWrite),
  "that reads each object again before it writes it": () =>
    replaceRequests(async (one, client) => {
      if (one.verb !== "create") await readStored(one, client);
      return [one];
    }),
  "that deletes only the version that it has read": () =>
    replaceRequests(async (one, client) => {
      const seen = one.verb === "delete" ? await readStored(one, client) : undefined;
      if (seen === undefined) return [one];
      const { uid, resourceVersion } = seen.metadata;
      return [{ ...one, preconditions: { uid, resourceVersion } }];
    }),
  "that sends each deletion twice": () =>
    replaceRequests((one) => (one.verb === "delete" ? [one, one] : [one])),
  "with additional finalizers": changeCreated((object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers: ["acme.com/bill"] },
  })),
  "with finalizers on Jobs that it removes from deleted Jobs": removeOwnFinalizers,
  "with additional labels and annotations on Pods": changeCreated(
    changeKind("Job", (job) => {
      const { template } = job.spec;
      const { metadata } = template;
      const labels = { ...metadata.labels, "acme.com/team": "" };
      const annotations = { ...metadata.annotations, "acme.com/cost": "7" };
      const marked = { ...template, metadata: { ...metadata, labels, annotations } };
      return { ...job, spec: { ...job.spec, template: marked } };
    }),
  ),
  "that writes fields that are false or null": changeCreated((object) => ({
    ...object,
    metadata: { ...object.metadata, generateName: "", deletionTimestamp: null },
    spec: {
      ...object.spec,
      ...(object.kind === "Job" && { manualSelector: false, managedBy: null }),
      ...(object.kind === "Service" && { publishNotReadyAddresses: false, ...object.spec }),
    },
  })),
  "that creates objects with a status": changeCreated(
    changeKind("Job", (job) => ({ ...job, status: { active: 0 } })),
  ),
  "with an additional condition": addCondition("acme.com/Billed"),
  "with times in milliseconds": changeTimeSuffix(".250Z"),
  "that sends every Event twice": replaceKind("create Event", (one) => [one, one]),
  "that sends additional Events": replaceKind("create Job", (one) => [
    one,
    createEventRequest("batch/v1 Job", one.object.metadata as Untyped, {
      type: "Normal",
      reason: "SuccessfulCreate",
      message: "made",
    }),
  ]),
  "that sends the Events of a pass in the next pass": delayEvents,
  "that sends deletions first": () => sortRequests(({ verb }) => (verb === "delete" ? 0 : 1)),
  "that sends one request in each pass, and requests another pass": () =>
    sendPlanned(async (requests, client, pass) => {
      const { length } = requests.filter(({ object }) => object.kind !== "Event");
      let rejection: TestApiError | undefined;
      // A rejection does not stop other requests. The status and its Events come last.
      for (const write of requests.filter((one) => !isLast(one))) {
        const outcome = await client.send(write);
        if (outcome.ok) return length > 1 ? { requeueAfterSeconds: 0.01 } : {};
        await reportFailedCreation(write, outcome.message, client, pass);
        rejection ??= new TestApiError(outcome);
      }
      await sendInSequence(requests.filter(isLast), client, pass);
      if (rejection !== undefined) throw rejection;
      return {};
    }),
  "that sends deletions, and everything else in the next pass": () =>
    sendPlanned(async (requests, client, pass) => {
      const deletions = requests.filter(({ verb }) => verb === "delete");
      await sendInSequence(deletions.length > 0 ? deletions : requests, client, pass);
      return undefined;
    }),
  "that writes the status before the other requests": () =>
    sendPlanned(async (requests, client, pass) => {
      await sendInSequence(
        requests.some(writesSuspension) ? requests : putEventsFirst(requests),
        client,
        pass,
      );
      return undefined;
    }),
  "that writes the status, and sends the other requests in the next pass": () =>
    sendPlanned(async (requests, client, pass) => {
      const isSplit = requests.some(isStatusOfJobSet) && !requests.some(writesSuspension);
      await sendInSequence(isSplit ? requests.filter(isLast) : requests, client, pass);
      return undefined;
    }),
  "that sends all requests concurrently, except Events and the status": () =>
    sendPlanned(async (requests, client, pass) => {
      const writes = requests.filter((one) => !isLast(one));
      const sent = await Promise.allSettled(
        writes.map((one) => sendInSequence([one], client, pass)),
      );
      for (const one of sent) if (one.status === "rejected") throw one.reason;
      await sendInSequence(requests.filter(isLast), client, pass);
      return undefined;
    }),
  "that ignores conflicts": ignoreConflicts,
  "that creates PVCs and the Service after the Jobs": () =>
    sortRequests(({ object }) => ["Job", "Service", "PersistentVolumeClaim"].indexOf(object.kind)),
};

/**
 * Our controller with server-side apply of each Job that it has created, immediately and instead of updates. Omitted
 * members are removed.
 */
function applyCreatedJobs(): ControllerSubject {
  const own = createPlanController(reconcile);
  const createdUids = new Set<unknown>();
  let last = "";
  return async (client, pass) => {
    // Another history has other Jobs with the same UIDs.
    if (pass.now < last) createdUids.clear();
    last = pass.now;
    const send: TestApiClient["send"] = async (request) => {
      const { verb, object, subresource } = request;
      const { uid } = object.metadata as Untyped;
      if (object.kind !== "Job" || subresource !== undefined) return client.send(request);
      if (verb === "update" && createdUids.has(uid))
        return client.send(createApplyRequest(request));
      const outcome = await client.send(request);
      if (verb !== "create" || !outcome.ok) return outcome;
      createdUids.add(outcome.object?.metadata.uid);
      return client.send(createApplyRequest(request));
    };
    await own({ ...client, send }, pass);
  };
}

/** Adds a finalizer to the Jobs that it creates, and removes it when a Job is deleted. */
function removeOwnFinalizers(): ControllerSubject {
  const finalizer = "acme.com/bill";
  const own = changeCreated(
    changeKind("Job", (job) => ({
      ...job,
      metadata: { ...job.metadata, finalizers: [finalizer] },
    })),
  )();
  return async (client, pass) => {
    for (const job of (await client.list("Job", pass.namespace)) as Untyped[]) {
      const { deletionTimestamp, finalizers = [], namespace, name } = job.metadata;
      if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) continue;
      const others = finalizers.filter((one: string) => one !== finalizer);
      const metadata = { namespace, name, finalizers: others };
      await client.patch({ apiVersion: job.apiVersion, kind: job.kind, metadata });
    }
    return own(client, pass);
  };
}

/** Our controller with the requests of a pass in another order. Events and the status come last. */
function sortRequests(getRank: (request: TestApiRequest) => number): ControllerSubject {
  return sendPlanned(async (requests, client, pass) => {
    const ranked = requests.filter((one) => !isLast(one));
    ranked.sort((one, other) => getRank(one) - getRank(other));
    await sendInSequence([...ranked, ...requests.filter(isLast)], client, pass);
    return undefined;
  });
}

function isLast({ object }: TestApiRequest): boolean {
  return ["JobSet", "Event"].includes(object.kind);
}

function putEventsFirst(requests: readonly TestApiRequest[]): readonly TestApiRequest[] {
  return [...requests.filter(isLast), ...requests.filter((one) => !isLast(one))];
}

/** Reports whether a request writes the Suspended condition, which comes after the requests to suspend Jobs. */
function writesSuspension(request: TestApiRequest): boolean {
  if (!isStatusOfJobSet(request)) return false;
  const { conditions = [] } = request.object.status as Untyped;
  return conditions.some(({ type }: Untyped) => type === "Suspended");
}

const HARMLESS_REASONS: Readonly<Partial<Record<string, string>>> = {
  create: "AlreadyExists",
  delete: "NotFound",
};

/**
 * Sends requests in sequence. An existing object to create, or a missing one to delete, counts as success. A failed
 * creation is reported and ends the pass.
 */
async function sendInSequence(
  requests: readonly TestApiRequest[],
  client: TestApiClient,
  pass: ReconcileRequest,
): Promise<void> {
  for (const request of requests) {
    const outcome = await client.send(request);
    if (outcome.ok || outcome.reason === HARMLESS_REASONS[request.verb]) continue;
    await reportFailedCreation(request, outcome.message, client, pass);
    throw new TestApiError(outcome);
  }
}

async function reportFailedCreation(
  { verb, object }: TestApiRequest,
  why: string,
  client: TestApiClient,
  { namespace, name }: ReconcileRequest,
): Promise<void> {
  if (verb !== "create") return;
  const { name: objectName } = object.metadata as Untyped;
  const words = { type: "Warning", reason: "NotMade", message: `${objectName}: ${why}` };
  await client.send(
    createEventRequest("jobset.x-k8s.io/v1alpha2 JobSet", { namespace, name }, words),
  );
}

/** Leaves a conflict to the pass that follows the other write. */
function ignoreConflicts(): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    let isConflict = false;
    const send: TestApiClient["send"] = async (request) => {
      const outcome = await client.send(request);
      isConflict ||= !outcome.ok && outcome.reason === "Conflict";
      return outcome;
    };
    try {
      await own({ ...client, send }, pass);
    } catch (error) {
      if (!isConflict) throw error;
    }
  };
}

/** Delays Events until the next pass. */
function delayEvents(): ControllerSubject {
  const own = createPlanController(reconcile);
  let waiting: TestApiRequest[] = [];
  return async (client, pass) => {
    const events = waiting;
    waiting = [];
    for (const event of events) await client.send(event);
    const send: TestApiClient["send"] = async (request) => {
      if (request.object.kind !== "Event") return client.send(request);
      waiting.push(request);
      return { ok: true };
    };
    await own({ ...client, send }, pass);
  };
}

/** Writes the counters after the rest of the status. */
async function splitStatusWrite(request: TestApiRequest, client: TestApiClient): Promise<Untyped> {
  const { metadata, ...object } = identify(request);
  const { resourceVersion, ...named } = metadata;
  const stored = (await readStored(request, client))?.status ?? {};
  const { replicatedJobsStatus, ...rest } = mergePatch(stored, request.object.status);
  return (
    [rest, { replicatedJobsStatus }]
      .filter((status) => Object.values(status).some((one) => one !== undefined))
      // After the first write, the observed version is outdated.
      .map((status, at) => ({
        verb: "patch",
        subresource: "status",
        object: { ...object, metadata: at === 0 ? metadata : named, status },
      }))
  );
}
