import { applyMergePatch, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ApiOutcome, ApiRequest, RequestedObject } from "./api-request.ts";
import { AppliedObjects } from "./server-side-apply.ts";

type Members = Readonly<Record<string, unknown>>;

/** What became of one request: the object before and after it, where there is one. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly outcome: ApiOutcome;
  readonly before: KubernetesObject | undefined;
  readonly after: KubernetesObject | undefined;
  /** All objects right before the request. */
  readonly state: readonly KubernetesObject[];
}

/**
 * As much of an API server as the laws need: it stores what it is sent, refuses what a server refuses, and notes what
 * became of each request. Deletions end when somebody says so. Nobody runs Pods in it.
 */
export class ApiServer {
  readonly #objects: Map<string, KubernetesObject>;
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

  /** All objects; the same list as long as none changes. */
  get state(): readonly KubernetesObject[] {
    this.#state ??= [...this.#objects.values()];
    return this.#state;
  }

  /** The object of that kind and name, if there is one. */
  get(kind: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.#objects.get(objectKey({ kind, metadata: { namespace, name } }, namespace));
  }

  /** Has an object as it is, whoever wrote it. */
  put(object: KubernetesObject): void {
    const { uid = `put-${this.#writes}` } = object.metadata;
    const metadata = { ...object.metadata, uid };
    this.#store(objectKey(object, this.#namespace), { ...object, metadata });
  }

  /** Has an object no longer; what it owns stays. */
  remove(object: KubernetesObject): void {
    this.#state = undefined;
    this.#objects.delete(objectKey(object, this.#namespace));
  }

  /** Answers a request, and changes what is stored if it is let through. */
  perform(request: ApiRequest): ApiOutcome {
    const { state } = this;
    const key = objectKey(request.object, this.#namespace);
    const before = this.#objects.get(key);
    const outcome = this.#outcomeOf(request, key, before);
    const after = this.#objects.get(key);
    this.exchanges.push({ request, outcome, before, after, state });
    return outcome;
  }

  /** Ends the deletions that were asked for; what a deleted object owns goes with it. */
  endDeletions(): void {
    for (const [key, object] of this.#objects) {
      if (object.metadata.deletionTimestamp !== undefined) this.#end(key, object);
    }
  }

  #outcomeOf(request: ApiRequest, key: string, before: KubernetesObject | undefined): ApiOutcome {
    const { verb, object, subresource, preconditions = {} } = request;
    if (isUnknown(object)) return refused(404, "NotFound");
    if (object.kind === "Event") return { ok: true }; // they are noted, and nobody reads them
    if (verb === "create" && before !== undefined) return refused(409, "AlreadyExists");
    const isMade = before === undefined && subresource === undefined;
    if (verb === "create" || (verb === "apply" && isMade)) {
      this.#applied.mayBeMadeBy(request);
      return this.#create(request, key);
    }
    if (verb === "apply") {
      const object = this.#applied.patchFor(request);
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

  #create({ object }: ApiRequest, key: string): ApiOutcome {
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

  #write(request: ApiRequest, key: string, before: KubernetesObject): ApiOutcome {
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

  #delete(request: ApiRequest, key: string, before: KubernetesObject): ApiOutcome {
    if (request.propagationPolicy === "Foreground") {
      const deletionTimestamp = before.metadata.deletionTimestamp ?? "2026-02-07T10:00:00Z";
      this.#store(key, { ...before, metadata: { ...before.metadata, deletionTimestamp } });
    } else {
      this.#end(key, before);
    }
    return { ok: true };
  }

  #end(key: string, object: KubernetesObject): void {
    this.#state = undefined;
    this.#objects.delete(key);
    for (const [owned, { metadata }] of this.#objects) {
      const isOwned = metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid);
      if (isOwned) this.#objects.delete(owned);
    }
  }

  #store(key: string, object: KubernetesObject): ApiOutcome {
    this.#state = undefined;
    this.#writes += 1;
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: `${this.#writes}` },
    };
    this.#objects.set(key, stored);
    return { ok: true, object: stored };
  }
}

/** A Job's Pod template may change while the Job is suspended and has not started, as far as JobSet changes it. */
function isRefusedJob(before: KubernetesObject, after: KubernetesObject): boolean {
  if (before.kind !== "Job") return false;
  const [was, is] = [before, after].map((job) => job as unknown as JobMembers);
  const isSame = JSON.stringify(was?.spec?.template) === JSON.stringify(is?.spec?.template);
  return !isSame && (was?.spec?.suspend !== true || was.status?.startTime !== undefined);
}

/** As a server decodes it. */
function withoutNulls(object: RequestedObject): RequestedObject {
  return applyMergePatch({}, object) as RequestedObject;
}

/** Whether there is no such kind; a request may leave its version open. */
function isUnknown({ kind, apiVersion }: RequestedObject): boolean {
  const versions = API_VERSIONS[kind];
  return versions === undefined || (apiVersion !== undefined && !versions.includes(apiVersion));
}

const API_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  JobSet: ["jobset.x-k8s.io/v1alpha2"],
  Job: ["batch/v1"],
  Pod: ["v1"],
  Service: ["v1"],
  PersistentVolumeClaim: ["v1"],
  Node: ["v1"],
  Event: ["v1", "events.k8s.io/v1"],
};

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

function refused(code: number, reason: string): ApiOutcome {
  return { ok: false, code, reason, message: reason };
}
