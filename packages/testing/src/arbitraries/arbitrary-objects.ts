import { EXCLUSIVE_TOPOLOGY_KEY, JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";

/** The kinds in {@link clusterObjects}. One of them only shares its name with a kind of Kubernetes. */
const kinds = [
  { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" },
  { apiVersion: "batch/v1", kind: "Job" },
  { apiVersion: "batch.volcano.sh/v1alpha1", kind: "Job" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  { apiVersion: "v1", kind: "Node" },
  { apiVersion: "v1", kind: "Event" },
  { apiVersion: "v1", kind: "ConfigMap" },
] as const;

/** The names and references in {@link clusterObjects}. They are few, so that objects refer to each other. */
export const vocabulary = {
  kinds: [...new Set(kinds.map(({ kind }) => kind)), "Job.batch.volcano.sh", "Secret"],
  namespaces: ["", "ml", "default"],
  names: ["train", "train-w-0", "train-w-0-0-abcde", "train-w-0-0-vwxyz", "a-b-c-d-e-f"],
  indexNames: ["train-w-0-0", "a-b-c-d-e", "train-w-0"],
  uids: ["u-1", "u-2", ""],
  jobKeys: ["k-1", "k-2"],
} as const;

/**
 * Generates objects of kinds that a snapshot indexes, and of other kinds. They use `vocabulary`, so they often replace
 * and refer to each other. Every key of every index can be present or absent.
 */
export function clusterObjects(): fc.Arbitrary<KubernetesObject> {
  const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
    fc.option(arbitrary, { nil: undefined });
  const members = {
    type: fc.oneof(
      { arbitrary: fc.constantFrom(...kinds), weight: 1 },
      { arbitrary: fc.constant({ apiVersion: "v1", kind: "Pod" }), weight: 1 },
    ),
    namespace: optional(fc.constantFrom(...vocabulary.namespaces)),
    name: fc.constantFrom(...vocabulary.names),
    uid: optional(fc.constantFrom(...vocabulary.uids)),
    owner: optional(
      fc.record({
        apiVersion: fc.constantFrom("jobset.x-k8s.io/v1alpha2", "batch/v1"),
        kind: fc.constantFrom("JobSet", "Job"),
        name: fc.constantFrom(...vocabulary.names),
        uid: fc.constantFrom(...vocabulary.uids),
        controller: fc.boolean(),
      }),
    ),
    jobSet: optional(fc.constantFrom("train", "")),
    jobKey: optional(fc.constantFrom(...vocabulary.jobKeys)),
    topology: optional(fc.constantFrom("rack", "")),
    about: optional(fc.constantFrom(...vocabulary.uids)),
    serial: fc.nat(9),
  };
  return fc.record(members).map((one) => ({
    ...one.type,
    metadata: {
      name: one.name,
      ...(one.namespace !== undefined && { namespace: one.namespace }),
      ...(one.uid !== undefined && { uid: one.uid }),
      ...(one.owner !== undefined && { ownerReferences: [one.owner] }),
      labels: {
        serial: String(one.serial),
        ...(one.jobSet !== undefined && { [JOBSET_NAME_KEY]: one.jobSet }),
        ...(one.jobKey !== undefined && { [JOB_KEY_KEY]: one.jobKey }),
      },
      annotations: {
        ...(one.topology !== undefined && { [EXCLUSIVE_TOPOLOGY_KEY]: one.topology }),
      },
    },
    ...(one.about !== undefined && { involvedObject: { uid: one.about } }),
  }));
}
