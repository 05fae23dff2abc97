import { reconcile } from "@jobset-ts/core";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileRequest,
  type TestApiClient,
} from "@jobset-ts/testing/reconcile";
import {
  isStatusOfJobSet,
  type Loose,
  making,
  ofKind,
  rewriting,
  withStatus,
} from "./wrapped-controllers.ts";
import { subjectsByLaw, type WrongPasses } from "./wrong-subject.ts";

const ownTypes: ReadonlySet<string> = new Set([
  "Completed",
  "Failed",
  "Suspended",
  "RestartingJobSet",
  "StartupPolicyInProgress",
  "StartupPolicyCompleted",
]);

const creating = (kind: string, status: object) => () =>
  making(ofKind(kind, (one) => ({ ...one, status })));
const inStatus = (change: (status: Loose) => Loose) => () =>
  rewriting((one) => [isStatusOfJobSet(one) ? withStatus(one, change) : one]);
/** Some conditions are changed, or dropped. */
const inConditions = (change: (one: Loose) => Loose) =>
  inStatus(({ conditions, ...status }) => ({
    ...status,
    conditions: conditions?.map(change).filter((one: Loose) => one),
  }));
const inJobs = (change: (job: Loose) => Loose) => () =>
  rewriting((one) => [
    one.verb === "update" && one.object.kind === "Job" && one.subresource === undefined
      ? { ...one, object: change(one.object) }
      : one,
  ]);
const inMetadata = (change: (metadata: Loose) => Loose) =>
  inJobs((job) => ({ ...job, metadata: change(job.metadata) }));
/** Some members of a Job's metadata are dropped. */
const keeping = (name: string, isKept: (key: string, value: unknown) => boolean) =>
  inMetadata((metadata) => ({
    ...metadata,
    [name]: Object.fromEntries(
      Object.entries(metadata[name] ?? {}).filter(([key, value]) => isKept(key, value)),
    ),
  }));

/** Does something before each pass. */
const before =
  (act: (client: TestApiClient, pass: ReconcileRequest) => Promise<void>) =>
  (): ControllerSubject => {
    const own = createPlanController(reconcile);
    return async (client, pass) => {
      await act(client, pass);
      await own(client, pass);
    };
  };

const found = (
  client: TestApiClient,
  kind: string,
  namespace: string,
  name: string,
): Promise<Loose> => client.get(kind, namespace, name).catch(() => undefined);

const onJobSet = (change: object) =>
  before(async (client, { namespace, name }) => {
    const jobSet = await found(client, "JobSet", namespace, name);
    if (jobSet && jobSet.metadata.deletionTimestamp === undefined)
      await client.update({ ...jobSet, metadata: { ...jobSet.metadata, ...change } });
  });

/** Writes objects again with only the members that JobSet knows. */
const replacing = (kind: string) =>
  before(async (client, pass) => {
    for (const { apiVersion, metadata, spec } of (await client.list(
      kind,
      pass.namespace,
    )) as Loose[]) {
      const { namespace, name, ownerReferences } = metadata;
      const { ports: _ports, volumeName: _volume, ...known } = spec;
      const object = {
        apiVersion,
        kind,
        metadata: { namespace, name, ownerReferences },
        spec: known,
      };
      if (ownerReferences?.some((owner: Loose) => owner.name === pass.name))
        await client.update(object);
    }
  });

/** Takes the Service of the JobSet's subdomain from another JobSet. */
const takingOver = (
  take: (client: TestApiClient, service: Loose, jobSet: Loose) => Promise<unknown>,
) =>
  before(async (client, { namespace, name }) => {
    const jobSet = await found(client, "JobSet", namespace, name);
    const { enableDNSHostnames, subdomain } = jobSet?.spec.network ?? {};
    const service = await found(client, "Service", namespace, subdomain || name);
    const owners: readonly Loose[] = service?.metadata.ownerReferences ?? [];
    const isOfAnother = owners.every(({ uid }) => uid !== jobSet?.metadata.uid);
    if (enableDNSHostnames === true && service && isOfAnother) await take(client, service, jobSet);
  });
const selectorFor = ({ metadata }: Loose) => ({ "jobset.sigs.k8s.io/jobset-name": metadata.name });

const controllers: WrongPasses = {
  madeJobsHoldTheirTemplate: {
    "creates Jobs with a status": creating("Job", { active: 1, ready: 1 }),
    "creates Jobs that have completed": creating("Job", {
      conditions: [{ type: "Complete", status: "True" }],
    }),
  },
  servicesFindTheJobSetsPods: {
    "creates Services with a status": creating("Service", {
      loadBalancer: { ingress: [{ ip: "10.0.0.1" }] },
    }),
  },
  claimsHoldTheirTemplate: {
    "creates claims that are bound": creating("PersistentVolumeClaim", { phase: "Bound" }),
  },
  membersOfOthersAreKept: {
    "drops conditions of other types": inConditions((one) => ownTypes.has(one.type) && one),
    "drops conditions with a domain in their type": inConditions(
      (one) => !one.type.includes("/") && one,
    ),
    "drops conditions of other types without a domain": inConditions(
      (one) => (one.type.includes("/") || ownTypes.has(one.type)) && one,
    ),
    "resets the times of all conditions": inConditions((one) =>
      ownTypes.has(one.type) ? one : { ...one, lastTransitionTime: "2026-02-07T10:00:00Z" },
    ),
    "drops unknown members of the status": inStatus(({ later: _, ...status }) => status),
    "drops unknown members within the status": inStatus(({ later, ...status }) => ({
      ...status,
      ...(later && { later: { seen: later.seen } }),
    })),
    "drops other labels of Jobs": keeping("labels", (key) => key.includes("k8s.io/")),
    "drops empty labels of Jobs": keeping("labels", (_, value) => value !== ""),
    "drops other annotations of Jobs": keeping("annotations", (key) => key.includes("k8s.io/")),
    "drops finalizers of Jobs": inMetadata(({ finalizers: _, ...metadata }) => metadata),
    "drops all but the first owner of Jobs": inMetadata((metadata) => ({
      ...metadata,
      ownerReferences: metadata.ownerReferences?.slice(0, 1),
    })),
    "drops settings of Jobs": inJobs(
      ({ spec: { activeDeadlineSeconds: _, ttlSecondsAfterFinished: _ttl, ...spec }, ...job }) => ({
        ...job,
        spec,
      }),
    ),
    "drops the last setting of Jobs": inJobs(
      ({ spec: { ttlSecondsAfterFinished: _, ...spec }, ...job }) => ({ ...job, spec }),
    ),
    "drops conditions of Jobs with their start time": () =>
      rewriting((one) => {
        const { status, ...object } = one.object as Loose;
        if (object.kind !== "Job" || one.subresource !== "status") return [one];
        const { conditions: _, ...others } = status;
        return [{ ...one, object: { ...object, status: others } }];
      }),
    "replaces the finalizers of the JobSet": onJobSet({ finalizers: ["acme.com/mine"] }),
    "replaces the annotations of the JobSet": onJobSet({ annotations: { "acme.com/mine": "" } }),
    "replaces its Service by what it would create": replacing("Service"),
    "replaces its claims by what it would create": replacing("PersistentVolumeClaim"),
  },
  servicesOfOthersAreLeftAlone: {
    "selects its Pods by the Service of another JobSet": takingOver((client, service, jobSet) =>
      client.update({ ...service, spec: { ...service.spec, selector: selectorFor(jobSet) } }),
    ),
    "applies its Service over that of another JobSet": takingOver(
      (client, { apiVersion, kind, metadata: { namespace, name } }, jobSet) =>
        client.apply({
          apiVersion,
          kind,
          metadata: { namespace, name },
          spec: { clusterIP: "None", selector: selectorFor(jobSet) },
        }),
    ),
    "owns the Service of another JobSet": takingOver(
      (client, service, { apiVersion, kind, metadata: { name, uid } }) =>
        client.update({
          ...service,
          metadata: {
            ...service.metadata,
            ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
          },
        }),
    ),
    "replaces the Service of another JobSet": takingOver((client, service) =>
      client.delete(service, { propagationPolicy: "Background" }),
    ),
  },
};

/** Wrong controllers: each loses or takes over what belongs to another client, or writes what only the server writes. */
export const wrongControllers = subjectsByLaw("passes", controllers);
