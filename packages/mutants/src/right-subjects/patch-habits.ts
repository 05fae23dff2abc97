import { reconcile } from "@jobset-ts/core";
import { type ControllerSubject, createPlanController } from "@jobset-ts/testing/reconcile";
import type { Untyped } from "../edit.ts";
import { type CreateController, readStored, runBefore } from "../wrapped-controllers.ts";
import {
  createApplyRequest,
  identify,
  isControlledBy,
  isMap,
  mergePatch,
  readJobSet,
  replaceKind,
  sendOnly,
} from "./controller-parts.ts";

const STATUS = "update JobSet/status";

/**
 * Correct controllers with a habit of clients that patch or apply: kube-rs, Pulumi, Flux, kopf, fabric8, and the Python
 * and JavaScript clients.
 */
export const patchHabits: Readonly<Record<string, CreateController>> = {
  "that patches only the changed fields of the status": replaceKind(STATUS, async (one, client) => {
    const stored = await readStored(one, client);
    return sendOnly(one, "patch", { status: mergePatch(stored?.status ?? {}, one.object.status) });
  }),
  "that writes the status to the newest version of the JobSet": replaceKind(
    STATUS,
    async (one, client) => {
      const stored = await readStored(one, client);
      const { resourceVersion } = (one.object.metadata ?? {}) as Untyped;
      if (stored?.metadata.resourceVersion !== resourceVersion) return one;
      return { ...one, object: { ...stored, status: one.object.status } };
    },
  ),
  "that writes each status twice": replaceKind(STATUS, async (one, client) => {
    const outcome = await client.send(one);
    if (!outcome.ok) return one;
    return { ...one, object: { ...one.object, metadata: outcome.object?.metadata } };
  }),
  "that writes the status with server-side apply": replaceKind(STATUS, (one) =>
    sendOnly(one, "apply", { status: one.object.status }),
  ),
  "that applies its Service again in every pass": runBefore(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    for (const service of (await client.list("Service", pass.namespace)) as Untyped[]) {
      const { apiVersion, kind, metadata, spec } = service;
      const { namespace, name, ownerReferences } = metadata;
      const own = { namespace, name, ownerReferences };
      if (isControlledBy(service, jobSet))
        await client.apply({ apiVersion, kind, metadata: own, spec });
    }
  }),
  "that applies complete Jobs": replaceKind("update Job", createApplyRequest),
  "that suspends Jobs with an apply of one field": suspendWith("apply"),
  "that suspends Jobs with a patch": suspendWith("patch"),
  "that resumes Jobs with a patch for each key": replaceKind("update Job", async (one, client) => {
    const stored = await readStored(one, client);
    const { metadata, spec } = one.object as Untyped;
    if (stored === undefined || spec.suspend === true) return one;
    const annotations = mergePatch(stored.metadata.annotations, metadata.annotations, createEmpty);
    return sendOnly(one, "patch", {
      metadata: { ...identify(one).metadata, annotations },
      spec: mergePatch(stored.spec, spec, createEmpty),
    });
  }),
  "that removes start times with a patch": replaceKind("update Job/status", (one) =>
    sendOnly(one, "patch", { status: { startTime: null } }),
  ),
  "that stores the observed generation in an annotation of the JobSet": annotateHandledSpec,
  "that replaces its existing Service": replaceKind("create Service", async (one, client) =>
    (await readStored(one, client)) === undefined ? one : { ...one, verb: "update" },
  ),
};

function suspendWith(verb: "apply" | "patch"): CreateController {
  return replaceKind("update Job", (one) =>
    (one.object as Untyped).spec.suspend === true
      ? sendOnly(one, verb, { spec: { suspend: true } })
      : one,
  );
}

/** Annotates what the controller has handled, as kopf does. */
function annotateHandledSpec(): ControllerSubject {
  const own = createPlanController(reconcile);
  const key = "kopf.zalando.org/last-handled-configuration";
  return async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    await own(client, pass);
    const { resourceVersion: _, ...metadata } = jobSet?.metadata ?? {};
    const seen = JSON.stringify(jobSet?.spec);
    if (jobSet === undefined || metadata.annotations?.[key] === seen) return;
    const { namespace, name } = pass;
    const { apiVersion, kind } = jobSet;
    const annotations = { [key]: seen };
    await client.patch({ apiVersion, kind, metadata: { namespace, name, annotations } });
  };
}

/** Returns an empty value, so a patch removes each key of a map, and never the whole map. */
function createEmpty(value: Untyped): Untyped {
  return isMap(value) ? {} : Array.isArray(value) ? [] : null;
}
