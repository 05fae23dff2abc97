export type { AdmissionStep } from "./api-server/admission-step.ts";
export type { ApiReply, ApiRequest } from "./api-server/api-request.ts";
export { type Advanced, advance, advanceTo, intervene } from "./kernel/advance.ts";
export { BEGINNING, type Cluster, newCluster, type World } from "./kernel/cluster.ts";
export type { Change, Component, Process, ReportedEvent } from "./kernel/component.ts";
