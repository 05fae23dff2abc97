import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { GeneratedCluster } from "./arbitrary-clusters.ts";

/**
 * Adds fields of other clients to the objects of a cluster. A controller that writes an object must keep all of them.
 */
export function copyOtherMembers(cluster: GeneratedCluster): GeneratedCluster {
  const { jobSet, others } = cluster;
  const { conditions = [], ...status } = jobSet.status ?? {};
  return {
    ...cluster,
    jobSet: {
      ...withMetadata(jobSet),
      status: {
        restarts: 0,
        ...status,
        conditions: [
          getCondition(`${OTHERS}/Audited`),
          ...conditions,
          getCondition("AuditedByOthers"),
        ],
        // A newer API version may define this field.
        later: { seen: 1, names: ["a", "b"] },
      } as typeof jobSet.status,
    },
    others: others.map((object) =>
      object.kind === "Job" ? addMembersToJob(object) : addMembersOfOthers(object),
    ),
  };
}

/** The domain of the other clients. */
const OTHERS = "others.example.net";

function getCondition(type: string) {
  const lastTransitionTime = "2026-02-07T08:30:00Z";
  return {
    type,
    status: "True",
    reason: "Audited",
    message: "by others",
    lastTransitionTime,
  } as const;
}

const audit = { apiVersion: "v1", kind: "ConfigMap", name: "audit", uid: "audit" };

function withMetadata<Item extends KubernetesObject>(object: Item): Item {
  const { labels, annotations, finalizers = [], ownerReferences = [] } = object.metadata;
  const metadata = {
    ...object.metadata,
    labels: { ...labels, [`${OTHERS}/team`]: "a", "others-tier": "" },
    annotations: { ...annotations, [`${OTHERS}/cost`]: "7" },
    finalizers: [...finalizers, `${OTHERS}/audit`],
    ownerReferences: [...ownerReferences, audit],
  };
  return { ...object, metadata };
}

function addMembersToJob(object: KubernetesObject): KubernetesObject {
  const job = withMetadata(object) as Job;
  const { conditions = [], ...status } = job.status ?? {};
  return {
    ...job,
    spec: { ...job.spec, activeDeadlineSeconds: 86_400, ttlSecondsAfterFinished: 300 },
    status: { ...status, conditions: [...conditions, { ...getCondition(`${OTHERS}/Audited`) }] },
  } as KubernetesObject;
}

const listOtherSpecs: Readonly<Record<string, object>> = {
  Service: { ports: [{ name: "metrics", port: 9090 }] },
  PersistentVolumeClaim: { volumeName: "pv-0" },
};

function addMembersOfOthers(object: KubernetesObject): KubernetesObject {
  const { spec, ...crowded } = withMetadata(object) as KubernetesObject & { spec?: object };
  const added = listOtherSpecs[object.kind];
  return { ...crowded, ...(spec && { spec: { ...spec, ...added } }) } as KubernetesObject;
}
