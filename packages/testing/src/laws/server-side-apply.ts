import { applyMergePatch, isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { RequestedObject, TestApiRequest } from "./api-request.ts";
import { isJobSetCondition, jobSetStatusMembers } from "./ownership.ts";

type Members = Readonly<Record<string, unknown>>;

/** The fields that one field manager has applied. The server removes those that the manager now omits. */
export class AppliedObjects {
  readonly #last = new Map<string, Members>();
  /** Objects whose creation the server has processed. No client had applied anything to them before. */
  readonly #created = new Set<string>();

  /**
   * Returns the JSON merge patch that has the effect of an apply with `force` on an existing object.
   *
   * Lists are merged by the keys that the API declares, and elements of other clients are kept. If
   * the object existed at the start, the manager counts as having applied the fields that JobSet
   * changes in it.
   */
  patchFor(request: TestApiRequest, stored: KubernetesObject | undefined): RequestedObject {
    const { object } = request;
    const key = getKey(request);
    const isNew = this.#created.has(objectKey(request));
    const last = this.#last.get(key) ?? (isNew ? {} : getInitiallyApplied(request, stored));
    this.#last.set(key, getOwnableMembers(object));
    return createPatch(object, last, (stored ?? {}) as Members, "") as RequestedObject;
  }

  /** Forgets the applied fields of an earlier object, if a request has created its object. */
  forgetEarlierObject(request: TestApiRequest): void {
    for (const subresource of [undefined, "status"] as const)
      this.#last.delete(getKey({ ...request, subresource }));
    this.#created.add(objectKey(request));
    if (request.verb === "apply")
      this.#last.set(getKey(request), getOwnableMembers(request.object));
  }
}

function objectKey({ object }: TestApiRequest): string {
  const { kind, metadata } = object;
  return `${kind}/${metadata?.namespace}/${metadata?.name}`;
}

function getKey(request: TestApiRequest): string {
  return `${objectKey(request)}/${request.subresource ?? ""}`;
}

/** Returns the fields of an object that a manager can own, without names and the fields that the server writes. */
function getOwnableMembers({ metadata = {}, spec, status }: RequestedObject & Members): Members {
  const { labels, annotations, finalizers, ownerReferences } = metadata as Members;
  return { metadata: { labels, annotations, finalizers, ownerReferences }, spec, status };
}

/**
 * Returns the fields of an object that JobSet changes: its part of a status, and the fields that a Job takes from its
 * template.
 */
function getInitiallyApplied({ object, subresource }: TestApiRequest, stored: unknown): Members {
  const { spec, status } = (stored ?? {}) as Members;
  if (subresource === "status")
    return object.kind === "JobSet" ? { status: ownStatus(status) } : {};
  const sent = memberAt(object, ["spec", "template", "spec"]);
  // A part of a Job is applied to a Job that was created by another kind of request.
  const isWhole = object.kind === "Job" && isObject(sent) && Object.hasOwn(sent, "containers");
  if (!isWhole) return {};
  const template = memberAt(spec, ["template"]);
  const labels = Object.entries(memberAt(template, ["metadata", "labels"]) ?? {});
  const { nodeSelector, tolerations, schedulingGates, containers, initContainers } = (memberAt(
    template,
    ["spec"],
  ) ?? {}) as Members;
  const resources = (list: unknown) =>
    createList(list)
      .filter(isObject)
      .map(({ name, resources }: Members) => ({ name, resources }));
  return {
    spec: {
      template: {
        metadata: {
          labels: Object.fromEntries(labels.filter(([key]) => !JOB_CONTROLLER_KEY.test(key))),
          annotations: memberAt(template, ["metadata", "annotations"]),
        },
        spec: {
          nodeSelector,
          tolerations,
          schedulingGates,
          containers: resources(containers),
          initContainers: resources(initContainers),
        },
      },
    },
  };
}

const JOB_CONTROLLER_KEY = /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/;

function ownStatus(status: unknown): Members {
  const members = Object.entries(isObject(status) ? status : {}).filter(([name]) =>
    jobSetStatusMembers.has(name),
  );
  const own = Object.fromEntries(members);
  const { conditions } = own;
  if (!Array.isArray(conditions)) return own;
  const isOwn = (one: unknown) => isObject(one) && isJobSetCondition((one as Members).type);
  return { ...own, conditions: conditions.filter(isOwn) };
}

function memberAt(object: unknown, path: readonly string[]): object | undefined {
  const found = path.reduce<unknown>(
    (value, name) => (isObject(value) ? (value as Members)[name] : undefined),
    object,
  );
  return isObject(found) ? found : undefined;
}

/** Returns the sent fields, and `null` for each field that was sent before and is omitted now. */
function createPatch(sent: Members, last: Members, stored: Members, path: string): Members {
  const patch = new Map<string, unknown>();
  const names = new Set([...Object.keys(sent), ...Object.keys(last)]);
  for (const name of names) {
    const [now, before, existing] = [sent, last, stored].map((one) =>
      Object.hasOwn(one, name) ? (one[name] ?? undefined) : undefined,
    );
    const at = `${path}.${name}`;
    const keys = listKeys[name];
    if (keys !== undefined && Array.isArray(now ?? before)) {
      patch.set(
        name,
        mergeLists(createList(now), createList(before), createList(existing), keys, at),
      );
    } else if (isObject(before) && (now === undefined || isObject(now))) {
      patch.set(name, createPatch(now ?? {}, before, isObject(existing) ? existing : {}, at));
    } else if (isObject(now)) {
      patch.set(name, createPatch(now, {}, isObject(existing) ? existing : {}, at));
    } else if (now !== undefined || before !== undefined) {
      patch.set(name, now ?? null);
    }
  }
  return Object.fromEntries(patch);
}

function createList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Lists of type `map` with the keys of their elements. Lists of type `set` have no keys. Other lists are atomic.
 *
 * @see JobSet's CustomResourceDefinition; Kubernetes `+listType`, `+listMapKey`
 */
const listKeys: Readonly<Record<string, readonly string[]>> = {
  conditions: ["type"],
  replicatedJobsStatus: ["name"],
  ownerReferences: ["uid"],
  finalizers: [],
  containers: ["name"],
  initContainers: ["name"],
  ephemeralContainers: ["name"],
  volumes: ["name"],
  env: ["name"],
  volumeMounts: ["mountPath"],
  volumeDevices: ["devicePath"],
  imagePullSecrets: ["name"],
  hostAliases: ["ip"],
  schedulingGates: ["name"],
  resourceClaims: ["name"],
  topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
  // The ports of a Service. Those of a container have other keys.
  ports: ["containerPort", "port", "protocol"],
};

/**
 * Returns the existing elements, without those that were applied before and are now omitted, and with the applied
 * ones.
 */
function mergeLists(
  now: readonly unknown[],
  before: readonly unknown[],
  existing: readonly unknown[],
  keys: readonly string[],
  path: string,
): readonly unknown[] {
  const elementId = (element: unknown) =>
    isObject(element) && keys.length > 0
      ? JSON.stringify(keys.map((key) => (element as Members)[key] ?? defaultKeys[key]))
      : JSON.stringify(element);
  const [sent, applied] = [now, before].map(
    (list) => new Map(list.map((one) => [elementId(one), one])),
  );
  const remaining = existing.flatMap((element) => {
    const mark = elementId(element);
    const [own, old] = [sent?.get(mark), applied?.get(mark)];
    if (own === undefined) return old === undefined ? [element] : [];
    if (!isObject(own) || !isObject(element)) return [own];
    const patch = createPatch(own, isObject(old) ? old : {}, element, path);
    return [applyMergePatch(element, patch)];
  });
  const marks = new Set(existing.map(elementId));
  return [...remaining, ...now.filter((one) => !marks.has(elementId(one)))];
}

const defaultKeys: Readonly<Record<string, string>> = { protocol: "TCP" };
