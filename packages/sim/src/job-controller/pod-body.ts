import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  type Container,
  getName,
  getNamespace,
  getUid,
  type Job,
  type Pod,
  type PodSpec,
} from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "../api-server/api-request.ts";
import { TRACKING_FINALIZER } from "../api-server/job/batch-constants.ts";
import { deepFreeze } from "../api-server/stored-values.ts";
import { withMembers } from "../with-members.ts";
import { createIndexFailureAnnotations } from "./back-off.ts";

/** The maximum length of the prefix of a generated name. */
const MAX_PREFIX_LENGTH = 58;

/**
 * Returns the body of the request that creates a Pod of a Job.
 *
 * @param index - for an Indexed Job
 * @param replaced - the failed Pod of the index, if each index has its own limit
 */
export function createPodBody(job: Job, index?: number, replaced?: Pod): RequestedObject {
  const { template } = job.spec;
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const metadata = {
    namespace: getNamespace(job),
    finalizers: [
      ...asArray(finalizers).filter((one) => one !== TRACKING_FINALIZER),
      TRACKING_FINALIZER,
    ],
    ownerReferences: [
      {
        apiVersion: "batch/v1",
        kind: "Job",
        name: getName(job),
        uid: getUid(job),
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  if (index === undefined) {
    const generateName = `${getName(job)}-`;
    const own = { ...metadata, generateName, ...(labels && { labels }) };
    return {
      kind: "Pod",
      metadata: { ...own, ...(annotations && { annotations }) },
      spec: template.spec,
    };
  }
  const indexed = { [JOB_COMPLETION_INDEX_KEY]: String(index) };
  const failures =
    job.spec.backoffLimitPerIndex === undefined ? {} : createIndexFailureAnnotations(job, replaced);
  const finished = `-${index}-`;
  return {
    kind: "Pod",
    metadata: {
      generateName: getName(job).slice(0, MAX_PREFIX_LENGTH - finished.length) + finished,
      ...metadata,
      labels: withMembers(labels ?? {}, indexed),
      annotations: withMembers(withMembers(annotations ?? {}, indexed), failures),
    },
    spec: withMembers<Partial<PodSpec>>(template.spec ?? {}, {
      hostname: `${getName(job)}-${index}`,
      containers: withIndexVariable(template.spec?.containers),
      ...(template.spec?.initContainers && {
        initContainers: withIndexVariable(template.spec.initContainers),
      }),
    }),
  };
}

const INDEX_VARIABLE = {
  name: "JOB_COMPLETION_INDEX",
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${JOB_COMPLETION_INDEX_KEY}']` } },
};

/** Stored objects are immutable, so the Pods of a template share their containers. */
const indexedContainers = new WeakMap<readonly Container[], Container[]>();

/** Adds the index variable to containers that do not have a variable of that name. */
function withIndexVariable(containers: readonly Container[] | undefined): Container[] {
  const plain = asArray(containers);
  let indexed = indexedContainers.get(plain);
  if (indexed === undefined) {
    indexed = deepFreeze(
      plain.map((container) => {
        const env: readonly { name?: string }[] = asArray(container.env);
        if (env.some(({ name }) => name === INDEX_VARIABLE.name)) return container;
        return withMembers(container, { env: [...env, INDEX_VARIABLE] });
      }),
    );
    indexedContainers.set(plain, indexed);
  }
  return indexed;
}
