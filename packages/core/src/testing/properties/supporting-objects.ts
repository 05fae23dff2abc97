import {
  getName,
  getNamespace,
  type KubernetesObject,
  type PersistentVolumeClaim,
  type Service,
} from "@jobset-ts/api/kubernetes";
import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import type { Effect } from "../../index.ts";
import type { CreateEffect } from "../../plan/effects.ts";
import { InMemoryCluster } from "../in-memory-cluster.ts";
import { playRounds } from "./coming-to-rest.ts";
import { runPass } from "./pass-over.ts";
import { listEffects, type Reconcile } from "./subject.ts";

/** The headless Service is created if and only if DNS hostnames are enabled and no Service has its name. */
export function missingServiceIsCreated(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false }), (cluster) => {
    const { jobSet } = cluster;
    const others = objectsInNamespace(cluster);
    const { plan, goesOn } = runPass(subject, cluster);
    fc.pre(goesOn);
    const { enableDNSHostnames, subdomain, publishNotReadyAddresses } = jobSet.spec.network ?? {};
    const name = subdomain || "train";
    const exists = others.some((one) => one.kind === "Service" && getName(one) === name);
    const created = createdBy<Service>(listEffects(plan, "service"));
    if (!enableDNSHostnames || exists)
      return claimSame(created, [], "an unneeded Service is created");
    const [service] = created;
    claimSame([created.length, service?.metadata.name], [1, name], "another Service is made");
    claimSame(listOwners(service), ["train-uid"], "the Service is not the JobSet's");
    const spec = {
      clusterIP: "None",
      selector: { "jobset.sigs.k8s.io/jobset-name": "train" },
      ...(publishNotReadyAddresses !== false && { publishNotReadyAddresses: true }),
    };
    claimSame(service?.spec, spec, "the Service is another");
  });
}

/** A Service that selects the Pods of another JobSet causes a warning in each pass and at most one Event. */
export function serviceConflictIsReported(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false, wedged: false }), (cluster) => {
    const { jobSet } = cluster;
    const others = objectsInNamespace(cluster);
    const { plan, goesOn } = runPass(subject, cluster);
    fc.pre(goesOn);
    const { enableDNSHostnames, subdomain } = jobSet.spec.network ?? {};
    const service = others.find(
      (one): one is Service => one.kind === "Service" && getName(one) === (subdomain || "train"),
    );
    const selected = service?.spec?.selector?.["jobset.sigs.k8s.io/jobset-name"] ?? "train";
    const isInTheWay = enableDNSHostnames === true && selected !== "train";
    const warns = plan.warnings.some((text) => text.includes("have no DNS hostnames"));
    claimSame(warns, isInTheWay, "it warns otherwise");

    const plans = playRounds(subject, new InMemoryCluster(cluster), cluster.context, 4);
    const conflicts = plans.flatMap(({ events }) =>
      events.filter(({ reason }) => reason === "HeadlessServiceConflict"),
    );
    const isNew = (jobSet.status?.replicatedJobsStatus ?? []).length === 0;
    claim(
      conflicts.length <= (isNew && isInTheWay ? 1 : 0),
      "it is reported more than once",
      conflicts,
    );
  });
}

/**
 * Missing PersistentVolumeClaims are created in spec order. Those of a policy that retains them have no owner and
 * outlive the JobSet.
 */
export function missingVolumeClaimsAreCreated(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false }), (cluster) => {
    const { jobSet } = cluster;
    const others = objectsInNamespace(cluster);
    const { plan, goesOn } = runPass(subject, cluster);
    fc.pre(goesOn);
    const existing = others.filter(({ kind }) => kind === "PersistentVolumeClaim").map(getName);
    const expected = (jobSet.spec.volumeClaimPolicies ?? []).flatMap(
      ({ templates = [], retentionPolicy }) =>
        templates.map(({ metadata, spec }) => ({
          name: `${metadata?.name}-train`,
          owners:
            retentionPolicy !== undefined && retentionPolicy.whenDeleted !== "Retain"
              ? ["train-uid"]
              : [],
          jobSet: "train",
          spec,
        })),
    );
    const created = createdBy<PersistentVolumeClaim>(listEffects(plan, "volume-claims"));
    const result = created.map((one) => ({
      name: getName(one),
      owners: listOwners(one),
      jobSet: one.metadata.labels?.["jobset.sigs.k8s.io/jobset-name"],
      spec: one.spec,
    }));
    const missing = expected.filter(({ name }) => !existing.includes(name));
    claimSame(result, missing, "other PersistentVolumeClaims are created");
  });
}

/** Returns the objects in the JobSet's namespace. */
function objectsInNamespace({ jobSet, others }: GeneratedCluster): readonly KubernetesObject[] {
  return others.filter((one) => getNamespace(one) === getNamespace(jobSet));
}

function createdBy<Kind extends KubernetesObject>(effects: readonly Effect[]): readonly Kind[] {
  return effects
    .filter((effect): effect is CreateEffect => effect.verb === "create")
    .map(({ object }) => object as KubernetesObject as Kind);
}

function listOwners(object: KubernetesObject | undefined): readonly string[] {
  return (object?.metadata.ownerReferences ?? []).map(({ uid }) => uid);
}
