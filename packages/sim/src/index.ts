export { type Advanced, advance, advanceTo, intervene } from "./kernel/advance.ts";
export { BEGINNING, type Cluster, newCluster, type World } from "./kernel/cluster.ts";
export type { Change, Component, Process, ReportedEvent } from "./kernel/component.ts";
