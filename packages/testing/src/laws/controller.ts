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

/** The object that a pass reconciles, and the time of the pass. */
export interface ReconcileRequest {
  readonly namespace: string;
  readonly name: string;
  /** In RFC 3339 format. */
  readonly now: string;
  /** The enabled feature gates of JobSet. */
  readonly features: readonly string[];
}

/** The result of a pass. */
export interface ReconcileResponse {
  /** In histories, the controller is called again after this time in any case. Fractions of a second are allowed. */
  readonly requeueAfterSeconds?: number;
}

/**
 * A controller under test. It is called for one pass over one JobSet, and reads and changes the cluster through the
 * client. It resolves at the end of the pass, and can request another pass. It is called again until it has nothing
 * left to do. A pass may fail.
 */
export type ControllerSubject = (
  client: TestApiClient,
  pass: ReconcileRequest,
  // biome-ignore lint/suspicious/noConfusingVoidType: most passes return nothing
) => Promise<ReconcileResponse | undefined | void> | ReconcileResponse | undefined | void;

/**
 * The client for the API server. Its methods reject with a {@link TestApiError} if the server rejects a request. The
 * caller may change returned objects, because they are copies.
 */
export interface TestApiClient {
  /** Reads one object. Rejects with `NotFound` if it does not exist. */
  get(kind: string, namespace: string, name: string): Promise<KubernetesObject>;
  /** Reads all objects of a kind, in one namespace or in all namespaces. */
  list(kind: string, namespace?: string): Promise<readonly KubernetesObject[]>;
  /** Creates an object and returns the stored object. */
  create(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Replaces an object except its status. */
  update(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Replaces the status of an object. */
  updateStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Applies a JSON merge patch. It includes the kind and the name. */
  patch(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Applies a JSON merge patch to the status. It includes the kind and the name. */
  patchStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /**
   * Applies an object with server-side apply: creates it, or sets the given fields and removes fields that were applied
   * before and are now omitted.
   */
  apply(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Applies the status of an existing object with server-side apply. */
  applyStatus(object: RequestedObject | KubernetesObject): Promise<KubernetesObject>;
  /** Deletes an object by kind and name. */
  delete(
    object: RequestedObject | KubernetesObject,
    options?: Pick<TestApiRequest, "propagationPolicy" | "preconditions">,
  ): Promise<void>;
  /** Sends any request and returns the result instead of rejecting. */
  send(request: TestApiRequest): Promise<TestApiResponse>;
}

/** The API server rejected a request. */
export class TestApiError extends Error {
  override readonly name = "TestApiError";
  /** The HTTP status code. */
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
 * Creates a controller from a function that maps all objects of the cluster to requests. The requests are sent in
 * order.
 *
 * If the server rejects a request, the remaining ones are sent, except a later status update and Events, which may
 * report the failed change. Then the pass fails and is repeated. It does not fail if the object to create exists, or
 * the object to delete is gone. Any other rejected creation is reported in an Event of the JobSet. The function does
 * not receive the rejection.
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
    if (!isIterable(requests))
      throw new TypeError(`not a list of requests: ${describeValue(requests)}`);
    for (const request of requests) {
      const { object, subresource } = request;
      if (isUndone && (object.kind === "Event" || subresource === "status")) continue;
      const outcome = await client.send(request as TestApiRequest);
      if (outcome.ok) continue;
      refusal ??= new TestApiError(outcome);
      if (outcome.reason === HARMLESS_REASONS[request.verb]) continue;
      isUndone = true;
      if (["create", "apply"].includes(request.verb) && object.kind !== "Event")
        await client.send(createFailureEvent(request as TestApiRequest, outcome.message, pass));
    }
    if (refusal !== undefined) throw refusal;
  };
}

/** Rejections because the requested state already exists. */
const HARMLESS_REASONS: Readonly<Partial<Record<string, string>>> = {
  create: "AlreadyExists",
  delete: "NotFound",
};

/** Creates the Event that reports a failed creation. */
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

/** A {@link TestApiRequest} whose object has a type of another library. */
export type TypedRequest = Omit<TestApiRequest, "object"> & {
  readonly object: { readonly kind: string; readonly metadata?: object };
};

/**
 * Creates a controller from a function that returns a {@link Plan}, which `PlanExecution` executes. If the execution
 * fails, the pass fails.
 */
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
    await executePlan(plan, client);
  };
}

function isIterable(value: unknown): boolean {
  return typeof (value as Partial<Iterable<unknown>> | undefined)?.[Symbol.iterator] === "function";
}

/** Describes an unexpected value in short form. */
function describeValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return "then" in value ? "a Promise" : Array.isArray(value) ? "a list" : "an object";
}

/** The execution of a plan failed, or the plan itself reports a failure. */
export class PlanFailedError extends Error {
  override readonly name = "PlanFailedError";
}

/** Sends the requests of a plan one after the other. Rejects if the plan cannot be executed. */
export async function executePlan(
  plan: Plan | PlacementPlan,
  client: TestApiClient,
): Promise<void> {
  if (!Array.isArray((plan as Partial<Plan> | undefined)?.steps)) {
    throw new TypeError(`not a plan: ${describeValue(plan)}`);
  }
  const requests = listPlanRequests(plan);
  let next = requests.next();
  while (!next.done) next = requests.next(await client.send(next.value));
  if (!next.value.ok) throw new PlanFailedError(next.value.message);
}

/**
 * Yields the requests of a plan in order, including Events. Each needs its response before the next one. Returns the
 * result of the plan.
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

/** Reads all objects that JobSet's controller reads. */
export async function listAllObjects(client: TestApiClient): Promise<readonly KubernetesObject[]> {
  return (await Promise.all(READ_KINDS.map((kind) => client.list(kind)))).flat();
}

/**
 * Creates a client of a synchronous or asynchronous server. Requests and responses are copied, so both sides may change
 * them.
 */
export function createTestClient(server: {
  readonly state: readonly KubernetesObject[];
  /** By default, filters {@link state}. */
  list?(kind: string): readonly KubernetesObject[];
  get(kind: string, namespace: string, name: string): KubernetesObject | undefined;
  perform(request: TestApiRequest): TestApiResponse | Promise<TestApiResponse>;
}): TestApiClient {
  const send = async (request: TestApiRequest): Promise<TestApiResponse> =>
    copyJson(await server.perform(asJson(request)));
  const sendAndRead = async (request: TestApiRequest): Promise<KubernetesObject> => {
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
    create: (object) => sendAndRead({ verb: "create", object: toRequestedObject(object) }),
    update: (object) => sendAndRead({ verb: "update", object: toRequestedObject(object) }),
    updateStatus: (object) =>
      sendAndRead({ verb: "update", object: toRequestedObject(object), subresource: "status" }),
    patch: (object) => sendAndRead({ verb: "patch", object: toRequestedObject(object) }),
    patchStatus: (object) =>
      sendAndRead({ verb: "patch", object: toRequestedObject(object), subresource: "status" }),
    apply: (object) => sendAndRead({ verb: "apply", object: toRequestedObject(object) }),
    applyStatus: (object) =>
      sendAndRead({ verb: "apply", object: toRequestedObject(object), subresource: "status" }),
    delete: async (object, options = {}) => {
      await sendAndRead({ verb: "delete", object: toRequestedObject(object), ...options });
    },
    send,
  };
}

/** Converts an object for a request. Objects read from the cluster are accepted, too. */
function toRequestedObject(object: RequestedObject | KubernetesObject): RequestedObject {
  return object as RequestedObject;
}
