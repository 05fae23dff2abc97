// Habits of clients and frameworks that answer reviews. Each answers as our own webhooks do, except for one habit.
import { encodeBase64 } from "@jobset-ts/admission/patch";
import type { Webhooks } from "@jobset-ts/testing/admission";
import { applyJsonPatch } from "../../../testing/src/laws/apply-json-patch.ts";
import type { Untyped } from "../edit.ts";
import { decodeReview, type Review, type Stage } from "../webhooks.ts";

/** An equivalent form of the same response. */
export type Habit = (result: Review, sent: Untyped, stage: Stage) => Review;

/** Habits that make no difference to Pods or JobSets. */
export const habits: Readonly<Record<string, Habit>> = {
  "of controller-runtime, that return objects as Go serializes them":
    replaceObject(serializeLikeGo),
  "of controller-runtime, that write quantities in canonical form": replaceObject((object) =>
    // Quantities in the objects of the laws have this form.
    mapScalars(object, (value) =>
      typeof value === "string" ? value.replace(/^(\d+)000m$/, "$1") : value,
    ),
  ),
  "of client-go, that write defaults": replaceObject(addDefaults),
  "of fabric8, that omit empty lists and maps": replaceObject(removeEmpty),
  "of fabric8, that sort the members of objects": replaceObject(sortKeys),
  "of fabric8, whose denials are complete Status objects": (result) =>
    changeDenial(result, (status) => ({
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      ...status,
    })),
  "of zjsonpatch, that move the metadata away and back": (result, sent) =>
    changePatch(result, (patch) =>
      sent?.metadata === undefined
        ? patch
        : [
            { op: "move", from: "/metadata", path: "/acme" },
            { op: "move", from: "/acme", path: "/metadata" },
            ...patch,
          ],
    ),
  "of kube-rs, with zeros in the status": (result) =>
    changeResponse(result, ({ status, ...rest }) => ({
      ...rest,
      status: { status: "", message: status?.message ?? "", reason: "", code: 0 },
    })),
  "of kube-rs, with empty audit annotations": (result) =>
    changeResponse(result, (response) => ({ ...response, auditAnnotations: {} })),
  "of json-patch, that replace the map to which they add a key": (result, sent) =>
    changePatch(result, (patch) => replaceMaps(sent, applyPatch(sent, patch), patch)),
  "of kopf, with an empty list of warnings": (result) =>
    changeResponse(result, (response) => ({ ...response, warnings: [] })),
  "of kopf, that add an annotation": addMetadata("annotations", () => ({
    "kopf.zalando.org/last-handled-configuration": '{"spec":{}}',
  })),
  "of kopf, that add a finalizer": changeMetadata((metadata) => ({
    ...metadata,
    finalizers: [...(metadata.finalizers ?? []), "kopf.zalando.org/KopfFinalizerMarker"],
  })),
  "of Pepr, that annotate each object that they review": addMetadata(
    "annotations",
    (() => {
      let seen = 0;
      return () => {
        seen += 1;
        return { "uuid.pepr.dev/7": `seen-${seen}` };
      };
    })(),
  ),
  "of Pepr, with an unknown member in the response": (result) =>
    changeResponse(result, (response) => ({ ...response, result: "done" })),
  "of Kyverno, that add a label": addMetadata("labels", () => ({
    "webhook.kyverno.io/managed-by": "kyverno",
  })),
  "of Kyverno, with messages of several lines": (result) =>
    changeDenial(result, (status) => ({
      ...status,
      message: `policy ClusterPolicy/jobset failed:\n\n  rule:\n    ${status.message}\n`,
    })),
  "of Gatekeeper, with a cause that has no field": (result) =>
    changeDenial(result, (status) => ({
      ...status,
      details: {
        ...status.details,
        causes: [
          ...(status.details?.causes ?? [{ field: "spec", message: "see the message" }]),
          { reason: "ConstraintViolated", message: "see the audit log" },
        ],
      },
    })),
  "of Python, that write empty lists": replaceObject(({ metadata, spec, ...rest }) => ({
    ...rest,
    metadata: { finalizers: [], ownerReferences: [], ...metadata },
    spec: { ...(rest.kind === "Pod" ? { tolerations: [] } : { volumeClaimPolicies: [] }), ...spec },
  })),
  "of Python, whose patch is base64 with line breaks": (result) =>
    encodePatch(result, (text) => encodeBase64(text).replace(/.{76}/g, "$&\n")),
  "of Python, whose patch is JSON with line breaks": (result) =>
    encodePatch(result, (text) => encodeBase64(JSON.stringify(JSON.parse(text), null, 2))),
  "of shell scripts, with the message as the reason": (result) =>
    changeDenial(result, ({ message }) => ({ reason: message })),
  "with the causes in reverse order": (result) =>
    changeCauses(result, (causes) => causes.toReversed()),
  "with field paths that start with a dot": (result) =>
    changeCauses(result, (causes) =>
      causes.map((one) => ({ ...one, ...(one.field && { field: `.${one.field}` }) })),
    ),
  "with field paths of CEL": (result) =>
    changeCauses(result, (causes) =>
      causes.map((one) => ({ ...one, ...(one.field && { field: `object.${one.field}` }) })),
    ),
  "with field paths in brackets": (result) =>
    changeCauses(result, (causes) =>
      causes.map((one) => ({
        ...one,
        ...(one.field && { field: one.field.replace(/\.(\w+)/g, "['$1']") }),
      })),
    ),
  "with field paths as JSON pointers": (result) =>
    changeCauses(result, (causes) =>
      causes.map((one) => ({
        ...one,
        ...(one.field && {
          field: `/${one.field.replaceAll(/[.[]/g, "/").replaceAll("]", "")}`,
        }),
      })),
    ),
};

/** Codes with which a Pod may be denied. The Job controller tries again, whatever the code is. */
export const podHabits: Readonly<Record<string, Habit>> = Object.fromEntries(
  [
    ["of Gatekeeper, that deny with 403", 403, "Forbidden"],
    ["of kopf, that deny with 500", 500, "InternalError"],
    ["that deny with 409", 409, "Conflict"],
    ["that deny with 429", 429, "TooManyRequests"],
  ].map(([name, code, reason]) => [
    name,
    (result: Review) => changeDenial(result, (status) => ({ ...status, code, reason })),
  ]),
);

/**
 * Works as a policy engine with one endpoint for both webhooks: the mutating webhook also denies what the validating
 * one denies.
 */
export function validateTwice(right: Webhooks, kind: "Pod" | "JobSet"): Webhooks {
  const mutate: Webhooks["mutate"] = async (review, cluster) => {
    const result = decodeReview(await right.mutate(review, cluster));
    if (!result.response.allowed || kind !== "Pod") return right.mutate(review, cluster);
    const object = applyPatch(review.request.object, result.response.patch ?? []);
    const request = { ...review.request, object };
    const judged = decodeReview(await right.validate({ ...review, request }, cluster));
    return judged.response.allowed ? right.mutate(review, cluster) : judged;
  };
  return { ...right, mutate };
}

export function changeResponse(result: Review, change: (response: Untyped) => Untyped): Review {
  return { ...result, response: change(result.response) };
}

export function changeDenial(result: Review, change: (status: Untyped) => Untyped): Review {
  return changeResponse(result, (response) =>
    response.allowed ? response : { ...response, status: change(response.status) },
  );
}

export function changePatch(
  result: Review,
  change: (patch: readonly Untyped[]) => readonly Untyped[],
): Review {
  return changeResponse(result, (response) =>
    response.patch === undefined ? response : { ...response, patch: change(response.patch) },
  );
}

export function applyPatch(sent: unknown, patch: readonly unknown[]): Untyped {
  const applied = applyJsonPatch(sent, patch);
  return applied.ok ? applied.value : sent;
}

/** Replaces the whole object by an equivalent form. */
function replaceObject(rewrite: (object: Untyped) => Untyped): Habit {
  return (result, sent) =>
    changePatch(result, (patch) => [
      { op: "replace", path: "", value: rewrite(applyPatch(sent, patch)) },
    ]);
}

/** Sends the patch as another text. */
function encodePatch(result: Review, encode: (json: string) => string): Review {
  return changeResponse(result, ({ patch, ...rest }) =>
    patch === undefined ? rest : { ...rest, patch: encode(JSON.stringify(patch)) },
  );
}

function changeCauses(result: Review, change: (causes: readonly Untyped[]) => Untyped[]): Review {
  return changeDenial(result, ({ details, ...status }) => ({
    ...status,
    ...(details && {
      details: { ...details, ...(details.causes && { causes: change(details.causes) }) },
    }),
  }));
}

/** Also patches the metadata of what the mutating webhook admits. */
function changeMetadata(change: (metadata: Untyped) => Untyped): Habit {
  return (result, sent, stage) => {
    const { allowed, patch = [] } = result.response;
    const { metadata } = applyPatch(sent, patch) ?? {};
    if (stage !== "mutate" || !allowed || !isObject(metadata)) return result;
    const operation = { op: "add", path: "/metadata", value: change(metadata) };
    return changeResponse(result, (response) => ({
      ...response,
      patchType: "JSONPatch",
      patch: [...patch, operation],
    }));
  };
}

function isObject(value: Untyped): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function addMetadata(member: "labels" | "annotations", create: () => object): Habit {
  return changeMetadata((metadata) => ({
    ...metadata,
    [member]: { ...metadata[member], ...create() },
  }));
}

function mapScalars(value: Untyped, change: (text: Untyped) => Untyped): Untyped {
  if (Array.isArray(value)) return value.map((one) => mapScalars(one, change));
  if (typeof value !== "object" || value === null) return change(value);
  const members = Object.entries(value).map(([name, member]) => [name, mapScalars(member, change)]);
  return Object.fromEntries(members);
}

function serializeLikeGo(object: Untyped): Untyped {
  const { metadata, spec = {}, status = {}, ...rest } = object;
  const withResources = (containers: Untyped) =>
    Array.isArray(containers)
      ? containers.map((one) => (one && typeof one === "object" ? { resources: {}, ...one } : one))
      : containers;
  const containers = spec?.containers && { containers: withResources(spec.containers) };
  return {
    ...rest,
    metadata: { creationTimestamp: null, ...metadata },
    spec: { ...spec, ...containers },
    status,
  };
}

/** Adds the defaults of an API server. */
function addDefaults(object: Untyped): Untyped {
  const { spec } = object;
  if (object.kind === "Pod") {
    const pod = {
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
      securityContext: {},
    };
    return { ...object, spec: { ...pod, ...spec } };
  }
  if (!Array.isArray(spec?.replicatedJobs)) return object;
  const jobs = spec.replicatedJobs.map((job: Untyped) =>
    job && typeof job === "object" ? { groupName: "default", replicas: 1, ...job } : job,
  );
  return { ...object, spec: { suspend: false, ...spec, replicatedJobs: jobs } };
}

/** Keeps members whose empty objects have a meaning. */
function removeEmpty(value: Untyped): Untyped {
  if (Array.isArray(value)) return value.map(removeEmpty);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]: [string, Untyped]) => {
    if (member === null || (Array.isArray(member) && member.length === 0)) return [];
    const isMap = ["labels", "annotations", "nodeSelector"].includes(name);
    if (isMap && Object.keys(member).length === 0) return [];
    return [[name, removeEmpty(member)]];
  });
  return Object.fromEntries(members);
}

function sortKeys(value: Untyped): Untyped {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortKeys(member)]));
}

const maps = ["labels", "annotations", "nodeSelector"];

/** Returns a patch that replaces whole maps instead of their entries. */
function replaceMaps(sent: Untyped, after: Untyped, patch: readonly Untyped[]): readonly Untyped[] {
  const others = patch.filter(({ path }) => !maps.includes(path.split("/").at(-2)));
  const paths = patch
    .filter((one) => !others.includes(one))
    .map(({ path }) => path.slice(0, path.lastIndexOf("/")));
  const valueAt = (object: Untyped, path: string) =>
    path
      .split("/")
      .slice(1)
      .reduce((value: Untyped, name: string) => value?.[name], object);
  return [
    ...others,
    ...[...new Set(paths)].map((path) => ({
      op: valueAt(sent, path) === undefined ? "add" : "replace",
      path,
      value: valueAt(after, path),
    })),
  ];
}
