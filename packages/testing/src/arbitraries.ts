export { clusters, type GeneratedCluster } from "./arbitraries/arbitrary-clusters.ts";
export { childJobs, jobSets } from "./arbitraries/arbitrary-jobsets.ts";
export { manifests } from "./arbitraries/arbitrary-manifests.ts";
export { podAdmissionRequests } from "./arbitraries/arbitrary-pod-requests.ts";
export { type Situation, situations } from "./arbitraries/situations.ts";
