/** What editors show of a field, by `Type.member`: the docstrings of `@jobset-ts/api`. A test writes it. */
export const descriptions: Readonly<Record<string, string>> = {
  "Condition.status": "Whether a condition holds.",
  "Condition.observedGeneration":
    "The generation that the condition speaks of; JobSet's controller never sets it.",
  "Condition.lastTransitionTime":
    "When `status` last changed, in whole seconds; a change of reason or message leaves it alone.",
  "Condition.reason": "One PascalCase word for programs.",
  "Condition.message": "A sentence for a person.",
  "JobTemplateSpec.metadata": "Only labels and annotations reach the Jobs.",
  "JobTemplateSpec.spec": "What a Job runs, and when it counts as done.",
  "JobSpec.parallelism": "How many Pods run at a time.",
  "JobSpec.completions":
    "How many Pods must succeed; absent means that any one success ends the Job.",
  "JobSpec.completionMode": "`Indexed` gives each Pod an index from 0 to `completions` − 1.",
  "JobSpec.backoffLimit": "How many Pod failures are retried before the Job fails.",
  "JobSpec.suspend": "Whether the Job is to have no Pods.",
  "JobSpec.selector": "Which labels an object must carry; all requirements must hold.",
  "JobSpec.podReplacementPolicy":
    "When a Pod is replaced: once it is `TerminatingOrFailed`, or only when it has `Failed`.",
  "JobSpec.template": "The Pod that a Job repeats.",
  "JobSet.metadata": "What every object carries.",
  "JobSet.spec": "What the user asks for. Most members cannot be changed once the JobSet exists.",
  "JobSet.status": "Written by the controller through the `status` subresource only.",
  "JobSetSpec.replicatedJobs":
    "The groups of equal Jobs; names are unique, and the order matters to startup and to indexes.",
  "JobSetSpec.network": "How Pods find each other.",
  "JobSetSpec.successPolicy":
    "When the JobSet counts as completed; absent means all Jobs of all ReplicatedJobs.",
  "JobSetSpec.failurePolicy": "What a failed Job leads to; absent means that the JobSet fails.",
  "JobSetSpec.startupPolicy":
    "The older way to order startup; excludes `dependsOn` when it is `InOrder`.",
  "JobSetSpec.suspend": "Whether the Jobs are to be suspended.",
  "JobSetSpec.coordinator": "The Pod whose address all Pods receive.",
  "JobSetSpec.managedBy":
    "The controller that runs this JobSet; absent means JobSet's own. Up to 63 bytes, `domain/path`.",
  "JobSetSpec.ttlSecondsAfterFinished":
    "Seconds after the end until the JobSet is deleted; absent means never, 0 at once.",
  "JobSetSpec.volumeClaimPolicies":
    "PersistentVolumeClaims that the Pods share; at most 50 policies.",
  "ReplicatedJob.groupName":
    "ReplicatedJobs of one group share the `job-group-index` numbering; default `default`.",
  "ReplicatedJob.template": "The Job that a ReplicatedJob repeats.",
  "ReplicatedJob.replicas": "How many Jobs; default 1, and 0 is allowed.",
  "ReplicatedJob.dependsOn":
    "What has to be reached before Jobs of this ReplicatedJob are created; at most 5.",
  "DependsOn.name": "A ReplicatedJob earlier in the list.",
  "DependsOn.status":
    "`Ready`: every Job is ready or has ended. `Complete`: every Job has succeeded.",
  "Network.enableDNSHostnames":
    "Whether each Pod gets a hostname in a headless Service. Default: true.",
  "Network.subdomain": "The Service's name; default is the JobSet's.",
  "Network.publishNotReadyAddresses": "Whether a Pod resolves before it is ready; default true.",
  "SuccessPolicy.operator": "Whether `All` target Jobs must succeed, or `Any` one of them.",
  "SuccessPolicy.targetReplicatedJobs":
    "The ReplicatedJobs that count; absent or empty means all of them.",
  "FailurePolicy.maxRestarts": "How many restarts that count are allowed; default 0.",
  "FailurePolicy.restartStrategy":
    "`Recreate`: each Job returns as soon as its predecessor is gone. `BlockingRecreate`: none before all are. `InPlaceRestart`: the Pods stay and their containers restart (gate `InPlaceRestart`).",
  "FailurePolicy.rules": "The first rule that matches a failed Job decides; none: `RestartJobSet`.",
  "FailurePolicyRule.name":
    "Unique among the rules; becomes part of a condition's reason. Default `failurePolicyRule<index>`.",
  "FailurePolicyRule.action":
    "`FailJobSet` fails the JobSet for good. `RestartJobSet` recreates all its Jobs, `RestartJob` only the failed one. The variants `…AndIgnoreMaxRestarts` do not count the restart towards `maxRestarts`.",
  "FailurePolicyRule.onJobFailureReasons":
    "Reasons of the Job's `Failed` condition; absent or empty means any.",
  "FailurePolicyRule.onJobFailureMessagePatterns":
    "RE2 patterns searched in the message of the Job's `Failed` condition; absent or empty means any.",
  "FailurePolicyRule.targetReplicatedJobs":
    "The ReplicatedJobs the rule speaks of; absent or empty means all of them.",
  "StartupPolicy.startupPolicyOrder":
    "`InOrder`: the next one starts once the one before is ready.",
  "Coordinator.replicatedJob": "The ReplicatedJob that holds the Pod.",
  "Coordinator.jobIndex": "Which of its Jobs, from 0; default 0.",
  "Coordinator.podIndex": "Which Pod of the Indexed Job, from 0; default 0.",
  "VolumeClaimPolicy.templates":
    "Mounted by every container with a volume mount of the template's name; at most 50.",
  "VolumeClaimPolicy.retentionPolicy": "Whether the claims are kept or deleted with the JobSet.",
  "VolumeRetentionPolicy.whenDeleted": "Whether they go with the JobSet; default `Delete`.",
  "JobSetStatus.conditions": "One aspect of an object's state, at most one per `type`.",
  "JobSetStatus.restarts":
    "How often the whole JobSet was restarted; the current restart attempt of its Jobs.",
  "JobSetStatus.restartsCountTowardsMax":
    "The restarts that count towards `maxRestarts`; never more than `restarts`.",
  "JobSetStatus.terminalState":
    "Set with the condition of that name; absent while the JobSet is unfinished.",
  "JobSetStatus.replicatedJobsStatus": "One entry a ReplicatedJob, sorted by name descending.",
  "JobSetStatus.previousInPlaceRestartAttempt":
    "In-place restart: the attempt that all Pods have left; absent until first set.",
  "JobSetStatus.currentInPlaceRestartAttempt":
    "In-place restart: the attempt that all Pods are to reach; absent until first set.",
  "ReplicatedJobStatus.ready": "Active Jobs whose ready and succeeded Pods suffice.",
  "ReplicatedJobStatus.active": "Active Jobs with at least one active Pod.",
  "ReplicatedJobStatus.suspended": "Active Jobs that are suspended.",
  "ReplicatedJobStatus.jobRestarts":
    "Restarts of single Jobs by job index; absent when there never was one (gate `RestartJob`).",
  "ReplicatedJobStatus.jobRestartsCountTowardsMax":
    "Those that count towards `maxRestarts`, by job index (gate `RestartJob`).",
  "LabelSelector.matchExpressions": "One requirement on the value of a key.",
  "LabelSelectorRequirement.operator":
    "`In`, `NotIn`: the value is one, or none, of `values`. `Exists`, `DoesNotExist`: the key is there, or not.",
  "LabelSelectorRequirement.values": "Needed by `In` and `NotIn`, forbidden with the others.",
  "ObjectMeta.name": "Unique among the objects of one kind in one namespace.",
  "OwnerReference.controller": "Whether this owner manages the object.",
  "OwnerReference.blockOwnerDeletion":
    "Whether the owner's foreground deletion waits for this object.",
  "PersistentVolumeClaim.metadata": "What every object carries.",
  "PersistentVolumeClaim.spec": "The storage that the claim requests.",
  "PersistentVolumeClaimTemplate.metadata": "What every object carries.",
  "PersistentVolumeClaimTemplate.spec": "The storage that the claim requests.",
  "PersistentVolumeClaimSpec.resources": "Amounts by resource name, as Kubernetes quantities.",
  "PersistentVolumeClaimSpec.selector":
    "Which labels an object must carry; all requirements must hold.",
  "PersistentVolumeClaimSpec.storageClassName":
    "Absent means the cluster's default class; empty means none.",
  "PersistentVolumeClaimSpec.volumeName": "The bound volume.",
  "Pod.metadata": "What every object carries.",
  "Pod.spec": "What a Pod runs and where it may run; the members that JobSet reads or writes.",
  "Pod.status": "What the kubelet, the scheduler and others last saw.",
  "PodTemplateSpec.metadata": "What every object carries.",
  "PodTemplateSpec.spec":
    "What a Pod runs and where it may run; the members that JobSet reads or writes.",
  "PodSpec.containers": "One container; the members that JobSet reads.",
  "PodSpec.initContainers": "One container; the members that JobSet reads.",
  "PodSpec.volumes": "One volume of a Pod.",
  "PodSpec.nodeSelector": "Node labels that the Pod's node must carry.",
  "PodSpec.nodeName": "The node that the Pod is bound to; absent until it is scheduled.",
  "PodSpec.affinity": "Where a Pod wants to be, relative to nodes and to other Pods.",
  "PodSpec.tolerations": "A node taint that the Pod puts up with.",
  "PodSpec.schedulingGates": "While there is one, the Pod is not scheduled.",
  "PodSpec.subdomain": "The headless Service in which the Pod has its DNS name.",
  "Container.resources": "Amounts by resource name, as Kubernetes quantities.",
  "Container.volumeMounts": "A volume of the Pod at a path in a container.",
  "VolumeMount.name": "The volume's name.",
  "Toleration.key": "Empty with operator `Exists` tolerates everything.",
  "Toleration.effect": "Empty means every effect.",
  "Toleration.tolerationSeconds":
    "Only with `NoExecute`: how long the Pod tolerates the taint. Absent means forever.",
  "Affinity.podAffinity": "Attraction or repulsion between Pods; the required terms must all hold.",
  "Affinity.podAntiAffinity":
    "Attraction or repulsion between Pods; the required terms must all hold.",
  "PodAffinity.requiredDuringSchedulingIgnoredDuringExecution":
    "Pods that match the selector, in the same domain of the topology key.",
  "PodAffinityTerm.labelSelector": "Which labels an object must carry; all requirements must hold.",
  "PodAffinityTerm.namespaceSelector":
    "Absent together with `namespaces`: the Pod's own namespace. Empty: all namespaces.",
  "PodStatus.conditions": "One aspect of a Pod's state.",
  "PodStatus.containerStatuses": "One container's state.",
  "PodStatus.initContainerStatuses": "One container's state.",
  "PodCondition.status": "Whether a condition holds.",
};
