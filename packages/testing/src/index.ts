export { type AClaim, aClaim } from "./builders/a-claim.ts";
export { type AJob, aJob } from "./builders/a-job.ts";
export { type AJobSet, aJobSet, aReplicatedJob } from "./builders/a-jobset.ts";
export { type ANode, aNode } from "./builders/a-node.ts";
export { type APod, aPod } from "./builders/a-pod.ts";
export { type AService, aService } from "./builders/a-service.ts";
