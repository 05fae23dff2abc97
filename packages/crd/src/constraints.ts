import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";

/** The constraints of a member, apart from its type and whether it is required. */
export interface Constraint
  extends Pick<
    StructuralSchema,
    "default" | "enum" | "minimum" | "maxItems" | "minLength" | "maxLength" | "pattern"
  > {
  /** The keys that identify the elements of a list. */
  readonly keys?: readonly string[];
  /** Whether the elements of a list must be unique. */
  readonly set?: boolean;
  readonly rules?: readonly ValidationRule[];
  /** The constraints of every element of a list. */
  readonly items?: Pick<StructuralSchema, "x-kubernetes-validations">;
}

/** R1: the two ways to order startup are mutually exclusive. */
export const STARTUP_ORDER_RULE = {
  rule: "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' && self.replicatedJobs.exists(x, has(x.dependsOn)))",
  message: "StartupPolicy and DependsOn APIs are mutually exclusive",
} as const satisfies ValidationRule;

/** R2: a member that is present before and after must be unchanged. The rule allows adding or removing the member. */
export const IMMUTABLE_RULE = {
  rule: "self == oldSelf",
  message: "Value is immutable",
} as const satisfies ValidationRule;

/** R3: PersistentVolumeClaims are in the namespace of their JobSet. */
export const CLAIM_NAMESPACE_RULE = {
  rule: "self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)",
  message: "namespace cannot be set for VolumeClaimPolicies templates",
} as const satisfies ValidationRule;

const immutable = [IMMUTABLE_RULE];

/**
 * The constraints of JobSet's CRD, by `Type.member` with the types of `typed/shapes.ts`. A type that includes the
 * members of another (`…T` there) includes their constraints, too.
 *
 * @see JobSet v1alpha2; Kubernetes v0.36 `batch/v1`, `core/v1`, `meta/v1`
 */
export const constraints: Readonly<Record<string, Constraint>> = {
  "JobSet.spec": { rules: [STARTUP_ORDER_RULE] },
  "JobSetSpec.replicatedJobs": { keys: ["name"] },
  "JobSetSpec.network": { rules: immutable },
  "JobSetSpec.successPolicy": { rules: immutable },
  "JobSetSpec.failurePolicy": { rules: immutable },
  "JobSetSpec.startupPolicy": { rules: immutable },
  "JobSetSpec.ttlSecondsAfterFinished": { minimum: 0 },
  "JobSetSpec.volumeClaimPolicies": {
    maxItems: 50,
    rules: immutable,
    items: { "x-kubernetes-validations": [CLAIM_NAMESPACE_RULE] },
  },
  "ReplicatedJob.groupName": { default: "default" },
  "ReplicatedJob.replicas": { default: 1, minimum: 0 },
  "ReplicatedJob.dependsOn": { keys: ["name"], maxItems: 5, rules: immutable },
  "DependsOn.status": { enum: ["Ready", "Complete"] },
  "SuccessPolicy.operator": { enum: ["All", "Any"] },
  "FailurePolicy.restartStrategy": {
    default: "Recreate",
    enum: ["Recreate", "BlockingRecreate", "InPlaceRestart"],
  },
  "FailurePolicyRule.action": {
    enum: [
      "FailJobSet",
      "RestartJobSet",
      "RestartJobSetAndIgnoreMaxRestarts",
      "RestartJob",
      "RestartJobAndIgnoreMaxRestarts",
    ],
  },
  "StartupPolicy.startupPolicyOrder": { enum: ["AnyOrder", "InOrder"] },
  "VolumeClaimPolicy.templates": { maxItems: 50 },
  "VolumeRetentionPolicy.whenDeleted": { default: "Delete", enum: ["Delete", "Retain"] },

  "JobSetStatus.conditions": { keys: ["type"] },
  "JobSetStatus.replicatedJobsStatus": { keys: ["name"] },
  "JobSetStatus.previousInPlaceRestartAttempt": { minimum: 0 },
  "JobSetStatus.currentInPlaceRestartAttempt": { minimum: 0 },
  "ReplicatedJobStatus.jobRestarts": { maxItems: 1024 },
  "ReplicatedJobStatus.jobRestartsCountTowardsMax": { maxItems: 1024 },
  "Condition.type": {
    maxLength: 316,
    pattern:
      "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
  },
  "Condition.status": { enum: ["True", "False", "Unknown"] },
  "Condition.observedGeneration": { minimum: 0 },
  "Condition.reason": {
    minLength: 1,
    maxLength: 1024,
    pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
  },
  "Condition.message": { maxLength: 32768 },

  "PodFailurePolicyOnExitCodesRequirement.values": { set: true },
  "PodSpec.containers": { keys: ["name"] },
  "PodSpec.ephemeralContainers": { keys: ["name"] },
  "PodSpec.hostAliases": { keys: ["ip"] },
  "PodSpec.imagePullSecrets": { keys: ["name"] },
  "PodSpec.initContainers": { keys: ["name"] },
  "PodSpec.resourceClaims": { keys: ["name"] },
  "PodSpec.schedulingGates": { keys: ["name"] },
  "PodSpec.topologySpreadConstraints": { keys: ["topologyKey", "whenUnsatisfiable"] },
  "PodSpec.volumes": { keys: ["name"] },
  "Container.env": { keys: ["name"] },
  "Container.ports": { keys: ["containerPort", "protocol"] },
  "Container.volumeDevices": { keys: ["devicePath"] },
  "Container.volumeMounts": { keys: ["mountPath"] },
  "ContainerPort.protocol": { default: "TCP" },
  "ContainerRestartRuleOnExitCodes.values": { set: true },
  "ResourceRequirements.claims": { keys: ["name"] },
  "PersistentVolumeClaimStatus.conditions": { keys: ["type"] },

  "LocalObjectReference.name": { default: "" },
  "FileKeySelector.optional": { default: false },
  "GRPCAction.service": { default: "" },
  "ISCSIVolumeSource.iscsiInterface": { default: "default" },
  "RBDVolumeSource.keyring": { default: "/etc/ceph/keyring" },
  "RBDVolumeSource.pool": { default: "rbd" },
  "RBDVolumeSource.user": { default: "admin" },
  "AzureDiskVolumeSource.fsType": { default: "ext4" },
  "AzureDiskVolumeSource.readOnly": { default: false },
  "ScaleIOVolumeSource.fsType": { default: "xfs" },
  "ScaleIOVolumeSource.storageMode": { default: "ThinProvisioned" },
};

/** The types and maps that server-side apply replaces as a whole. Their members are never merged. */
export const atomicTypes: ReadonlySet<string> = new Set([
  "ConfigMapKeySelector",
  "FileKeySelector",
  "LabelSelector",
  "LocalObjectReference",
  "NodeSelector",
  "NodeSelectorTerm",
  "ObjectFieldSelector",
  "PersistentVolumeClaimStatus.allocatedResourceStatuses",
  "PodSpec.nodeSelector",
  "ResourceFieldSelector",
  "SecretKeySelector",
  "TypedLocalObjectReference",
]);
