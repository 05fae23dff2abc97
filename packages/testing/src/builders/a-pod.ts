import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import type { Pod, PodSpec, PodStatus } from "@jobset-ts/api/kubernetes";
import { jobKey } from "@jobset-ts/core/desired";
import { aJob, parseJobName } from "./a-job.ts";
import { controllerReference, type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A Pod for tests. */
export type APod = Pod & PodBuilder;

/** Methods that return a changed copy of a Pod. */
export interface PodBuilder extends ObjectBuilder<APod> {
  /** Adds exclusive placement by a node label. */
  exclusive(topologyKey: string): APod;
  /** Binds the Pod to a node. */
  onNode(nodeName: string): APod;
  /** Replaces fields of the spec. */
  withSpec(spec: Partial<PodSpec>): APod;
  /** Replaces fields of the status, such as the phase. */
  withStatus(status: Partial<PodStatus>): APod;
}

/**
 * Creates a pending Pod of the Job that `aJob` creates.
 *
 * @param name - `<Job>-<completion index>-<suffix>`. Labels, annotations and the owner have the same parts.
 * @example aPod("train-workers-3-0-x7k2p").onNode("n1").spec.nodeName // => "n1"
 */
export function aPod(name: string): APod {
  const { job = "", index = "" } = /^(?<job>.+)-(?<index>[0-9]+)-[^-]+$/.exec(name)?.groups ?? {};
  const parts = parseJobName(job);
  return fluent({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      uid: `${name}-uid`,
      labels: {
        [JOBSET_NAME_KEY]: parts.jobSet,
        [REPLICATED_JOB_NAME_KEY]: parts.replicatedJob,
        [JOB_INDEX_KEY]: parts.index,
        [JOB_KEY_KEY]: jobKey("default", job),
        [JOB_COMPLETION_INDEX_KEY]: index,
      },
      annotations: { [JOB_COMPLETION_INDEX_KEY]: index },
      ownerReferences: [controllerReference(aJob(job))],
    },
    spec: { containers: [{ name: "main", image: "img" }] },
    status: { phase: "Pending" },
  });
}

const fluent: (object: Pod) => APod = withBuilderMethods<Pod, APod>({
  exclusive(topologyKey) {
    return this.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: topologyKey });
  },
  onNode(nodeName) {
    return this.withSpec({ nodeName });
  },
  withSpec(spec) {
    return fluent({ ...this, spec: { ...this.spec, ...spec } });
  },
  withStatus(status) {
    return fluent({ ...this, status: { ...this.status, ...status } });
  },
});
