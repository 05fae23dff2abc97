import { applyMergePatch, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { RequestedObject, TestApiRequest, TestApiResponse } from "./api-request.ts";
import { isSameToServer } from "./leaves.ts";
import { AppliedObjects } from "./server-side-apply.ts";

type Members = Readonly<Record<string, unknown>>;

/** What became of one request: the object before and after it, where there is one. */
export interface Exchange {
  readonly request: TestApiRequest;
  readonly outcome: TestApiResponse;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
  /** All objects right before the request. */
  readonly state: readonly KubernetesObject[];
}

/**
 * As much of an API server as the laws need: it stores what it is sent, refuses what a server refuses, and notes what
 * became of each request. Deletions end when somebody says so. Nobody runs Pods in it.
 */
export class TestApiServer {
  readonly #objects: Map<string, KubernetesObject>;
  /** Events, and objects of kinds that JobSet says nothing about: they are served, and are not part of {@link state}. */
  readonly #foreign = new Map<string, KubernetesObject>();
  readonly #namespace: string;
  readonly exchanges: Exchange[] = [];
  readonly #applied = new AppliedObjects();
  #state: readonly KubernetesObject[] | undefined;
  #writes = 1_000;

  /** @param namespace - of requests that name none */
  constructor(objects: Iterable<KubernetesObject>, namespace: string) {
    this.#namespace = namespace;
    this.#objects = new Map(
      Array.from(objects, (object) => [objectKey(object, namespace), object]),
    );
  }

  /** All objects of the kinds that JobSet is about; the same list as long as none changes. */
  get state(): readonly KubernetesObject[] {
    this.#state ??= [...this.#objects.values()];
    return this.#state;
  }

  /** The object of that kind and name, if there is one. */
  get(kind: string, namespace: string, name: string): KubernetesObject | undefined {
    const key = objectKey({ kind, metadata: { namespace, name } }, namespace);
    return this.#objects.get(key) ?? this.#foreign.get(key);
  }

  /** The objects of a kind. */
  list(kind: string): readonly KubernetesObject[] {
    const foreign = isForeignKind(kind) ? [...this.#foreign.values()] : [];
    return [...this.state, ...foreign].filter((object) => object.kind === kind);
  }

  /** Has an object as it is, whoever wrote it. */
  put(object: KubernetesObject): void {
    const { uid = `put-${this.#writes}` } = object.metadata;
    const metadata = { ...object.metadata, uid };
    this.#store(objectKey(object, this.#namespace), { ...object, metadata }, this.#objects);
  }

  /** Has an object no longer; what it owns stays. */
  remove(object: KubernetesObject): void {
    this.#state = undefined;
    this.#objects.delete(objectKey(object, this.#namespace));
  }

  /** Answers a request, and changes what is stored if it is let through. */
  perform(sent: TestApiRequest): TestApiResponse {
    const { state } = this;
    const request = this.#named(sent);
    const key = objectKey(request.object, this.#namespace);
    // What JobSet says nothing about is no evidence: it is served, and nobody judges it.
    const objects = this.#objectsWith(key, request.object.kind);
    const before = objects.get(key);
    const outcome = this.#outcomeOf(request, key, before);
    const after = objects.get(key);
    const isJudged = objects === this.#objects;
    const { kind } = request.object;
    // A patch of an Event tells what the Event then says.
    const told = kind === "Event" && after !== undefined && request.verb === "patch";
    this.exchanges.push({
      request: isJudged ? request : told ? { ...sent, object: after as never } : sent,
      outcome,
      before: isJudged ? before : undefined,
      after: isJudged ? after : undefined,
      state,
    });
    return outcome;
  }

  /** With the name that the server generates. */
  #named(request: TestApiRequest): TestApiRequest {
    const { metadata } = request.object;
    const { name, generateName } = (metadata ?? {}) as Members;
    const prefix = typeof generateName === "string" ? generateName : "";
    const isNamed = (name ?? "") !== "" || (prefix === "" && request.object.kind !== "Event");
    if (request.verb !== "create" || isNamed) return request;
    this.#writes += 1;
    const made = { ...metadata, name: `${prefix}${this.#writes}` };
    return { ...request, object: { ...request.object, metadata: made } };
  }

  /** Ends the deletions that were asked for; what a deleted object owns goes with it. */
  endDeletions(): void {
    for (const [key, object] of this.#objects) {
      if (object.metadata.deletionTimestamp !== undefined) this.#end(key, object);
    }
  }

  #outcomeOf(
    request: TestApiRequest,
    key: string,
    before: KubernetesObject | undefined,
  ): TestApiResponse {
    const { verb, object, subresource, preconditions = {} } = request;
    if (isUnknown(object)) return refused(404, "NotFound");
    // Events are for people: one whose name is taken replaces the other.
    const isTaken = before !== undefined && object.kind !== "Event";
    if (verb === "create" && isTaken) return refused(409, "AlreadyExists");
    const isMade = before === undefined && subresource === undefined;
    if (verb === "create" || (verb === "apply" && isMade)) {
      this.#applied.mayBeMadeBy(request);
      return this.#create(request, key);
    }
    if (verb === "apply") {
      const object = this.#applied.patchFor(request, before);
      return this.#outcomeOf({ ...request, verb: "patch", object }, key, before);
    }
    if (before === undefined) return refused(404, "NotFound");
    const sent: Members = object.metadata ?? {};
    const expected = { uid: sent.uid, resourceVersion: sent.resourceVersion, ...preconditions };
    for (const [name, value] of Object.entries(expected)) {
      const current = (before.metadata as Members)[name];
      if (value !== undefined && value !== current) return refused(409, "Conflict");
    }
    return verb === "delete"
      ? this.#delete(request, key, before)
      : this.#write(request, key, before);
  }

  #create({ object }: TestApiRequest, key: string): TestApiResponse {
    // A status comes by its own way.
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
      // What only a server writes stays.
      metadata: { ...(rest.metadata as object), uid: before.metadata.uid },
    } as unknown as KubernetesObject;
    if (isRefusedJob(before, after)) return refused(422, "Invalid");
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

  /** What was there at the beginning, and all of the kinds that JobSet is about, is judged; other objects are not. */
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

/** A Job's Pod template may change while the Job is suspended and has not started, as far as JobSet changes it. */
function isRefusedJob(before: KubernetesObject, after: KubernetesObject): boolean {
  if (before.kind !== "Job") return false;
  const [was, is] = [before, after].map((job) => job as unknown as JobMembers);
  if (was?.spec?.suspend === true && was.status?.startTime === undefined) return false;
  return !isSameToServer(was?.spec?.template, is?.spec?.template, "PodTemplateSpec");
}

/** As a server decodes it. */
function withoutNulls(object: RequestedObject): RequestedObject {
  return applyMergePatch({}, object) as RequestedObject;
}

/** Whether a kind that JobSet is about is not served in that version; a request may leave its version open. */
function isUnknown({ kind, apiVersion }: RequestedObject): boolean {
  if (kind === "Event") return apiVersion !== undefined && !EVENT_VERSIONS.has(apiVersion);
  const version = Object.hasOwn(API_VERSIONS, kind) ? API_VERSIONS[kind] : undefined;
  return version !== undefined && apiVersion !== undefined && version !== apiVersion;
}

/** Whether JobSet says nothing about a kind. */
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

function refused(code: number, reason: string): TestApiResponse {
  return { ok: false, code, reason, message: reason };
}
