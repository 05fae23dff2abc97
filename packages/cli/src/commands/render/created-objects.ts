import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_UID_KEY } from "@jobset-ts/api/keys";
import type { Job, PersistentVolumeClaim, Service } from "@jobset-ts/api/kubernetes";
import type { Context } from "@jobset-ts/core";
import { createJobFactories, desiredService, desiredVolumeClaims } from "@jobset-ts/core/desired";

/** An object that the control plane creates for a JobSet. */
export type CreatedObject = Service | PersistentVolumeClaim | Job;

/** A created object, with the ReplicatedJob and the index of a Job. */
export interface CreatedItem {
  readonly object: CreatedObject;
  readonly replicatedJob?: string;
  readonly jobIndex?: number;
}

/**
 * Returns the objects that the control plane creates for a new JobSet: the headless Service, the
 * PersistentVolumeClaims, and the Jobs in spec order, then by index. It includes Jobs that wait for others.
 *
 * Lazy, so that ten thousand Jobs are not in memory at the same time.
 *
 * @param hasUid - whether a server has set the JobSet's UID; otherwise the fields that contain it are omitted
 */
export function* listCreatedObjects(
  jobSet: Unvalidated<JobSet>,
  context: Pick<Context, "features" | "quirks">,
  hasUid: boolean,
): Generator<CreatedItem, void, undefined> {
  for (const created of listObjectsWithUid(jobSet, context)) {
    yield hasUid ? created : { ...created, object: withoutUid(created.object) };
  }
}

function* listObjectsWithUid(
  jobSet: Unvalidated<JobSet>,
  context: Pick<Context, "features" | "quirks">,
): Generator<CreatedItem, void, undefined> {
  const service = desiredService(jobSet);
  if (service !== undefined) yield { object: service };
  for (const object of desiredVolumeClaims(jobSet)) yield { object };
  for (const { name, replicas, jobAt } of createJobFactories(jobSet, context)) {
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) {
      yield { object: jobAt(jobIndex), replicatedJob: name, jobIndex };
    }
  }
}

/** The owner reference contains the JobSet's UID. So does the metadata of Jobs and their Pods. */
function withoutUid<Kind extends CreatedObject>(object: Kind): Kind {
  const { ownerReferences: _, ...metadata } = withoutUidKey(object.metadata);
  if (object.kind !== "Job") return { ...object, metadata };
  const { template } = object.spec;
  const spec = {
    ...object.spec,
    template: { ...template, metadata: withoutUidKey(template.metadata ?? {}) },
  };
  return { ...object, metadata, spec };
}

function withoutUidKey<Metadata extends Job["metadata"]>(metadata: Metadata): Metadata {
  const { labels, annotations } = metadata;
  return {
    ...metadata,
    ...(labels && { labels: withoutKey(labels) }),
    ...(annotations && { annotations: withoutKey(annotations) }),
  };
}

function withoutKey({ [JOBSET_UID_KEY]: _, ...others }: Readonly<Record<string, string>>) {
  return others;
}
