import { type Effect, reconcile } from "@jobset-ts/core";
import { desiredService } from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type TestApiClient,
  type TestApiRequest,
} from "@jobset-ts/testing/reconcile";
import { listAllObjects } from "../../testing/src/laws/controller.ts";
import type { Loose } from "./edit.ts";
import {
  eventAbout,
  isStatusOfJobSet,
  making,
  mergePatch,
  ofKind,
  withStatus,
} from "./right-controller.ts";
import { current, rewriting } from "./wrapped-controllers.ts";

/** Correct controllers, each with one habit of a client library or a framework. */
export const clientHabits: Readonly<Record<string, () => ControllerSubject>> = {
  // client-go and controller-runtime
  "that writes zero values as Go serializes them": () => making(withZeroValues),
  "that updates Jobs without a resourceVersion": () =>
    rewriting((one) => (isUpdateOfJob(one) ? [withoutVersion(one)] : [one])),
  "that repeats an update after a conflict": () =>
    rewriting(async (one, client) => {
      if (!isUpdateOfJob(one)) return [one];
      const seen = (await current(one, client)) as Loose;
      const outdated = {
        ...one.object.metadata,
        resourceVersion: `0${seen?.metadata.resourceVersion}`,
      };
      // The first attempt meets a conflict.
      await client.send({ ...one, object: { ...one.object, metadata: outdated } });
      return [one];
    }),
  "that treats its own existing object as created": () => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      const jobSet = await readJobSet(client, pass);
      const send: TestApiClient["send"] = async (request) => {
        const there: Loose = request.verb === "create" && (await current(request, client));
        return there && isControlledBy(there, jobSet) ? { ok: true } : client.send(request);
      };
      await own({ ...client, send }, pass);
    };
  },
  "that restores its Service to the state in which it creates it": beside(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    const desired: Loose = jobSet && !isFinished(jobSet) ? desiredService(jobSet) : undefined;
    const there: Loose =
      desired &&
      (await client.get("Service", pass.namespace, desired.metadata.name).catch(() => {}));
    if (!there || !isControlledBy(there, jobSet)) return;
    const { publishNotReadyAddresses: _, ...others } = there.spec;
    const spec = { ...others, ...desired.spec };
    const isSame = Object.keys({ ...spec, ...there.spec }).every(
      (name) => JSON.stringify(spec[name]) === JSON.stringify(there.spec[name]),
    );
    if (!isSame) await client.update({ ...there, spec });
  }),
  "that adds an owner to Jobs": () =>
    making(
      ofKind("Job", (job) => {
        const owner = { apiVersion: "v1", kind: "ConfigMap", name: "hosts", uid: "hosts" };
        const ownerReferences = [...job.metadata.ownerReferences, owner];
        return { ...job, metadata: { ...job.metadata, ownerReferences } };
      }),
    ),
  "that chooses the names of its Events": () =>
    making(
      (object) => object,
      (event) => {
        const { generateName: _, ...metadata } = event.metadata;
        return { ...event, metadata: { ...metadata, name: `train.${event.reason}` } };
      },
    ),
  "that counts repeated Events with a patch": countingEvents,
  "that reads back the Events that it creates": () =>
    rewriting(async (one, client) => {
      if (one.object.kind !== "Event") return [one];
      const created = await client.create(one.object);
      await client.get("Event", created.metadata.namespace ?? "", created.metadata.name ?? "");
      return [];
    }),
  "that renews a Lease": beside(async (client, { namespace, now }) => {
    const metadata = { namespace, name: "controller" };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata };
    const spec = { holderIdentity: "us", renewTime: now };
    const held = await client.get("Lease", namespace, "controller").catch(() => undefined);
    if (held === undefined) await client.create({ ...lease, spec });
    else await client.update({ ...held, spec } as Loose);
  }),
  "that waits until its cache shows its own writes": expecting,
  "that adds its finalizer to the JobSet": finalizing,
  "that deletes Jobs by UID": () =>
    rewriting(async (one, client) => {
      const { uid } = one.verb === "delete" ? ((await current(one, client))?.metadata ?? {}) : {};
      return [uid === undefined ? one : { ...one, preconditions: { uid } }];
    }),
  "that patches only the changed fields of the status": () =>
    rewriting(async (one, client) => {
      if (!isStatusOfJobSet(one)) return [one];
      const stored = (await current(one, client)) as Loose;
      const status = mergePatch(stored?.status ?? {}, one.object.status);
      return [{ ...one, verb: "patch", object: { ...formatObjectName(one), status } as Loose }];
    }),
  "that writes the status to the newest version of the JobSet": () =>
    rewriting(async (one, client) => {
      if (!isStatusOfJobSet(one)) return [one];
      const stored = (await current(one, client)) as Loose;
      const { resourceVersion } = (one.object.metadata ?? {}) as Loose;
      if (stored?.metadata.resourceVersion !== resourceVersion) return [one];
      return [{ ...one, object: { ...stored, status: one.object.status } }];
    }),
  "that writes each status twice": () =>
    rewriting(async (one, client) => {
      if (!isStatusOfJobSet(one)) return [one];
      const outcome = await client.send(one);
      if (!outcome.ok) return [one];
      return [{ ...one, object: { ...one.object, metadata: outcome.object?.metadata } as Loose }];
    }),
  "that sets observedGeneration in conditions": () =>
    rewriting((one) => [
      withStatus(one, (status) => ({
        ...status,
        ...(status.conditions && {
          conditions: status.conditions.map((each: Loose) => ({ observedGeneration: 1, ...each })),
        }),
      })),
    ]),
  "that sets observedGeneration in the status": () =>
    rewriting((one) => [withStatus(one, (status) => ({ ...status, observedGeneration: 1 }))]),
  "that sets a condition Ready": () =>
    rewriting((one) => [withStatus(one, (status) => withCondition(status, "Ready"))]),
  "that requests to be called again after each pass": again,
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
  "that does nothing in every other pass": idling(2),
  "that does nothing in nine of ten passes": idling(10),
  "that creates Jobs in the order of their names": withJobOrder((one) => one),
  "that creates Jobs in the reverse order": withJobOrder((one) => one.toReversed()),
  "that lists one namespace": () => {
    const own = createPlanController(reconcile);
    return (client, pass) =>
      own({ ...client, list: (kind) => client.list(kind, pass.namespace) }, pass);
  },

  // Defaults and spellings
  "that writes the defaults of a Job": () => making(ofJob(withJobDefaults)),
  "that writes the defaults of a Pod template": () => making(ofJob(withPodDefaults)),
  "that writes the defaults of Services and PVCs": () => making(withOtherDefaults),
  "that treats absent Pod counts as 1 when it scales": scalingByOne,
  "that writes quantities in other units": () => making((object) => inOtherUnits(object)),
  "that writes times with an offset": () =>
    rewriting((one) => [
      withStatus(one, (status) =>
        JSON.parse(JSON.stringify(status).replace(/(T\d\d:\d\d:\d\d)Z/g, "$1+00:00")),
      ),
    ]),

  // Server-side apply: kube-rs, Pulumi, Flux
  "that writes the status with server-side apply": () =>
    rewriting((one) => {
      if (!isStatusOfJobSet(one)) return [one];
      const { status } = one.object;
      return [{ ...one, verb: "apply", object: { ...formatObjectName(one), status } as Loose }];
    }),
  "that applies its Service again in every pass": beside(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    for (const service of (await client.list("Service", pass.namespace)) as Loose[]) {
      const { apiVersion, kind, metadata, spec } = service;
      const { namespace, name, ownerReferences } = metadata;
      if (isControlledBy(service, jobSet))
        await client.apply({
          apiVersion,
          kind,
          metadata: { namespace, name, ownerReferences },
          spec,
        });
    }
  }),
  "that applies complete Jobs": () =>
    rewriting((one) => {
      if (!isUpdateOfJob(one)) return [one];
      const { labels, annotations, ownerReferences } = one.object.metadata as Loose;
      const { metadata, ...object } = formatObjectName(one);
      const own = { ...metadata, labels, annotations, ownerReferences };
      const { spec } = one.object;
      return [{ ...one, verb: "apply", object: { ...object, metadata: own, spec } as Loose }];
    }),
  "that suspends Jobs with an apply of one field": () =>
    rewriting((one) => {
      const { spec } = one.object as Loose;
      if (!isUpdateOfJob(one) || spec.suspend !== true) return [one];
      return [
        {
          ...one,
          verb: "apply",
          object: { ...formatObjectName(one), spec: { suspend: true } } as Loose,
        },
      ];
    }),

  // Patches: kopf, fabric8, the Python and JavaScript clients
  "that resumes Jobs with a patch for each key": () =>
    rewriting(async (one, client) => {
      const stored = isUpdateOfJob(one) ? ((await current(one, client)) as Loose) : undefined;
      const { metadata, spec } = one.object as Loose;
      if (stored === undefined || spec.suspend === true) return [one];
      const annotations = keyPatch(stored.metadata.annotations, metadata.annotations);
      const { metadata: known, ...object } = formatObjectName(one);
      return [
        {
          ...one,
          verb: "patch",
          object: {
            ...object,
            metadata: { ...known, annotations },
            spec: keyPatch(stored.spec, spec),
          } as Loose,
        },
      ];
    }),
  "that suspends Jobs with a patch": () =>
    rewriting((one) => {
      const { spec } = one.object as Loose;
      if (!isUpdateOfJob(one) || spec.suspend !== true) return [one];
      return [
        {
          ...one,
          verb: "patch",
          object: { ...formatObjectName(one), spec: { suspend: true } } as Loose,
        },
      ];
    }),
  "that removes start times with a patch": () =>
    rewriting((one) =>
      one.object.kind === "Job" && one.subresource === "status"
        ? [
            {
              ...one,
              verb: "patch",
              object: { ...formatObjectName(one), status: { startTime: null } } as Loose,
            },
          ]
        : [one],
    ),
  "that stores the observed generation in an annotation of the JobSet": annotating,
  "that replaces its existing Service": () =>
    rewriting(async (one, client) => {
      if (one.verb !== "create" || one.object.kind !== "Service") return [one];
      const there = (await current(one, client)) as Loose;
      return [there === undefined ? one : { ...one, verb: "update", object: { ...one.object } }];
    }),

  // Objects and members in addition
  "that sets last-applied-configuration on created objects": () =>
    making((object) => hasKey(object, "metacontroller.k8s.io/last-applied-configuration")),
  "that annotates Jobs after it has created them": () =>
    rewriting(async (one, client) => {
      if (one.verb !== "create" || one.object.kind !== "Job") return [one];
      const outcome = await client.send(one);
      if (!outcome.ok) return [one];
      const object = {
        ...formatObjectName(one),
        metadata: { ...formatObjectName(one).metadata, annotations: MARK },
      };
      return [{ verb: "patch", object: object as Loose }];
    }),
  "that reports each Job in an Event about the Job": reporting("batch/v1 Job"),
  "that reports each Job in an Event about the JobSet": reporting(
    "jobset.x-k8s.io/v1alpha2 JobSet",
  ),
  "that reports rejected creations with its own message": () => {
    const own = createPlanController(reconcile);
    return (client, pass) => {
      const send: TestApiClient["send"] = (request) => {
        const { object } = request;
        if (object.kind !== "Event") return client.send(request);
        return client.send({ ...request, object: { ...object, message: "an object is missing" } });
      };
      return own({ ...client, send }, pass);
    };
  },
  "that creates a ConfigMap for each JobSet": withObject((owner) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...owner, name: "hosts" },
    data: { hosts: "" },
  })),
  "that creates a NetworkPolicy for each JobSet": withObject((owner) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { ...owner, name: "pods" },
    spec: { podSelector: {} },
  })),
  "that creates a PodDisruptionBudget for each JobSet": withObject((owner) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { ...owner, name: "pods" },
    spec: { minAvailable: "100%" },
  })),
  "that creates a second Service for each JobSet": withObject((owner) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { ...owner, name: "metrics" },
    spec: { clusterIP: "None", ports: [{ name: "metrics", port: 9090 }] },
  })),
};

function isUpdateOfJob({ verb, object, subresource }: TestApiRequest): boolean {
  return verb === "update" && object.kind === "Job" && subresource === undefined;
}

/** Returns the name of a request's object with the observed version. */
function formatObjectName({ object }: TestApiRequest): Loose {
  const { apiVersion, kind, metadata } = object as Loose;
  const { namespace, name, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { namespace, name, resourceVersion } };
}

function withoutVersion(request: TestApiRequest): TestApiRequest {
  const { resourceVersion: _, ...metadata } = request.object.metadata as Loose;
  return { ...request, object: { ...request.object, metadata } };
}

function isControlledBy({ metadata }: Loose, jobSet: Loose): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner: Loose) => owner.controller && owner.uid === jobSet?.metadata.uid,
  );
}

async function readJobSet(
  client: TestApiClient,
  { namespace, name }: ReconcileRequest,
): Promise<Loose> {
  const jobSet: Loose = await client.get("JobSet", namespace, name).catch(() => undefined);
  const manager = jobSet?.spec.managedBy ?? "jobset.sigs.k8s.io/jobset-controller";
  const isOurs = manager === "jobset.sigs.k8s.io/jobset-controller";
  return isOurs && jobSet?.metadata.deletionTimestamp === undefined ? jobSet : undefined;
}

/** Our controller with additional requests before each pass. */
function beside(
  act: (client: TestApiClient, pass: ReconcileRequest) => Promise<void>,
): () => ControllerSubject {
  return () => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      await act(client, pass);
      await own(client, pass);
    };
  };
}

function withObject(objectFor: (metadata: object) => Loose): () => ControllerSubject {
  return beside(async (client, pass) => {
    const jobSet = await readJobSet(client, pass);
    if (jobSet === undefined) return;
    const { apiVersion, kind, metadata } = jobSet;
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
    const object = objectFor({ namespace: pass.namespace, ownerReferences: [owner] });
    const { name } = object.metadata;
    object.metadata.name = `${pass.name}-${name}`;
    const there = await client
      .get(object.kind, pass.namespace, object.metadata.name)
      .catch(() => {});
    if (there === undefined) await client.create(object);
  });
}

function withZeroValues(object: Loose): Loose {
  const metadata = { ...object.metadata, creationTimestamp: null };
  if (object.kind !== "Job") return { ...object, metadata, status: { loadBalancer: {} } };
  const { template } = object.spec;
  const containers = (template.spec.containers ?? []).map((one: Loose) => ({
    resources: {},
    ...one,
  }));
  return {
    ...object,
    metadata,
    spec: {
      ...object.spec,
      suspend: object.spec.suspend ?? false,
      template: {
        ...template,
        metadata: { creationTimestamp: null, ...template.metadata },
        spec: { volumes: [], nodeSelector: {}, hostNetwork: false, ...template.spec, containers },
      },
    },
    status: {},
  };
}

function ofJob(change: (spec: Loose) => Loose): (object: Loose) => Loose {
  return ofKind("Job", (job) => ({ ...job, spec: change(job.spec) }));
}

function withJobDefaults(spec: Loose): Loose {
  return {
    backoffLimit: 6,
    completionMode: "NonIndexed",
    podReplacementPolicy: "TerminatingOrFailed",
    parallelism: 1,
    completions: 1,
    manualSelector: false,
    suspend: false,
    ...spec,
  };
}

function withPodDefaults(spec: Loose): Loose {
  const withContainer = (one: Loose) => ({
    imagePullPolicy: "Always",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    ...one,
  });
  const { containers = [], initContainers = [], ...others } = spec.template.spec;
  const pod = {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...others,
    containers: containers.map(withContainer),
    initContainers: initContainers.map(withContainer),
  };
  return { ...spec, template: { ...spec.template, spec: pod } };
}

function withOtherDefaults(object: Loose): Loose {
  if (object.kind === "PersistentVolumeClaim")
    return { ...object, spec: { volumeMode: "Filesystem", ...object.spec } };
  if (object.kind !== "Service") return object;
  const spec = { type: "ClusterIP", sessionAffinity: "None", clusterIPs: ["None"], ...object.spec };
  return { ...object, spec };
}

function inOtherUnits(object: Loose): Loose {
  const text = JSON.stringify(object).replace(/"cpu":"(\d+)"/g, '"cpu":"$1000m"');
  return JSON.parse(
    text.replace(
      /"(memory|storage)":"(\d)Gi"/g,
      (_, name, count) => `"${name}":"${1024 * count}Mi"`,
    ),
  );
}

/** Our controller, with template defaults set when it scales, but not when it creates. */
function scalingByOne(): ControllerSubject {
  return createPlanController((snapshot, jobSet, context) => {
    const { spec } = jobSet as Loose;
    const replicatedJobs = (spec.replicatedJobs ?? []).map((one: Loose) => {
      const numbers = { parallelism: 1, completions: 1, ...one.template?.spec };
      return { ...one, template: { ...one.template, spec: numbers } };
    });
    const filled = { ...(jobSet as Loose), spec: { ...spec, replicatedJobs } };
    return reconcile(snapshot, filled, context);
  });
}

function again(): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    await own(client, pass);
    return { requeueAfterSeconds: 300 };
  };
}

function idling(period: number): () => ControllerSubject {
  return () => {
    const own = createPlanController(reconcile);
    let passes = 0;
    return async (client, pass) => {
      passes += 1;
      if (passes % period !== 0) return { requeueAfterSeconds: 1 };
      await own(client, pass);
      return {};
    };
  };
}

/** Our controller with the Jobs of each step in another order. */
function withJobOrder(
  change: (jobs: readonly Effect[]) => readonly Effect[],
): () => ControllerSubject {
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
function countingEvents(): ControllerSubject {
  const counts = new Map<string, number>();
  return rewriting(async (one, client) => {
    if (one.object.kind !== "Event") return [one];
    const { metadata, involvedObject, reason, message } = one.object as Loose;
    const text = `${involvedObject.uid}-${reason}-${message}`.toLowerCase();
    const name = `${involvedObject.name}.${text.replace(/[^a-z0-9]+/g, "-")}`;
    const known = await client.get("Event", metadata.namespace, name).catch(() => undefined);
    const count = known === undefined ? 1 : (counts.get(name) ?? 1) + 1;
    counts.set(name, count);
    const { generateName: _, ...others } = metadata;
    const event = { ...one.object, count, metadata: { ...others, name } };
    if (known === undefined) return [{ ...one, object: event as Loose }];
    const { apiVersion, kind } = one.object;
    const patch = { apiVersion, kind, metadata: { namespace: metadata.namespace, name }, count };
    return [{ verb: "patch", object: patch as Loose }];
  });
}

/** Skips a pass while an object in the cache is older than the last write. */
function expecting(): ControllerSubject {
  const own = createPlanController(reconcile);
  let expected = new Map<string, string>();
  let last = "";
  return async (client, pass) => {
    // Another cluster has other objects with the same names.
    if (pass.now < last) expected = new Map();
    last = pass.now;
    const keyOf = ({ kind, metadata }: Loose) => `${kind}/${metadata.namespace}/${metadata.name}`;
    const objects: Loose[] = [...(await listAllObjects(client))];
    for (const object of objects) {
      const version = expected.get(keyOf(object));
      if (version === undefined) continue;
      if (Number(object.metadata.resourceVersion) < Number(version))
        return { requeueAfterSeconds: 1 };
      expected.delete(keyOf(object));
    }
    const send: TestApiClient["send"] = async (request) => {
      const outcome = await client.send(request);
      const { resourceVersion } = (outcome.ok ? outcome.object?.metadata : undefined) ?? {};
      const isKept = request.verb !== "delete" && request.object.kind !== "Event";
      if (isKept && resourceVersion !== undefined)
        expected.set(keyOf(request.object), resourceVersion);
      return outcome;
    };
    await own({ ...client, send }, pass);
    return undefined;
  };
}

const FINALIZER = "acme.com/jobset";

/** Adds a finalizer before anything else, and removes it when the JobSet is deleted. */
function finalizing(): ControllerSubject {
  const own = createPlanController(reconcile);
  return async (client, pass) => {
    const jobSet: Loose = await client
      .get("JobSet", pass.namespace, pass.name)
      .catch(() => undefined);
    const finalizers: readonly string[] = jobSet?.metadata.finalizers ?? [];
    const isGoing = jobSet?.metadata.deletionTimestamp !== undefined;
    const manager = jobSet?.spec.managedBy ?? "jobset.sigs.k8s.io/jobset-controller";
    if (jobSet === undefined || manager !== "jobset.sigs.k8s.io/jobset-controller") return;
    const isThere = finalizers.includes(FINALIZER);
    if (isGoing && isThere) {
      const others = finalizers.filter((one) => one !== FINALIZER);
      await client.update({ ...jobSet, metadata: { ...jobSet.metadata, finalizers: others } });
      return;
    }
    if (!isGoing && !isThere) {
      const all = [...finalizers, FINALIZER];
      await client.update({ ...jobSet, metadata: { ...jobSet.metadata, finalizers: all } });
    }
    await own(client, pass);
  };
}

/** Annotates what the controller has handled, as kopf does. */
function annotating(): ControllerSubject {
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

const MARK = { "acme.com/hash": "0" };

function hasKey(object: Loose, key: string): Loose {
  const annotations = { ...object.metadata.annotations, [key]: JSON.stringify(object.spec) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function reporting(type: string): () => ControllerSubject {
  return () => {
    const own = createPlanController(reconcile);
    return (client, pass) => {
      const send: TestApiClient["send"] = async (request) => {
        const outcome = await client.send(request);
        const isMade = outcome.ok && request.verb === "create" && request.object.kind === "Job";
        const about = type.endsWith(" Job") ? (request.object.metadata as Loose) : pass;
        const words = { type: "Normal", reason: "JobCreated", message: "a Job is created" };
        if (isMade) await client.create(eventAbout(type, about, words).object);
        return outcome;
      };
      return own({ ...client, send }, pass);
    };
  };
}

function withCondition(status: Loose, type: string): Loose {
  const lastTransitionTime = "2026-01-01T00:00:00Z";
  const own = { type, status: "True", reason: "Seen", message: "", lastTransitionTime };
  const others = (status.conditions ?? []).filter((one: Loose) => one.type !== type);
  return { ...status, conditions: [...others, own] };
}

/** Returns a merge patch that removes keys one by one, and never a whole map. */
function keyPatch(before: Loose = {}, after: Loose = {}): Loose {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const isMap = (value: unknown) => value instanceof Object && !Array.isArray(value);
  const changes = names.flatMap((name) => {
    const [was, is] = [before, after].map((one) =>
      Object.hasOwn(one, name) ? one[name] : undefined,
    );
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    if (isMap(was) || isMap(is)) return [[name, keyPatch(was, is)]];
    return [[name, is ?? (Array.isArray(was) ? [] : null)]];
  });
  return Object.fromEntries(changes);
}
