import { applyMergePatch, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { RequestedObject, TestApiRequest, TestApiResponse } from "./api-request.ts";
import { isSameToServer } from "./leaf-values.ts";
import { AppliedObjects } from "./server-side-apply.ts";

type Members = Readonly<Record<string, unknown>>;

/** A request with its result: the object before and after it, if any. */
export interface Exchange {
  readonly request: TestApiRequest;
  readonly outcome: TestApiResponse;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
  /** All objects immediately before the request. */
  readonly state: readonly KubernetesObject[];
}

/**
 * The parts of an API server that the laws need. It stores objects, rejects the requests that a real server rejects,
 * and records the result of each request. Deletions end only when a test ends them. It runs no Pods.
 */
export class TestApiServer {
  readonly #objects: Map<string, KubernetesObject>;
  /** Events, and objects of kinds that JobSet does not use. They are served, but are not part of {@link state}. */
  readonly #foreign = new Map<string, KubernetesObject>();
  readonly #namespace: string;
  readonly exchanges: Exchange[] = [];
  readonly #applied = new AppliedObjects();
  #state: readonly KubernetesObject[] | undefined;
  #writes = 1_000;

  /** @param namespace - of requests without one */
  constructor(objects: Iterable<KubernetesObject>, namespace: string) {
    this.#namespace = namespace;
    this.#objects = new Map(
      Array.from(objects, (object) => [objectKey(object, namespace), object]),
    );
  }

  /** All objects of the kinds that JobSet uses. The list stays the same object until one of them changes. */
  get state(): readonly KubernetesObject[] {
    this.#state ??= [...this.#objects.values()];
    return this.#state;
  }

  /** Returns the object of a kind and name, if it exists. */
  get(kind: string, namespace: string, name: string): KubernetesObject | undefined {
    const key = objectKey({ kind, metadata: { namespace, name } }, namespace);
    return this.#objects.get(key) ?? this.#foreign.get(key);
  }

  /** Returns the objects of a kind. */
  list(kind: string): readonly KubernetesObject[] {
    const foreign = isForeignKind(kind) ? [...this.#foreign.values()] : [];
    return [...this.state, ...foreign].filter((object) => object.kind === kind);
  }

  /** Stores an object unchanged, for any client that wrote it. */
  put(object: KubernetesObject): void {
    const { uid = `put-${this.#writes}` } = object.metadata;
    const metadata = { ...object.metadata, uid };
    this.#store(objectKey(object, this.#namespace), { ...object, metadata }, this.#objects);
  }

  /** Removes an object. The objects that it owns stay. */
  remove(object: KubernetesObject): void {
    this.#state = undefined;
    this.#objects.delete(objectKey(object, this.#namespace));
  }

  /** Performs a request. Changes the stored objects if the request is accepted. */
  perform(sent: TestApiRequest): TestApiResponse {
    const { state } = this;
    const request = this.#resolveName(sent);
    const key = objectKey(request.object, this.#namespace);
    // Objects of unrelated kinds are served but not checked.
    const objects = this.#objectsWith(key, request.object.kind);
    const before = objects.get(key);
    const outcome = this.#computeOutcome(request, key, before);
    const after = objects.get(key);
    const isJudged = objects === this.#objects;
    const { kind } = request.object;
    // A patch of an Event results in another Event.
    const isReported = kind === "Event" && after !== undefined && request.verb === "patch";
    this.exchanges.push({
      request: isJudged ? request : isReported ? { ...sent, object: after as never } : sent,
      outcome,
      before: isJudged ? before : undefined,
      after: isJudged ? after : undefined,
      state,
    });
    return outcome;
  }

  /** Returns the request with a generated name, if it needs one. */
  #resolveName(request: TestApiRequest): TestApiRequest {
    const { metadata } = request.object;
    const { name, generateName } = (metadata ?? {}) as Members;
    const prefix = typeof generateName === "string" ? generateName : "";
    const isNamed = (name ?? "") !== "" || (prefix === "" && request.object.kind !== "Event");
    if (request.verb !== "create" || isNamed) return request;
    this.#writes += 1;
    const created = { ...metadata, name: `${prefix}${this.#writes}` };
    return { ...request, object: { ...request.object, metadata: created } };
  }

  /** Ends the requested deletions. Also removes the objects that a deleted object owns. */
  endDeletions(): void {
    for (const [key, object] of this.#objects) {
      if (object.metadata.deletionTimestamp !== undefined) this.#end(key, object);
    }
  }

  #computeOutcome(
    request: TestApiRequest,
    key: string,
    before: KubernetesObject | undefined,
  ): TestApiResponse {
    const { verb, object, subresource, preconditions = {} } = request;
    if (isUnknownVersion(object)) return rejectRequest(404, "NotFound");
    // Events are only informative, so an Event may replace another one of the same name.
    const isTaken = before !== undefined && object.kind !== "Event";
    if (verb === "create" && isTaken) return rejectRequest(409, "AlreadyExists");
    const isMade = before === undefined && subresource === undefined;
    if (verb === "create" || (verb === "apply" && isMade)) {
      this.#applied.forgetEarlierObject(request);
      return this.#create(request, key);
    }
    if (verb === "apply") {
      const object = this.#applied.patchFor(request, before);
      return this.#computeOutcome({ ...request, verb: "patch", object }, key, before);
    }
    if (before === undefined) return rejectRequest(404, "NotFound");
    const sent: Members = object.metadata ?? {};
    const expected = { uid: sent.uid, resourceVersion: sent.resourceVersion, ...preconditions };
    for (const [name, value] of Object.entries(expected)) {
      const current = (before.metadata as Members)[name];
      if (value !== undefined && value !== current) return rejectRequest(409, "Conflict");
    }
    return verb === "delete"
      ? this.#delete(request, key, before)
      : this.#write(request, key, before);
  }

  #create({ object }: TestApiRequest, key: string): TestApiResponse {
    // A status changes only through its subresource.
    const { status: _, ...sent } = withoutNulls(object);
    return this.#store(key, {
      ...sent,
      metadata: {
        namespace: this.#namespace,
        ...sent.metadata,
        uid: `made-${this.#writes}`,
      },
    } as unknown as KubernetesObject);
  }

  #write(request: TestApiRequest, key: string, before: KubernetesObject): TestApiResponse {
    const { verb, object, subresource } = request;
    const sent: Members =
      verb === "update" ? withoutNulls(object) : (applyMergePatch(before, object) as Members);
    const [kept, taken]: readonly Members[] =
      subresource === "status" ? [before as never, sent] : [sent, before as never];
    const { status: _, ...rest } = kept ?? {};
    const status = taken?.status;
    const after = {
      ...rest,
      ...(status !== undefined && { status }),
      // Fields that only the server writes stay unchanged.
      metadata: { ...(rest.metadata as object), uid: before.metadata.uid },
    } as unknown as KubernetesObject;
    if (isRejectedJobUpdate(before, after)) return rejectRequest(422, "Invalid");
    return this.#store(key, after);
  }

  #delete(request: TestApiRequest, key: string, before: KubernetesObject): TestApiResponse {
    if (request.propagationPolicy === "Foreground") {
      const deletionTimestamp = before.metadata.deletionTimestamp ?? "2026-02-07T10:00:00Z";
      this.#store(key, { ...before, metadata: { ...before.metadata, deletionTimestamp } });
    } else {
      this.#end(key, before);
    }
    return { ok: true };
  }

  #end(key: string, object: KubernetesObject): void {
    if (this.#objects.delete(key)) this.#state = undefined;
    this.#foreign.delete(key);
    for (const objects of [this.#objects, this.#foreign]) {
      for (const [owned, { metadata }] of objects) {
        const isOwned = metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid);
        if (isOwned && objects.delete(owned)) this.#state = undefined;
      }
    }
  }

  /**
   * Returns the checked objects for kinds that JobSet uses and for all initial objects, and the unchecked objects
   * otherwise.
   */
  #objectsWith(key: string, kind: string): Map<string, KubernetesObject> {
    return isForeignKind(kind) && !this.#objects.has(key) ? this.#foreign : this.#objects;
  }

  #store(
    key: string,
    object: KubernetesObject,
    objects = this.#objectsWith(key, object.kind),
  ): TestApiResponse {
    if (objects === this.#objects) this.#state = undefined;
    this.#writes += 1;
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: `${this.#writes}` },
    };
    objects.set(key, stored);
    return { ok: true, object: stored };
  }
}

/**
 * Returns whether the server rejects a change of a Job. The Pod template is mutable, for the fields that JobSet
 * changes, while the Job is suspended and has not started.
 */
function isRejectedJobUpdate(before: KubernetesObject, after: KubernetesObject): boolean {
  if (before.kind !== "Job") return false;
  const [was, is] = [before, after].map((job) => job as unknown as JobMembers);
  if (was?.spec?.suspend === true && was.status?.startTime === undefined) return false;
  return !isSameToServer(was?.spec?.template, is?.spec?.template, "PodTemplateSpec");
}

/** Removes null values, as a server does when it decodes a request. */
function withoutNulls(object: RequestedObject): RequestedObject {
  return applyMergePatch({}, object) as RequestedObject;
}

/**
 * Returns whether the server does not serve the API version of a kind that JobSet uses. A request may omit the version.
 */
function isUnknownVersion({ kind, apiVersion }: RequestedObject): boolean {
  if (kind === "Event") return apiVersion !== undefined && !EVENT_VERSIONS.has(apiVersion);
  const version = Object.hasOwn(API_VERSIONS, kind) ? API_VERSIONS[kind] : undefined;
  return version !== undefined && apiVersion !== undefined && version !== apiVersion;
}

/** Returns whether JobSet does not use a kind. */
export function isForeignKind(kind: string): boolean {
  return !Object.hasOwn(API_VERSIONS, kind);
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  JobSet: "jobset.x-k8s.io/v1alpha2",
  Job: "batch/v1",
  Pod: "v1",
  Service: "v1",
  PersistentVolumeClaim: "v1",
  Node: "v1",
};

const EVENT_VERSIONS: ReadonlySet<string> = new Set(["v1", "events.k8s.io/v1"]);

interface JobMembers {
  readonly spec?: { readonly template?: unknown; readonly suspend?: boolean };
  readonly status?: { readonly startTime?: string };
}

function objectKey(
  { kind, metadata }: RequestedObject | KubernetesObject,
  namespace: string,
): string {
  return `${kind}/${kind === "Node" ? "" : (metadata?.namespace ?? namespace)}/${metadata?.name}`;
}

function rejectRequest(code: number, reason: string): TestApiResponse {
  return { ok: false, code, reason, message: reason };
}
