export type { LocalQueue, PriorityClass, ResourceFlavor } from "./objects/cluster.ts";
export { hasQuotaReserved, isAdmitted, isEvicted, isWorkloadFinished } from "./objects/workload.ts";
