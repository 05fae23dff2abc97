// Compile-time tests: the Job types of other libraries are assignable to ours without a cast, and ours to theirs.
// Their models are imported one by one, because their entries require Node's types.
import type { CoreV1Event } from "@kubernetes/client-node/dist/gen/models/CoreV1Event.js";
import type { V1Job } from "@kubernetes/client-node/dist/gen/models/V1Job.js";
import type { V1Node } from "@kubernetes/client-node/dist/gen/models/V1Node.js";
import type { V1PersistentVolumeClaim } from "@kubernetes/client-node/dist/gen/models/V1PersistentVolumeClaim.js";
import type { V1Pod } from "@kubernetes/client-node/dist/gen/models/V1Pod.js";
import type { V1Service } from "@kubernetes/client-node/dist/gen/models/V1Service.js";
import type * as batch from "kubernetes-types/batch/v1";
import type * as core from "kubernetes-types/core/v1";
import type { Event } from "./event.ts";
import type { Job } from "./job.ts";
import type { Node } from "./node.ts";
import type { PersistentVolumeClaim } from "./persistent-volume-claim.ts";
import type { Pod } from "./pod.ts";
import type { Service } from "./service.ts";
import type { ToCreate, Unvalidated } from "./unvalidated.ts";

/** Compiles only if `From` is assignable to `To`. */
type Fits<From extends To, To> = From;

export type OursAsKubernetesTypes = [
  Fits<Job, batch.Job>,
  Fits<Pod, core.Pod>,
  Fits<Service, core.Service>,
  Fits<PersistentVolumeClaim, core.PersistentVolumeClaim>,
  Fits<Node, core.Node>,
  Fits<Event, core.Event>,
];

export type KubernetesTypesAsObserved = [
  Fits<batch.Job, Unvalidated<Job>>,
  Fits<core.Pod, Unvalidated<Pod>>,
  Fits<core.Service, Unvalidated<Service>>,
  Fits<core.PersistentVolumeClaim, Unvalidated<PersistentVolumeClaim>>,
  Fits<core.Node, Unvalidated<Node>>,
  Fits<core.Event, Unvalidated<Event>>,
];

export type ClientNodeAsObserved = [
  Fits<V1Job, Unvalidated<Job>>,
  Fits<V1Pod, Unvalidated<Pod>>,
  Fits<V1Service, Unvalidated<Service>>,
  Fits<V1PersistentVolumeClaim, Unvalidated<PersistentVolumeClaim>>,
  Fits<V1Node, Unvalidated<Node>>,
  Fits<CoreV1Event, Unvalidated<Event>>,
];

export type OursAsClientNode = [
  Fits<ToCreate<Job>, V1Job>,
  Fits<ToCreate<Service>, V1Service>,
  Fits<ToCreate<PersistentVolumeClaim>, V1PersistentVolumeClaim>,
  Fits<ToCreate<Job>, Job>,
  // @ts-expect-error: an instant of ours is text
  Fits<Job, V1Job>,
];

export type NotAsWireForm = [
  // @ts-expect-error: a client's Job may hold a Date, which JSON does not
  Fits<V1Job, Job>,
  // @ts-expect-error: nor is what may lack everything a Job
  Fits<Unvalidated<Job>, Job>,
];
