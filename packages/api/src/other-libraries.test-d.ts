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
type AssignableTo<From extends To, To> = From;

export type OursAsKubernetesTypes = [
  AssignableTo<Job, batch.Job>,
  AssignableTo<Pod, core.Pod>,
  AssignableTo<Service, core.Service>,
  AssignableTo<PersistentVolumeClaim, core.PersistentVolumeClaim>,
  AssignableTo<Node, core.Node>,
  AssignableTo<Event, core.Event>,
];

export type KubernetesTypesAsObserved = [
  AssignableTo<batch.Job, Unvalidated<Job>>,
  AssignableTo<core.Pod, Unvalidated<Pod>>,
  AssignableTo<core.Service, Unvalidated<Service>>,
  AssignableTo<core.PersistentVolumeClaim, Unvalidated<PersistentVolumeClaim>>,
  AssignableTo<core.Node, Unvalidated<Node>>,
  AssignableTo<core.Event, Unvalidated<Event>>,
];

export type ClientNodeAsObserved = [
  AssignableTo<V1Job, Unvalidated<Job>>,
  AssignableTo<V1Pod, Unvalidated<Pod>>,
  AssignableTo<V1Service, Unvalidated<Service>>,
  AssignableTo<V1PersistentVolumeClaim, Unvalidated<PersistentVolumeClaim>>,
  AssignableTo<V1Node, Unvalidated<Node>>,
  AssignableTo<CoreV1Event, Unvalidated<Event>>,
];

export type OursAsClientNode = [
  AssignableTo<ToCreate<Job>, V1Job>,
  AssignableTo<ToCreate<Service>, V1Service>,
  AssignableTo<ToCreate<PersistentVolumeClaim>, V1PersistentVolumeClaim>,
  AssignableTo<ToCreate<Job>, Job>,
  // @ts-expect-error: an instant of ours is text
  AssignableTo<Job, V1Job>,
];

export type WireFormMismatches = [
  // @ts-expect-error: a client's Job may hold a Date, which JSON does not
  AssignableTo<V1Job, Job>,
  // @ts-expect-error: nor is what may lack everything a Job
  AssignableTo<Unvalidated<Job>, Job>,
];
