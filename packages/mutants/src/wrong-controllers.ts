import { reconcile } from "@jobset-ts/core";
import {
  type ApiClient,
  type ApiRequest,
  type Controller,
  controllerOfPlans,
  type Pass,
  type ReconcileLawName,
} from "@jobset-ts/testing/reconcile";
import {
  isStatusOfJobSet,
  type Loose,
  making,
  ofKind,
  rewriting,
  withStatus,
} from "./wrapped-controllers.ts";

/** A controller that breaks a law, on every seed. */
export interface WrongController {
  readonly by: ReconcileLawName;
  readonly make: () => Controller;
}

/** Wrong controllers: each loses or takes over what belongs to another client, or writes what only the server writes. */
export const wrongControllers: Readonly<Record<string, WrongController>> = {
  "creates Jobs with a status": {
    by: "madeJobsHoldTheirTemplate",
    make: () => making(ofKind("Job", (job) => ({ ...job, status: { active: 1, ready: 1 } }))),
  },
  "creates Jobs that have completed": {
    by: "madeJobsHoldTheirTemplate",
    make: () =>
      making(
        ofKind("Job", (job) => ({
          ...job,
          status: { conditions: [{ type: "Complete", status: "True" }] },
        })),
      ),
  },
  "creates Services with a status": {
    by: "servicesFindTheJobSetsPods",
    make: () =>
      making(
        ofKind("Service", (service) => ({
          ...service,
          status: { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
        })),
      ),
  },
  "creates claims that are bound": {
    by: "claimsHoldTheirTemplate",
    make: () =>
      making(
        ofKind("PersistentVolumeClaim", (claim) => ({ ...claim, status: { phase: "Bound" } })),
      ),
  },
  "drops conditions of other types": inStatus(({ conditions, ...status }) => ({
    ...status,
    conditions: conditions?.filter(({ type }: Loose) => ownTypes.has(type)),
  })),
  "drops conditions with a domain in their type": inStatus(({ conditions, ...status }) => ({
    ...status,
    conditions: conditions?.filter(({ type }: Loose) => !type.includes("/")),
  })),
  "drops conditions of other types without a domain": inStatus(({ conditions, ...status }) => ({
    ...status,
    conditions: conditions?.filter(({ type }: Loose) => type.includes("/") || ownTypes.has(type)),
  })),
  "resets the times of all conditions": inStatus(({ conditions, ...status }) => ({
    ...status,
    conditions: conditions?.map((one: Loose) =>
      ownTypes.has(one.type) ? one : { ...one, lastTransitionTime: "2026-02-07T10:00:00Z" },
    ),
  })),
  "drops unknown members of the status": inStatus(({ later: _, ...status }) => status),
  "drops unknown members within the status": inStatus(({ later, ...status }) => ({
    ...status,
    ...(later && { later: { seen: later.seen } }),
  })),
  "drops other labels of Jobs": inJobs(({ metadata, ...job }) => ({
    ...job,
    metadata: { ...metadata, labels: only(metadata.labels, (key) => key.includes("k8s.io/")) },
  })),
  "drops empty labels of Jobs": inJobs(({ metadata, ...job }) => ({
    ...job,
    metadata: { ...metadata, labels: only(metadata.labels, (_, value) => value !== "") },
  })),
  "drops other annotations of Jobs": inJobs(({ metadata, ...job }) => ({
    ...job,
    metadata: {
      ...metadata,
      annotations: only(metadata.annotations, (key) => key.includes("k8s.io/")),
    },
  })),
  "drops finalizers of Jobs": inJobs(({ metadata: { finalizers: _, ...metadata }, ...job }) => ({
    ...job,
    metadata,
  })),
  "drops all but the first owner of Jobs": inJobs(({ metadata, ...job }) => ({
    ...job,
    metadata: { ...metadata, ownerReferences: metadata.ownerReferences?.slice(0, 1) },
  })),
  "drops settings of Jobs": inJobs(({ spec, ...job }) => {
    const { activeDeadlineSeconds: _, ttlSecondsAfterFinished: _ttl, ...own } = spec;
    return { ...job, spec: own };
  }),
  "drops the last setting of Jobs": inJobs(({ spec, ...job }) => {
    const { ttlSecondsAfterFinished: _, ...own } = spec;
    return { ...job, spec: own };
  }),
  "drops conditions of Jobs with their start time": {
    by: "membersOfOthersAreKept",
    make: () =>
      rewriting((one) => {
        const { status, ...object } = one.object as Loose;
        if (one.object.kind !== "Job" || one.subresource !== "status") return [one];
        const { conditions: _, ...others } = status;
        return [{ ...one, object: { ...object, status: others } }];
      }),
  },
  "replaces the finalizers of the JobSet": onJobSet(({ metadata }) => ({
    ...metadata,
    finalizers: ["acme.com/mine"],
  })),
  "replaces the annotations of the JobSet": onJobSet(({ metadata }) => ({
    ...metadata,
    annotations: { "acme.com/mine": "" },
  })),
  "replaces its Service by what it would create": {
    by: "membersOfOthersAreKept",
    make: replacing("Service"),
  },
  "replaces its claims by what it would create": {
    by: "membersOfOthersAreKept",
    make: replacing("PersistentVolumeClaim"),
  },
  "selects its Pods by the Service of another JobSet": takingOver(
    async (client, service, { name }) => {
      const selector = { "jobset.sigs.k8s.io/jobset-name": name };
      await client.update({ ...service, spec: { ...service.spec, selector } });
    },
  ),
  "applies its Service over that of another JobSet": takingOver(
    async (client, { apiVersion, kind, metadata }, { namespace, name }) => {
      const spec = { clusterIP: "None", selector: { "jobset.sigs.k8s.io/jobset-name": name } };
      await client.apply({ apiVersion, kind, metadata: { namespace, name: metadata.name }, spec });
    },
  ),
  "owns the Service of another JobSet": takingOver(async (client, service, pass) => {
    const { apiVersion, kind, metadata } = (await client.get(
      "JobSet",
      pass.namespace,
      pass.name,
    )) as Loose;
    const { name, uid } = metadata;
    const ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
    await client.update({ ...service, metadata: { ...service.metadata, ownerReferences } });
  }),
  "replaces the Service of another JobSet": takingOver((client, service) =>
    client.delete(service, { propagationPolicy: "Background" }),
  ),
};

const ownTypes: ReadonlySet<string> = new Set([
  "Completed",
  "Failed",
  "Suspended",
  "RestartingJobSet",
  "StartupPolicyInProgress",
  "StartupPolicyCompleted",
]);

function inStatus(change: (status: Loose) => Loose): WrongController {
  return {
    by: "membersOfOthersAreKept",
    make: () => rewriting((one) => [isStatusOfJobSet(one) ? withStatus(one, change) : one]),
  };
}

function inJobs(change: (job: Loose) => Loose): WrongController {
  const isUpdate = ({ verb, object, subresource }: ApiRequest) =>
    verb === "update" && object.kind === "Job" && subresource === undefined;
  return {
    by: "membersOfOthersAreKept",
    make: () => rewriting((one) => [isUpdate(one) ? { ...one, object: change(one.object) } : one]),
  };
}

function onJobSet(metadataOf: (jobSet: Loose) => Loose): WrongController {
  return {
    by: "membersOfOthersAreKept",
    make: () => {
      const own = controllerOfPlans(reconcile);
      return async (client, pass) => {
        const jobSet: Loose = await client
          .get("JobSet", pass.namespace, pass.name)
          .catch(() => undefined);
        const isGoing = jobSet?.metadata.deletionTimestamp !== undefined;
        if (jobSet && !isGoing) await client.update({ ...jobSet, metadata: metadataOf(jobSet) });
        await own(client, pass);
      };
    },
  };
}

/** Writes objects again with no more than JobSet knows of them. */
function replacing(wanted: string): () => Controller {
  return () => {
    const own = controllerOfPlans(reconcile);
    return async (client, pass) => {
      for (const object of (await client.list(wanted, pass.namespace)) as Loose[]) {
        const { apiVersion, kind, metadata, spec } = object;
        const { namespace, name, ownerReferences } = metadata;
        const { ports: _ports, volumeName: _volume, ...known } = spec;
        const isOwn = ownerReferences?.some((owner: Loose) => owner.name === pass.name);
        if (isOwn)
          await client.update({
            apiVersion,
            kind,
            metadata: { namespace, name, ownerReferences },
            spec: known,
          });
      }
      await own(client, pass);
    };
  };
}

/** Takes the Service of the JobSet's subdomain from another JobSet. */
function takingOver(
  take: (client: ApiClient, service: Loose, pass: Pass) => Promise<void>,
): WrongController {
  return {
    by: "servicesOfOthersAreLeftAlone",
    make: () => {
      const own = controllerOfPlans(reconcile);
      return async (client, pass) => {
        const jobSet: Loose = await client
          .get("JobSet", pass.namespace, pass.name)
          .catch(() => undefined);
        const { enableDNSHostnames, subdomain } = jobSet?.spec.network ?? {};
        const name = subdomain || pass.name;
        const service: Loose = await client
          .get("Service", pass.namespace, name)
          .catch(() => undefined);
        const owners: readonly Loose[] = service?.metadata.ownerReferences ?? [];
        const isOfAnother = owners.every(({ uid }) => uid !== jobSet?.metadata.uid);
        if (enableDNSHostnames === true && service && isOfAnother)
          await take(client, service, pass);
        await own(client, pass);
      };
    },
  };
}

function only(
  members: Loose,
  isKept: (key: string, value: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members ?? {}).filter(([key, value]) => isKept(key, value)),
  );
}
