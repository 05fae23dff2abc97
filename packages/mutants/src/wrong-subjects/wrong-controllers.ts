// Controllers that lose or take over what belongs to another client, or write what only the server writes.
import type { ControllerSubject, TestApiClient } from "@jobset-ts/testing/reconcile";
import type { Loose } from "../edit.ts";
import { before, readObject } from "../wrapped-controllers.ts";
import { sends, tells, tellsConditions } from "./wrong-pass.ts";
import { type SubjectsByLaw, subjectsByLaw } from "./wrong-subject.ts";

const isOwnType = (type: string) =>
  /^(Completed|Failed|Suspended|RestartingJobSet|StartupPolicy(InProgress|Completed))$/.test(type);
const inJobs = (path: string, change?: (value: Loose) => Loose) =>
  sends("update Job", path, change);
/** Our controller drops some members of a Job's metadata. */
const keeping = (name: string, isKept: (key: string, value: unknown) => boolean) =>
  inJobs(`metadata.${name}`, (all = {}) =>
    Object.fromEntries(Object.entries(all).filter(([key, value]) => isKept(key, value))),
  );
/** Our controller keeps some conditions of the JobSet only. */
const keepingConditions = (isKept: (type: string) => boolean) =>
  tellsConditions((one) => (isKept(one.type) ? one : undefined));

const onJobSet = (change: object) =>
  before(async (client, { namespace, name }) => {
    const jobSet = await readObject(client, "JobSet", namespace, name);
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
    const jobSet = await readObject(client, "JobSet", namespace, name);
    const { enableDNSHostnames, subdomain } = jobSet?.spec.network ?? {};
    const service = await readObject(client, "Service", namespace, subdomain || name);
    const owners: readonly Loose[] = service?.metadata.ownerReferences ?? [];
    const isOfAnother = owners.every(({ uid }) => uid !== jobSet?.metadata.uid);
    if (enableDNSHostnames === true && service && isOfAnother) await take(client, service, jobSet);
  });
const selectorFor = ({ metadata }: Loose) => ({ "jobset.sigs.k8s.io/jobset-name": metadata.name });

const controllers: SubjectsByLaw<() => ControllerSubject> = {
  createdJobsMatchTheirTemplate: {
    "creates Jobs with a status": sends("create Job", "status", () => ({ active: 1, ready: 1 })),
    "creates Jobs that have completed": sends("create Job", "status", () => ({
      conditions: [{ type: "Complete", status: "True" }],
    })),
  },
  servicesFindTheJobSetsPods: {
    "creates Services with a status": sends("create Service", "status", () => ({
      loadBalancer: { ingress: [{ ip: "10.0.0.1" }] },
    })),
  },
  claimsMatchTheirTemplate: {
    "creates PVCs that are bound": sends("create PersistentVolumeClaim", "status", () => ({
      phase: "Bound",
    })),
  },
  fieldsOfOtherClientsAreKept: {
    "drops conditions with a domain in their type": keepingConditions(
      (type) => !type.includes("/"),
    ),
    "drops conditions of other types without a domain": keepingConditions(
      (type) => type.includes("/") || isOwnType(type),
    ),
    "resets the times of all conditions": tellsConditions((one) =>
      isOwnType(one.type) ? one : { ...one, lastTransitionTime: "2026-02-07T10:00:00Z" },
    ),
    "drops unknown members within the status": tells(
      "later",
      (later) => later && { seen: later.seen },
    ),
    "drops other labels of Jobs": keeping("labels", (key) => key.includes("k8s.io/")),
    "drops empty labels of Jobs": keeping("labels", (_, value) => value !== ""),
    "drops other annotations of Jobs": keeping("annotations", (key) => key.includes("k8s.io/")),
    "drops all but the first owner of Jobs": inJobs("metadata.ownerReferences", (all) =>
      all?.slice(0, 1),
    ),
    "drops a setting of Jobs": inJobs("spec.ttlSecondsAfterFinished"),
    "drops conditions of Jobs with their start time": sends(
      "update Job/status",
      "status.conditions",
    ),
    "replaces the finalizers of the JobSet": onJobSet({ finalizers: ["acme.com/mine"] }),
    "replaces the annotations of the JobSet": onJobSet({ annotations: { "acme.com/mine": "" } }),
    "replaces its Service with a new one": replacing("Service"),
    "replaces its PVCs with new ones": replacing("PersistentVolumeClaim"),
  },
  servicesOfOthersAreLeftAlone: {
    "changes the Service of another JobSet to select its own Pods": takingOver(
      (client, service, jobSet) =>
        client.update({ ...service, spec: { ...service.spec, selector: selectorFor(jobSet) } }),
    ),
    "applies its Service to the Service of another JobSet": takingOver(
      (client, { apiVersion, kind, metadata: { namespace, name } }, jobSet) =>
        client.apply({
          apiVersion,
          kind,
          metadata: { namespace, name },
          spec: { clusterIP: "None", selector: selectorFor(jobSet) },
        }),
    ),
    "adds itself as an owner of the Service of another JobSet": takingOver(
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

export const wrongControllers = subjectsByLaw("passes", controllers, (make) => make());
