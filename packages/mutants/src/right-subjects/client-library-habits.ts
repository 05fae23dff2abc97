import { type Effect, reconcile } from "@jobset-ts/core";
import { desiredService } from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import {
  type ControllerSubject,
  createPlanController,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import { listAllObjects } from "../../../testing/src/laws/controller.ts";
import type { Untyped } from "../edit.ts";
import {
  type CreateController,
  interceptRequests,
  readObject,
  readStored,
  replaceRequests,
  runBefore,
} from "../wrapped-controllers.ts";
import {
  changeCreated,
  changeKind,
  isControlledBy,
  readJobSet,
  readManagedJobSet,
  replaceKind,
  skipPasses,
} from "./controller-parts.ts";

/** Correct controllers with a habit of client-go, controller-runtime or another client library. */
export const clientLibraryHabits: Readonly<Record<string, CreateController>> = {
  "that updates Jobs without a resourceVersion": replaceKind("update Job", (one) => {
    const { resourceVersion: _, ...metadata } = one.object.metadata as Untyped;
    return { ...one, object: { ...one.object, metadata } };
  }),
  "that repeats an update after a conflict": replaceKind("update Job", async (one, client) => {
    const stored = await readStored(one, client);
    const resourceVersion = `0${stored?.metadata.resourceVersion}`;
    const metadata = { ...one.object.metadata, resourceVersion };
    // The first attempt meets a conflict.
    await client.send({ ...one, object: { ...one.object, metadata } });
    return one;
  }),
  "that treats its own existing object as created": () =>
    interceptRequests(async (request, client, pass) => {
      const existing = request.verb === "create" && (await readStored(request, client));
      const isOwn = existing && isControlledBy(existing, await readJobSet(client, pass));
      return isOwn ? { ok: true } : client.send(request);
    }),
  "that restores its Service to the state in which it creates it": runBefore(
    async (client, pass) => {
      const jobSet = await readJobSet(client, pass);
      if (!jobSet || isFinished(jobSet)) return;
      const desired: Untyped = desiredService(jobSet);
      const service =
        desired && (await readObject(client, "Service", pass.namespace, desired.metadata.name));
      if (!service || !isControlledBy(service, jobSet)) return;
      const { publishNotReadyAddresses: _, ...others } = service.spec;
      const spec = { ...others, ...desired.spec };
      const isSame = Object.keys({ ...spec, ...service.spec }).every(
        (name) => JSON.stringify(spec[name]) === JSON.stringify(service.spec[name]),
      );
      if (!isSame) await client.update({ ...service, spec });
    },
  ),
  "that adds an owner to Jobs": changeCreated(
    changeKind("Job", (job) => {
      const owner = { apiVersion: "v1", kind: "ConfigMap", name: "hosts", uid: "hosts" };
      const ownerReferences = [...job.metadata.ownerReferences, owner];
      return { ...job, metadata: { ...job.metadata, ownerReferences } };
    }),
  ),
  "that does not set blockOwnerDeletion": changeCreated((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      ownerReferences: object.metadata.ownerReferences?.map(
        ({ blockOwnerDeletion: _, ...owner }: Untyped) => owner,
      ),
    },
  })),
  "that chooses the names of its Events": changeCreated(
    (object) => object,
    (event) => {
      const { generateName: _, ...metadata } = event.metadata;
      return { ...event, metadata: { ...metadata, name: `train.${event.reason}` } };
    },
  ),
  "that counts repeated Events with a patch": countRepeatedEvents,
  "that reads back the Events that it creates": replaceKind("create Event", async (one, client) => {
    const { metadata } = await client.create(one.object);
    await client.get("Event", metadata.namespace ?? "", metadata.name ?? "");
    return [];
  }),
  "that renews a Lease": runBefore(async (client, { namespace, now }) => {
    const metadata = { namespace, name: "controller" };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
    const spec = { holderIdentity: "us", renewTime: now };
    const held = await readObject(client, "Lease", namespace, "controller");
    if (held === undefined) await client.create({ ...lease, spec });
    else await client.update({ ...held, spec });
  }),
  "that waits until its cache shows its own writes": waitForOwnWrites,
  "that adds its finalizer to the JobSet": addFinalizer,
  "that deletes Jobs by UID": () =>
    replaceRequests(async (one, client) => {
      const { uid } =
        one.verb === "delete" ? ((await readStored(one, client))?.metadata ?? {}) : {};
      return [uid === undefined ? one : { ...one, preconditions: { uid } }];
    }),
  "that requests to be called again after each pass": () => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      await own(client, pass);
      return { requeueAfterSeconds: 300 };
    };
  },
  "that requests to be called again instead of failing": () => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      try {
        await own(client, pass);
        return {};
      } catch {
        return { requeueAfterSeconds: 1 };
      }
    };
  },
  "that does nothing in every other pass": skipPasses(2, { requeueAfterSeconds: 1 }),
  "that does nothing in nine of ten passes": skipPasses(10, { requeueAfterSeconds: 1 }),
  "that creates Jobs in the order of their names": orderJobs((one) => one),
  "that creates Jobs in the reverse order": orderJobs((one) => one.toReversed()),
  "that lists one namespace": () => {
    const own = createPlanController(reconcile);
    return (client, pass) =>
      own({ ...client, list: (kind) => client.list(kind, pass.namespace) }, pass);
  },
};

/** Our controller with the Jobs of each step in another order. */
function orderJobs(change: (jobs: readonly Effect[]) => readonly Effect[]): CreateController {
  const isJob = ({ verb, target }: Effect) => verb === "create" && target.kind === "Job";
  const inOrder = (effects: readonly Effect[]) =>
    effects.every(isJob)
      ? change(effects.toSorted((one, other) => (one.target.name < other.target.name ? -1 : 1)))
      : effects;
  return () =>
    createPlanController((...input) => {
      const plan = reconcile(...input);
      const steps = plan.steps.map((step) => ({ ...step, effects: inOrder(step.effects) }));
      return { ...plan, steps };
    });
}

/** client-go's recorder creates an Event once and counts its repetitions. */
function countRepeatedEvents(): ControllerSubject {
  const counts = new Map<string, number>();
  return replaceRequests(async (one, client) => {
    if (one.object.kind !== "Event") return [one];
    const { apiVersion, kind, metadata, involvedObject, reason, message } = one.object as Untyped;
    const text = `${involvedObject.uid}-${reason}-${message}`.toLowerCase();
    const name = `${involvedObject.name}.${text.replace(/[^a-z0-9]+/g, "-")}`;
    const { generateName: _, namespace, ...others } = metadata;
    const known = await readObject(client, "Event", namespace, name);
    const count = known === undefined ? 1 : (counts.get(name) ?? 1) + 1;
    counts.set(name, count);
    if (known !== undefined)
      return [
        { verb: "patch", object: { apiVersion, kind, metadata: { namespace, name }, count } },
      ];
    const event = { ...one.object, count, metadata: { ...others, namespace, name } };
    return [{ ...one, object: event }];
  });
}

/** Skips a pass while an object in the cache is older than the last write. */
function waitForOwnWrites(): ControllerSubject {
  const own = createPlanController(reconcile);
  let expected = new Map<string, string>();
  let last = "";
  return async (client, pass) => {
    // Another cluster has other objects with the same names.
    if (pass.now < last) expected = new Map();
    last = pass.now;
    const getKey = ({ kind, metadata }: Untyped) =>
      `${kind}/${metadata.namespace}/${metadata.name}`;
    for (const object of (await listAllObjects(client)) as Untyped[]) {
      const version = expected.get(getKey(object));
      if (version === undefined) continue;
      if (Number(object.metadata.resourceVersion) < Number(version))
        return { requeueAfterSeconds: 1 };
      expected.delete(getKey(object));
    }
    const send: TestApiClient["send"] = async (request: TestApiRequest) => {
      const outcome = await client.send(request);
      const { resourceVersion } = (outcome.ok ? outcome.object?.metadata : undefined) ?? {};
      const isStored = request.verb !== "delete" && request.object.kind !== "Event";
      if (isStored && resourceVersion !== undefined)
        expected.set(getKey(request.object), resourceVersion);
      return outcome;
    };
    await own({ ...client, send }, pass);
    return undefined;
  };
}

const FINALIZER = "acme.com/jobset";

/** Adds a finalizer before anything else, and removes it when the JobSet is deleted. */
function addFinalizer(): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    const jobSet = await readManagedJobSet(client, pass);
    if (jobSet === undefined) return;
    const all: readonly string[] = jobSet.metadata.finalizers ?? [];
    const isDeleted = jobSet.metadata.deletionTimestamp !== undefined;
    if (isDeleted === all.includes(FINALIZER)) {
      const others = all.filter((one) => one !== FINALIZER);
      const finalizers = isDeleted ? others : [...all, FINALIZER];
      await client.update({ ...jobSet, metadata: { ...jobSet.metadata, finalizers } });
      if (isDeleted) return;
    }
    await own(client, pass);
  };
}
