import * as z from "zod";
import type { Event, ObjectReference } from "../event.ts";
import type { Job, JobSpec, JobStatus } from "../job.ts";
import type { JobSet } from "../jobset.ts";
import type { Node, NodeSpec, NodeStatus } from "../node.ts";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
} from "../persistent-volume-claim.ts";
import type { Pod, PodSpec, PodStatus } from "../pod.ts";
import type { Service, ServiceSpec } from "../service.ts";
import { makeJobSetSchema } from "./jobset.ts";
import { opaque, optional } from "./members.ts";
import { objectMetaSchema } from "./object-meta.ts";

/** An object of one of the kinds that JobSet's controller reads or writes; `kind` tells which. */
export type ClusterObject = JobSet | Job | Pod | Service | PersistentVolumeClaim | Node | Event;

/** Creates the schema of a cluster object: its identity, its metadata, and the whole of a JobSet. */
export function makeClusterObjectSchema() {
  const metadata = objectMetaSchema();
  return z.discriminatedUnion("kind", [
    makeJobSetSchema(),
    z.looseObject({
      apiVersion: z.literal("batch/v1"),
      kind: z.literal("Job"),
      metadata,
      spec: opaque<JobSpec>(),
      status: optional(opaque<JobStatus>()),
    }),
    z.looseObject({
      apiVersion: z.literal("v1"),
      kind: z.literal("Pod"),
      metadata,
      spec: opaque<PodSpec>(),
      status: optional(opaque<PodStatus>()),
    }),
    z.looseObject({
      apiVersion: z.literal("v1"),
      kind: z.literal("Service"),
      metadata,
      spec: opaque<ServiceSpec>(),
    }),
    z.looseObject({
      apiVersion: z.literal("v1"),
      kind: z.literal("PersistentVolumeClaim"),
      metadata,
      spec: opaque<PersistentVolumeClaimSpec>(),
    }),
    z.looseObject({
      apiVersion: z.literal("v1"),
      kind: z.literal("Node"),
      metadata,
      spec: optional(opaque<NodeSpec>()),
      status: optional(opaque<NodeStatus>()),
    }),
    z.looseObject({
      apiVersion: z.literal("v1"),
      kind: z.literal("Event"),
      metadata,
      involvedObject: opaque<ObjectReference>(),
    }),
  ]) satisfies z.ZodType<ClusterObject>;
}
