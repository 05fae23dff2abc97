// What a cluster is made of, for those who put one together themselves.
export type { AdmissionStep } from "./api-server/admission-step.ts";
export type { ApiReply, ApiRequest } from "./api-server/api-request.ts";
export { builtInAdmission } from "./api-server/built-in-admission.ts";
export { garbageCollector } from "./garbage-collector.ts";
export { jobController } from "./job-controller/job-controller.ts";
export { type Advanced, advance, advanceTo, intervene } from "./kernel/advance.ts";
export { BEGINNING, type Cluster, newCluster, type World } from "./kernel/cluster.ts";
export type { Change, Component, Process, ReportedEvent } from "./kernel/component.ts";
export { nodeLifecycle } from "./nodes/node-lifecycle.ts";
export { podGc } from "./nodes/pod-gc.ts";
export { taintEviction } from "./nodes/taint-eviction.ts";
export { worldOf } from "./scenario/world.ts";
export { schedulerOf } from "./scheduler/scheduler.ts";
export { ttlAfterFinished } from "./ttl-after-finished.ts";
