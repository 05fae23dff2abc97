/** What editors show of a field, by `Type.member`: the docstrings of `@jobset-ts/api`. A test writes it. */
export const descriptions: Readonly<Record<string, string>> = {
  "Condition.status": "Whether a condition is true.",
  "Condition.observedGeneration":
    "The generation that the condition describes. JobSet's controller never sets it.",
  "Condition.lastTransitionTime":
    "When `status` last changed, in whole seconds. A change of reason or message does not change it.",
  "Condition.reason": "A PascalCase word for programs.",
  "Condition.message": "A sentence for people.",
  "JobTemplateSpec.metadata": "Only labels and annotations are copied to the Jobs.",
  "JobTemplateSpec.spec": "The Pods that a Job runs, and when it is complete.",
  "JobSpec.parallelism": "The maximum number of concurrent Pods.",
  "JobSpec.completions":
    "The number of Pods that must succeed. Absent means that the first success completes the Job.",
  "JobSpec.completionMode": "`Indexed` gives each Pod an index from 0 to `completions` − 1.",
  "JobSpec.backoffLimit": "The number of retries for failed Pods before the Job fails.",
  "JobSpec.suspend": "Whether the Job is suspended and has no Pods.",
  "JobSpec.selector": "A label selector. All its requirements must match.",
  "JobSpec.podReplacementPolicy":
    "When a Pod is replaced: as soon as it is `TerminatingOrFailed`, or only when it has `Failed`.",
  "JobSpec.template": "The template of a Job's Pods.",
  "JobSet.metadata": "The metadata of every object.",
  "JobSet.spec": "The desired state. Most members are immutable.",
  "JobSet.status": "Written only by the controller, through the `status` subresource.",
  "JobSetSpec.replicatedJobs":
    "The groups of equal Jobs. Names are unique. The order matters for startup and for indexes.",
  "JobSetSpec.network": "How Pods find each other.",
  "JobSetSpec.successPolicy":
    "When the JobSet completes. Absent means that all Jobs of all ReplicatedJobs must succeed.",
  "JobSetSpec.failurePolicy": "What happens when a Job fails. Absent means that the JobSet fails.",
  "JobSetSpec.startupPolicy": "The older way to order startup. `InOrder` excludes `dependsOn`.",
  "JobSetSpec.suspend": "Whether the Jobs are suspended.",
  "JobSetSpec.coordinator": "The Pod whose address all Pods receive.",
  "JobSetSpec.managedBy":
    "The controller of this JobSet. Absent means JobSet's own. Up to 63 bytes, `domain/path`.",
  "JobSetSpec.ttlSecondsAfterFinished":
    "Seconds after the JobSet has finished until it is deleted. Absent means never, 0 means immediately.",
  "JobSetSpec.volumeClaimPolicies":
    "PersistentVolumeClaims that the Pods share; at most 50 policies.",
  "ReplicatedJob.groupName":
    "ReplicatedJobs of one group share the `job-group-index` numbering. Default: `default`.",
  "ReplicatedJob.template": "The template of a ReplicatedJob's Jobs.",
  "ReplicatedJob.replicas": "The number of Jobs. Default: 1. May be 0.",
  "ReplicatedJob.dependsOn":
    "The conditions for creating the Jobs of this ReplicatedJob. At most 5.",
  "DependsOn.name": "An earlier ReplicatedJob in the list.",
  "DependsOn.status":
    "`Ready`: every Job is ready or finished. `Complete`: every Job has succeeded.",
  "Network.enableDNSHostnames":
    "Whether each Pod gets a hostname in a headless Service. Default: true.",
  "Network.subdomain": "The name of the Service. Default: the JobSet's name.",
  "Network.publishNotReadyAddresses":
    "Whether the name of a Pod resolves before it is ready. Default: true.",
  "SuccessPolicy.operator": "Whether `All` target Jobs must succeed, or `Any` one of them.",
  "SuccessPolicy.targetReplicatedJobs": "The ReplicatedJobs that count. Absent or empty means all.",
  "FailurePolicy.maxRestarts": "The maximum number of restarts that count. Default: 0.",
  "FailurePolicy.restartStrategy":
    "`Recreate`: each Job is recreated as soon as its predecessor is gone. `BlockingRecreate`: no Job is recreated before all predecessors are gone. `InPlaceRestart`: the Pods remain, and their containers restart (gate `InPlaceRestart`).",
  "FailurePolicy.rules":
    "The first rule that matches a failed Job decides. Without a match: `RestartJobSet`.",
  "FailurePolicyRule.name":
    "Unique among the rules. Becomes part of a condition's reason. Default: `failurePolicyRule<index>`.",
  "FailurePolicyRule.action":
    "`FailJobSet` fails the JobSet permanently. `RestartJobSet` recreates all its Jobs, `RestartJob` only the failed one. The variants `…AndIgnoreMaxRestarts` do not count the restart towards `maxRestarts`.",
  "FailurePolicyRule.onJobFailureReasons":
    "Reasons of the Job's `Failed` condition. Absent or empty means any.",
  "FailurePolicyRule.onJobFailureMessagePatterns":
    "RE2 patterns that are searched in the message of the Job's `Failed` condition. Absent or empty means any.",
  "FailurePolicyRule.targetReplicatedJobs":
    "The ReplicatedJobs to which the rule applies. Absent or empty means all.",
  "StartupPolicy.startupPolicyOrder":
    "`InOrder`: a ReplicatedJob starts once the one before it is ready.",
  "Coordinator.replicatedJob": "The ReplicatedJob of the Pod.",
  "Coordinator.jobIndex": "The index of its Job. Default: 0.",
  "Coordinator.podIndex": "The completion index of the Pod in its Indexed Job. Default: 0.",
  "VolumeClaimPolicy.templates":
    "Mounted by every container with a volume mount of the template's name. At most 50.",
  "VolumeClaimPolicy.retentionPolicy":
    "Whether the claims are retained or deleted with the JobSet.",
  "VolumeRetentionPolicy.whenDeleted":
    "Whether the claims are deleted with the JobSet. Default: `Delete`.",
  "JobSetStatus.conditions": "One aspect of an object's state. At most one per `type`.",
  "JobSetStatus.restarts":
    "The number of restarts of the whole JobSet, which is the current restart attempt of its Jobs.",
  "JobSetStatus.restartsCountTowardsMax":
    "The number of restarts that count towards `maxRestarts`. At most `restarts`.",
  "JobSetStatus.terminalState":
    "Set with the condition of that name. Absent while the JobSet is unfinished.",
  "JobSetStatus.replicatedJobsStatus":
    "One entry for each ReplicatedJob, sorted by name descending.",
  "JobSetStatus.previousInPlaceRestartAttempt":
    "In-place restart: the attempt that all Pods have left. Absent until it is first set.",
  "JobSetStatus.currentInPlaceRestartAttempt":
    "In-place restart: the attempt that all Pods have to reach. Absent until it is first set.",
  "ReplicatedJobStatus.ready": "Active Jobs with enough ready and succeeded Pods.",
  "ReplicatedJobStatus.active": "Active Jobs with at least one active Pod.",
  "ReplicatedJobStatus.suspended": "Active Jobs that are suspended.",
  "ReplicatedJobStatus.jobRestarts":
    "The restarts of individual Jobs by job index. Absent if there were none (gate `RestartJob`).",
  "ReplicatedJobStatus.jobRestartsCountTowardsMax":
    "The restarts of individual Jobs that count towards `maxRestarts`, by job index (gate `RestartJob`).",
  "LabelSelector.matchExpressions": "A requirement on the value of a key.",
  "LabelSelectorRequirement.operator":
    "`In` and `NotIn`: whether the value is one of `values`. `Exists` and `DoesNotExist`: whether the key exists.",
  "LabelSelectorRequirement.values":
    "Required for `In` and `NotIn`, forbidden for other operators.",
  "ObjectMeta.name": "Unique among the objects of one kind in one namespace.",
  "OwnerReference.controller": "Whether this owner manages the object.",
  "OwnerReference.blockOwnerDeletion":
    "Whether the owner's foreground deletion waits for this object.",
  "PersistentVolumeClaim.metadata": "The metadata of every object.",
  "PersistentVolumeClaim.spec": "The storage that the claim requests.",
  "PersistentVolumeClaimTemplate.metadata": "The metadata of every object.",
  "PersistentVolumeClaimTemplate.spec": "The storage that the claim requests.",
  "PersistentVolumeClaimSpec.resources": "Amounts by resource name, as Kubernetes quantities.",
  "PersistentVolumeClaimSpec.selector": "A label selector. All its requirements must match.",
  "PersistentVolumeClaimSpec.storageClassName":
    "Absent means the cluster's default class. Empty means no class.",
  "PersistentVolumeClaimSpec.volumeName": "The bound volume.",
  "Pod.metadata": "The metadata of every object.",
  "Pod.spec": "What a Pod runs and where it may run. Only the members that JobSet reads or writes.",
  "Pod.status": "The state of a Pod as the kubelet, the scheduler and others report it.",
  "PodTemplateSpec.metadata": "The metadata of every object.",
  "PodTemplateSpec.spec":
    "What a Pod runs and where it may run. Only the members that JobSet reads or writes.",
  "PodSpec.containers": "One container. Only the members that JobSet reads.",
  "PodSpec.initContainers": "One container. Only the members that JobSet reads.",
  "PodSpec.volumes": "One volume of a Pod.",
  "PodSpec.nodeSelector": "Labels that the Pod's node must have.",
  "PodSpec.nodeName": "The node of the Pod. Absent until it is scheduled.",
  "PodSpec.affinity":
    "Placement preferences and requirements of a Pod, relative to nodes and to other Pods.",
  "PodSpec.tolerations": "A toleration of a node's taint.",
  "PodSpec.schedulingGates": "The Pod is not scheduled while it has scheduling gates.",
  "PodSpec.subdomain": "The headless Service that gives the Pod its DNS name.",
  "Container.resources": "Amounts by resource name, as Kubernetes quantities.",
  "Container.volumeMounts": "A mount of a Pod's volume in a container.",
  "VolumeMount.name": "The volume's name.",
  "Toleration.key": "An empty key with the operator `Exists` tolerates every taint.",
  "Toleration.effect": "An empty effect tolerates every effect.",
  "Toleration.tolerationSeconds":
    "Only with `NoExecute`: how long the Pod tolerates the taint. Absent means forever.",
  "Affinity.podAffinity": "Affinity or anti-affinity between Pods. All required terms must hold.",
  "Affinity.podAntiAffinity":
    "Affinity or anti-affinity between Pods. All required terms must hold.",
  "PodAffinity.requiredDuringSchedulingIgnoredDuringExecution":
    "Pods that match the selector, in the same domain of the topology key.",
  "PodAffinityTerm.labelSelector": "A label selector. All its requirements must match.",
  "PodAffinityTerm.namespaceSelector":
    "Absent together with `namespaces`: the Pod's own namespace. Empty: all namespaces.",
  "PodStatus.conditions": "One aspect of a Pod's state.",
  "PodStatus.containerStatuses": "One container's state.",
  "PodStatus.initContainerStatuses": "One container's state.",
  "PodCondition.status": "Whether a condition is true.",
};
