// The parts of a cluster, for programs that build their own.
export type { AdmissionStep } from "./api-server/admission-step.ts";
export type { ServerReply, ServerRequest } from "./api-server/api-request.ts";
export { builtInAdmission } from "./api-server/built-in-admission.ts";
export { garbageCollector } from "./garbage-collector.ts";
export { jobController } from "./job-controller/job-controller.ts";
export { advance, advanceTo, applyExternally, type StepResult } from "./kernel/advance.ts";
export { type Cluster, type ClusterConfig, newCluster, START_TIME } from "./kernel/cluster.ts";
export type { Change, Component, Process, SimulatedEvent } from "./kernel/component.ts";
export { nodeLifecycle } from "./nodes/node-lifecycle.ts";
export { podGc } from "./nodes/pod-gc.ts";
export { taintEviction } from "./nodes/taint-eviction.ts";
export { createClusterConfig } from "./scenario/world.ts";
export { createScheduler } from "./scheduler/scheduler.ts";
export { ttlAfterFinished } from "./ttl-after-finished.ts";
