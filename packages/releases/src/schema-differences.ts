// Written by schema-differences.test.ts: `npx vitest run packages/releases --update`.
import type { SchemaDifference } from "./release-schema.ts";

/** For each release, newest first: the differences of its schema from the next newer one. The first one is compared with main. */
// biome-ignore format: a line for each difference
export const schemaDifferences: Readonly<Record<string, readonly SchemaDifference[]>> = {
  "v0.12.0": [
    ["spec.failurePolicy.rules[].onJobFailureMessagePatterns#x-kubernetes-list-type"],
    ["spec.failurePolicy.rules[].onJobFailureReasons#x-kubernetes-list-type"],
    ["spec.failurePolicy.rules#x-kubernetes-list-type"],
    ["spec.replicatedJobs[].replicas#minimum"],
    ["spec.replicatedJobs[].template.metadata.finalizers#x-kubernetes-list-type"],
    ["spec.replicatedJobs[].template.spec.template.metadata.finalizers#x-kubernetes-list-type"],
    ["spec.replicatedJobs[].template.spec.template.spec.containers[].envFrom[].configMapRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.containers[].envFrom[].secretRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.ephemeralContainers[].envFrom[].configMapRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.ephemeralContainers[].envFrom[].secretRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.initContainers[].envFrom[].configMapRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.initContainers[].envFrom[].secretRef#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].configMap#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.metadata.finalizers#x-kubernetes-list-type"],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].projected.sources[].configMap#x-kubernetes-map-type","atomic"],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].projected.sources[].secret#x-kubernetes-map-type","atomic"],
    ["spec.volumeClaimPolicies[].templates[].metadata.finalizers#x-kubernetes-list-type"],
    ["spec.volumeClaimPolicies[].templates[].status.allocatedResourceStatuses#x-kubernetes-map-type","granular"],
  ],
  "v0.11.1": [
    ["spec.failurePolicy.rules[].action#enum",["FailJobSet","RestartJobSet","RestartJobSetAndIgnoreMaxRestarts"]],
    ["spec.replicatedJobs[].template.spec.template.spec.schedulingGroup"],
    ["spec.replicatedJobs[].template.spec.template.spec.workloadRef",{"properties":{"name":{"type":"string"},"podGroup":{"type":"string"},"podGroupReplicaKey":{"type":"string"}},"required":["name","podGroup"],"type":"object"}],
    ["status.replicatedJobsStatus[].jobRestarts"],
    ["status.replicatedJobsStatus[].jobRestartsCountTowardsMax"],
  ],
  "v0.10.1": [
    ["spec.failurePolicy.restartStrategy#enum",["Recreate","BlockingRecreate"]],
    ["spec.replicatedJobs[].template.spec.podFailurePolicy.rules[].onPodConditions[]#required",["status","type"]],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].projected.sources[].podCertificate.userAnnotations"],
    ["spec.replicatedJobs[].template.spec.template.spec.workloadRef"],
    ["spec.volumeClaimPolicies"],
    ["status.currentInPlaceRestartAttempt"],
    ["status.previousInPlaceRestartAttempt"],
  ],
  "v0.9.1": [
    ["spec.failurePolicy.rules[].onJobFailureMessagePatterns"],
    ["spec.replicatedJobs[].template.spec.template.spec.containers[].env[].valueFrom.fileKeyRef"],
    ["spec.replicatedJobs[].template.spec.template.spec.containers[].restartPolicyRules"],
    ["spec.replicatedJobs[].template.spec.template.spec.ephemeralContainers[].env[].valueFrom.fileKeyRef"],
    ["spec.replicatedJobs[].template.spec.template.spec.ephemeralContainers[].restartPolicyRules"],
    ["spec.replicatedJobs[].template.spec.template.spec.hostnameOverride"],
    ["spec.replicatedJobs[].template.spec.template.spec.initContainers[].env[].valueFrom.fileKeyRef"],
    ["spec.replicatedJobs[].template.spec.template.spec.initContainers[].restartPolicyRules"],
    ["spec.replicatedJobs[].template.spec.template.spec.volumes[].projected.sources[].podCertificate"],
  ],
  "v0.8.2": [
    ["spec.replicatedJobs[].dependsOn#maxItems",1],
    ["spec.replicatedJobs[].groupName"],
    ["spec.replicatedJobs[].template.spec.template.spec.containers[].lifecycle.stopSignal"],
    ["spec.replicatedJobs[].template.spec.template.spec.ephemeralContainers[].lifecycle.stopSignal"],
    ["spec.replicatedJobs[].template.spec.template.spec.initContainers[].lifecycle.stopSignal"],
  ],
};
