import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  type Context,
  createContext,
  createSnapshot,
  type Plan,
  PlanExecution,
  type PlannedEvent,
  type RunOutcome,
  type Snapshot,
} from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import { createObjectRequest } from "@jobset-ts/core/requests";
import type { RequestedObject, TestApiRequest, TestApiResponse } from "./api-request.ts";
import { asJson, copyJson } from "./as-json.ts";

/** Which object a pass is about, and when it is. */
export interface ReconcileRequest {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339. */
  readonly now: string;
  /** JobSet's feature gates that are on. */
  readonly features: readonly string[];
}

/** What a pass may end with. */
export interface ReconcileResponse {
  /** In histories the controller is called again after that time, whatever happens; a fraction of a second will do. */
  readonly requeueAfterSeconds?: number;
}

/**
 * A controller: it is called for one pass over one JobSet, reads the cluster and changes it through the client, and
 * resolves when the pass is over, perhaps with when it wants to be called again. It is called again until it has nothing more to
 * do. A pass may fail.
 */
export type ControllerSubject = (
  client: TestApiClient,
  pass: ReconcileRequest,
  // biome-ignore lint/suspicious/noConfusingVoidType: most passes end with nothing
) => Promise<ReconcileResponse | undefined | void> | ReconcileResponse | undefined | void;

/**
 * The API server, as a controller meets it. What is refused rejects with an {@link TestApiError}. What it answers is the
 * caller's own, as if it had come over the wire: to change it changes nothing in the cluster.
 */
export interface TestApiClient {
  /** Reads one object; rejects with `NotFound` where there is none. */
  get(kind: string, namespace: string, name: string): Promise<KubernetesObject>;
  /** Reads all objects of a kind, in one namespace or in all. */
  list(kind: string, namespace?: string): Promise<readonly KubernetesObject[]>;
  /** Creates an object, and answers with it as it is stored. */
  create(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Replaces an object, its status aside. */
  update(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Replaces the status of an object. */
  updateStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** A JSON merge patch, with the kind and the name in it. */
  patch(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** A JSON merge patch of the status, with the kind and the name in it. */
  patchStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Server-side apply: makes the object, or sets what is in it and takes away what was applied before and is not now. */
  apply(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Server-side apply of the status of an object that is there. */
  applyStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Deletes the object of that kind and name. */
  delete(
    object: RequestedObject | KubernetesObject,
    options?: Pick<TestApiRequest, "propagationPolicy" | "preconditions">,
  ): Promise<void>;
  /** Any request, with its outcome as a value. */
  send(request: TestApiRequest): Promise<TestApiResponse>;
}

/** The API server refuses a request. */
export class TestApiError extends Error {
  override readonly name = "TestApiError";
  /** The HTTP status. */
  readonly code: number;
  /** The reason of the `Status`, such as `NotFound`. */
  readonly reason: string;

  constructor({ code, reason, message }: Extract<TestApiResponse, { ok: false }>) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * A controller out of a function from all objects of the cluster to requests. They are sent in their order. Where one is
 * refused, the others are sent all the same, but for a status and Events behind it, which may tell of it; then the pass has
 * failed, and is repeated. They are sent, too, where what is to be created is there already, or what is to be deleted is gone. A
 * creation that is refused otherwise is told in an Event of the JobSet: the function does not hear of it.
 */
export function createRequestController(
  requestsFor: (
    objects: readonly KubernetesObject[],
    pass: ReconcileRequest,
  ) => readonly TypedRequest[] | Promise<readonly TypedRequest[]>,
): ControllerSubject {
  return async (client, pass) => {
    let refusal: TestApiError | undefined;
    let isUndone = false;
    const requests = await requestsFor(await listAllObjects(client), pass);
    if (!isIterable(requests)) throw new TypeError(`not a list of requests: ${kindText(requests)}`);
    for (const request of requests) {
      const { object, subresource } = request;
      if (isUndone && (object.kind === "Event" || subresource === "status")) continue;
      const outcome = await client.send(request as TestApiRequest);
      if (outcome.ok) continue;
      refusal ??= new TestApiError(outcome);
      if (outcome.reason === DONE_ALREADY[request.verb]) continue;
      isUndone = true;
      if (["create", "apply"].includes(request.verb) && object.kind !== "Event")
        await client.send(createFailureEvent(request as TestApiRequest, outcome.message, pass));
    }
    if (refusal !== undefined) throw refusal;
  };
}

/** How a request is refused after which all is as it asks. */
const DONE_ALREADY: Readonly<Partial<Record<string, string>>> = {
  create: "AlreadyExists",
  delete: "NotFound",
};

/** Tells of a creation that was refused. */
function createFailureEvent(
  { object }: TestApiRequest,
  refusal: string,
  { namespace, name }: Pick<ReconcileRequest, "namespace" | "name">,
): TestApiRequest {
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, generateName: `${name}.` },
    involvedObject: { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, namespace, name },
    type: "Warning",
    reason: "FailedCreate",
    message: `${object.kind} ${object.metadata?.name} cannot be created: ${refusal}`,
  };
  return { verb: "create", object: event };
}

/** An {@link TestApiRequest} whose object has a type of somebody else's. */
export type TypedRequest = Omit<TestApiRequest, "object"> & {
  readonly object: { readonly kind: string; readonly metadata?: object };
};

/** A controller out of a function that answers with a {@link Plan}, carried out by `PlanExecution`; where that fails, so does the pass. */
export function createPlanController(
  planFor: (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan,
): ControllerSubject {
  return async (client, pass) => {
    const objects = await listAllObjects(client);
    const jobSet = objects.find(
      ({ kind, metadata }) =>
        kind === "JobSet" && metadata.name === pass.name && metadata.namespace === pass.namespace,
    );
    if (jobSet === undefined) return;
    const features = Object.fromEntries(pass.features.map((name) => [name, true]));
    const context = createContext({ now: pass.now, features });
    const plan = planFor(createSnapshot(objects, { kinds: "all" }), jobSet as JobSet, context);
    await carryOut(plan, client);
  };
}

function isIterable(value: unknown): boolean {
  return typeof (value as Partial<Iterable<unknown>> | undefined)?.[Symbol.iterator] === "function";
}

/** A value that was not expected, in a few words. */
function kindText(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return "then" in value ? "a Promise" : Array.isArray(value) ? "a list" : "an object";
}

/** A plan could not be carried out, or says itself that something is amiss. */
export class PlanFailed extends Error {
  override readonly name = "PlanFailed";
}

/** Sends what a plan asks for, one request after the other; rejects when it cannot be carried out. */
export async function carryOut(plan: Plan | PlacementPlan, client: TestApiClient): Promise<void> {
  if (!Array.isArray((plan as Partial<Plan> | undefined)?.steps)) {
    throw new TypeError(`not a plan: ${kindText(plan)}`);
  }
  const requests = listPlanRequests(plan);
  let next = requests.next();
  while (!next.done) next = requests.next(await client.send(next.value));
  if (!next.value.ok) throw new PlanFailed(next.value.message);
}

/**
 * The requests of a plan in their order, Events among them. Each is answered before the next is asked for; in the end stands
 * what came of the plan.
 */
export function* listPlanRequests(
  plan: Plan | PlacementPlan,
): Generator<TestApiRequest, RunOutcome, TestApiResponse> {
  const run = new PlanExecution(plan);
  for (;;) {
    const next = run.next();
    if (next.action === "Emit") yield createReport(next.event, plan);
    if (next.action === "Perform") {
      const outcome = yield createObjectRequest(next.request.effect);
      run.settle(next.request.id, outcome.ok ? outcome : { ok: false, error: outcome });
    }
    if (next.action !== "Done") continue;
    if (next.outcome.ok) for (const event of next.outcome.events) yield createReport(event, plan);
    return next.outcome;
  }
}

function createReport(event: PlannedEvent, plan: Plan | PlacementPlan): TestApiRequest {
  const { apiVersion, kind, namespace, name, uid }: Plan["jobSet"] =
    "jobSet" in plan ? plan.jobSet : plan.leader;
  const { type, reason, message } = event;
  const object = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, generateName: `${name}.` },
    involvedObject: { apiVersion, kind, namespace, name, uid },
    type,
    reason,
    message,
  };
  return { verb: "create", object };
}

/** The kinds that JobSet's controller reads. */
export const READ_KINDS = [
  "JobSet",
  "Job",
  "Pod",
  "Service",
  "PersistentVolumeClaim",
  "Node",
] as const;

/** All that JobSet's controller reads. */
export async function listAllObjects(client: TestApiClient): Promise<readonly KubernetesObject[]> {
  return (await Promise.all(READ_KINDS.map((kind) => client.list(kind)))).flat();
}

/**
 * A client of a server, whether it answers at once or later. Between the two is a wire: what is sent and what is answered
 * are copies, with which either side may do as it likes.
 */
export function createTestClient(server: {
  readonly state: readonly KubernetesObject[];
  /** Default: those of {@link state}. */
  list?(kind: string): readonly KubernetesObject[];
  get(kind: string, namespace: string, name: string): KubernetesObject | undefined;
  perform(request: TestApiRequest): TestApiResponse | Promise<TestApiResponse>;
}): TestApiClient {
  const send = async (request: TestApiRequest): Promise<TestApiResponse> =>
    copyJson(await server.perform(asJson(request)));
  const written = async (request: TestApiRequest): Promise<KubernetesObject> => {
    const outcome = await send(request);
    if (!outcome.ok) throw new TestApiError(outcome);
    return outcome.object as KubernetesObject;
  };
  return {
    get: async (kind, namespace, name) => {
      const found = server.get(kind, namespace, name);
      if (found === undefined) {
        throw new TestApiError({ ok: false, code: 404, reason: "NotFound", message: "NotFound" });
      }
      return copyJson(found);
    },
    list: async (kind, namespace) =>
      copyJson(
        (server.list?.(kind) ?? server.state.filter((object) => object.kind === kind)).filter(
          ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
        ),
      ),
    create: (object) => written({ verb: "create", object: asSent(object) }),
    update: (object) => written({ verb: "update", object: asSent(object) }),
    updateStatus: (object) =>
      written({ verb: "update", object: asSent(object), subresource: "status" }),
    patch: (object) => written({ verb: "patch", object: asSent(object) }),
    patchStatus: (object) =>
      written({ verb: "patch", object: asSent(object), subresource: "status" }),
    apply: (object) => written({ verb: "apply", object: asSent(object) }),
    applyStatus: (object) =>
      written({ verb: "apply", object: asSent(object), subresource: "status" }),
    delete: async (object, options = {}) => {
      await written({ verb: "delete", object: asSent(object), ...options });
    },
    send,
  };
}

/** An object of the cluster may be sent as it is. */
function asSent(object: RequestedObject | KubernetesObject): RequestedObject {
  return object as RequestedObject;
}
