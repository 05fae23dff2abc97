export { type AClaim, aClaim } from "./builders/a-claim.ts";
export { type AJob, aJob, type JobBuilder } from "./builders/a-job.ts";
export { type AJobSet, aJobSet, aReplicatedJob, type JobSetBuilder } from "./builders/a-jobset.ts";
export { type ANode, aNode } from "./builders/a-node.ts";
export { type APod, aPod, type PodBuilder } from "./builders/a-pod.ts";
export { type AService, aService } from "./builders/a-service.ts";
export type { ObjectBuilder } from "./builders/object-steps.ts";
