import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../../cluster.ts";
import type { Stage } from "../../scenario.ts";

/** The differences of a Pod from its Job's template. */
export interface PodExtras {
  /** The suffix of the Pod's name. */
  readonly suffix?: string;
  /** Additional metadata, such as finalizers or other owners. */
  readonly metadata?: Stored;
  readonly spec?: Stored;
}

/** Creates a Pod of a Job, as the Job controller would. */
export async function createPod(
  stage: Stage,
  jobName: string,
  index: number,
  extras: PodExtras = {},
): Promise<Stored> {
  const pod = await createPodOfJob(stage, jobName, index, extras);
  await eventually("Pods can be created", () => {
    return stage.cluster.get("ServiceAccount", stage.namespace, "default");
  });
  return stage.cluster.create(pod);
}

/** Returns a Pod of a Job, as the Job controller would create it. */
export async function createPodOfJob(
  stage: Stage,
  jobName: string,
  index: number,
  { suffix = "abcde", metadata: more = {}, spec = {} }: PodExtras = {},
): Promise<Stored> {
  const { metadata, spec: jobSpec } = await stage.job(jobName);
  const { template } = jobSpec;
  const indexed = { [JOB_COMPLETION_INDEX_KEY]: String(index) };
  const owner = {
    apiVersion: "batch/v1",
    kind: "Job",
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${metadata.name}-${index}-${suffix}`,
      namespace: stage.namespace,
      labels: { ...template.metadata.labels, ...indexed },
      annotations: { ...template.metadata.annotations, ...indexed },
      ownerReferences: [owner],
      ...more,
    },
    spec: { ...template.spec, hostname: `${metadata.name}-${index}`, ...spec },
  };
}
