// The cluster of a scenario as a value, for programs that run its turns themselves.
export type { ServerReply, ServerRequest } from "./api-server/api-request.ts";
export { advance, advanceTo, applyExternally, type StepResult } from "./kernel/advance.ts";
export { type Cluster, type ClusterConfig, newCluster, START_TIME } from "./kernel/cluster.ts";
export type { Change } from "./kernel/component.ts";
export { createClusterConfig } from "./scenario/cluster-config.ts";
