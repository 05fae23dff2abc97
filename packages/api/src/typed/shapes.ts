/**
 * The members of every type inside a JobSet and inside a Pod, in the order in which the API serializes them.
 *
 * Each line is a type, with members separated by spaces. The table is used by the pruning of the CRD's schema
 * and by typed decoding. It defines the order in which a value is rendered, and which members are omitted.
 *
 * member  = ["*"] name form ["!"]  |  "…" type
 * form    = "(" scalar ")"     a plain scalar: absent means zero, and zero is not printed
 * | "?(" scalar ")"    a nullable scalar: absent and zero are different values
 * | "[" element "]"    a list: absent means empty
 * | "{" element "}"    a map with string keys: absent means empty
 * | ":" type           a nullable object: absent and `{}` are different values
 * | "=" type           an object by value: absent means `{}`, and it is always printed
 * scalar  = "string" | "boolean" | "int32" | "int64" | "integer"
 * element = scalar | type
 * "*"     the schema requires the member
 * "!"     the member is always printed: `""`, `0`, `false`; an absent list or nullable member prints `null`
 * "…"     the members of that type stand here
 *
 * `Quantity`, `IntOrString` and `Time` are types without a line in the table. A zero `Time` is left out where it
 * stands as a plain scalar, and printed as `null` where it stands by value.
 *
 * @see Kubernetes v0.36 `batch/v1` and `core/v1`; JobSet v1alpha2
 */
export const shapes = {
  JobSet: "…TypeMeta metadata=ObjectMeta spec=JobSetSpec status=JobSetStatus",
  JobSetSpec:
    "replicatedJobs[ReplicatedJob] network:Network successPolicy:SuccessPolicy failurePolicy:FailurePolicy startupPolicy:StartupPolicy suspend?(boolean) coordinator:Coordinator managedBy?(string) ttlSecondsAfterFinished?(int32) volumeClaimPolicies[VolumeClaimPolicy]",
  Network: "enableDNSHostnames?(boolean) subdomain(string) publishNotReadyAddresses?(boolean)",
  SuccessPolicy: "*operator(string)! targetReplicatedJobs[string]",
  FailurePolicy: "maxRestarts(int32) restartStrategy(string) rules[FailurePolicyRule]",
  FailurePolicyRule:
    "*name(string)! *action(string)! onJobFailureReasons[string] onJobFailureMessagePatterns[string] targetReplicatedJobs[string]",
  StartupPolicy: "*startupPolicyOrder(string)!",
  Coordinator: "*replicatedJob(string)! jobIndex(integer) podIndex(integer)",
  JobSetStatus:
    "conditions[Condition] restarts(int32)! restartsCountTowardsMax(int32) terminalState(string) replicatedJobsStatus[ReplicatedJobStatus] previousInPlaceRestartAttempt?(int32) currentInPlaceRestartAttempt?(int32)",
  ReplicatedJobStatus:
    "*name(string)! *ready(int32)! *succeeded(int32)! *failed(int32)! *active(int32)! *suspended(int32)! jobRestarts[int32] jobRestartsCountTowardsMax[int32]",
  Condition:
    "*type(string)! *status(string)! observedGeneration(int64) *lastTransitionTime=Time *reason(string)! *message(string)!",
  TypeMeta: "kind(string) apiVersion(string)",
  ReplicatedJob:
    "*name(string)! groupName(string) *template=JobTemplateSpec replicas(int32) dependsOn[DependsOn]",
  JobTemplateSpec: "metadata=ObjectMeta spec=JobSpec",
  // The members that the schema keeps in the metadata of a template. In upstream's types, it has all members of
  // FullObjectMeta.
  ObjectMeta:
    "name(string) namespace(string) labels{string} annotations{string} finalizers[string]",
  FullObjectMeta:
    "name(string) generateName(string) namespace(string) selfLink(string) uid(string) resourceVersion(string) generation(int64) creationTimestamp(Time) deletionTimestamp:Time deletionGracePeriodSeconds?(int64) labels{string} annotations{string} ownerReferences[OwnerReference] finalizers[string] managedFields[ManagedFieldsEntry]",
  OwnerReference:
    "*apiVersion(string)! *kind(string)! *name(string)! *uid(string)! controller?(boolean) blockOwnerDeletion?(boolean)",
  // fieldsV1 is omitted because it is raw JSON (isRawJson): every value is valid, and none is rewritten.
  ManagedFieldsEntry:
    "manager(string) operation(string) apiVersion(string) time:Time fieldsType(string) subresource(string)",
  JobSpec:
    "parallelism?(int32) completions?(int32) activeDeadlineSeconds?(int64) podFailurePolicy:PodFailurePolicy successPolicy:JobSuccessPolicy backoffLimit?(int32) backoffLimitPerIndex?(int32) maxFailedIndexes?(int32) selector:LabelSelector manualSelector?(boolean) *template=PodTemplateSpec ttlSecondsAfterFinished?(int32) completionMode?(string) suspend?(boolean) podReplacementPolicy?(string) managedBy?(string)",
  PodFailurePolicy: "*rules[PodFailurePolicyRule]!",
  PodFailurePolicyRule:
    "*action(string)! onExitCodes:PodFailurePolicyOnExitCodesRequirement onPodConditions[PodFailurePolicyOnPodConditionsPattern]",
  PodFailurePolicyOnExitCodesRequirement:
    "containerName?(string) *operator(string)! *values[int32]!",
  PodFailurePolicyOnPodConditionsPattern: "*type(string)! status(string)!",
  JobSuccessPolicy: "*rules[JobSuccessPolicyRule]!",
  JobSuccessPolicyRule: "succeededIndexes?(string) succeededCount?(int32)",
  LabelSelector: "matchLabels{string} matchExpressions[LabelSelectorRequirement]",
  LabelSelectorRequirement: "*key(string)! *operator(string)! values[string]",
  PodTemplateSpec: "metadata=ObjectMeta spec=PodSpec",
  PodSpec:
    "volumes[Volume] initContainers[Container] *containers[Container]! ephemeralContainers[EphemeralContainer] restartPolicy(string) terminationGracePeriodSeconds?(int64) activeDeadlineSeconds?(int64) dnsPolicy(string) nodeSelector{string} serviceAccountName(string) serviceAccount(string) automountServiceAccountToken?(boolean) nodeName(string) hostNetwork(boolean) hostPID(boolean) hostIPC(boolean) shareProcessNamespace?(boolean) securityContext:PodSecurityContext imagePullSecrets[LocalObjectReference] hostname(string) subdomain(string) affinity:Affinity schedulerName(string) tolerations[Toleration] hostAliases[HostAlias] priorityClassName(string) priority?(int32) dnsConfig:PodDNSConfig readinessGates[PodReadinessGate] runtimeClassName?(string) enableServiceLinks?(boolean) preemptionPolicy?(string) overhead{Quantity} topologySpreadConstraints[TopologySpreadConstraint] setHostnameAsFQDN?(boolean) os:PodOS hostUsers?(boolean) schedulingGates[PodSchedulingGate] resourceClaims[PodResourceClaim] resources:ResourceRequirements hostnameOverride?(string) schedulingGroup:PodSchedulingGroup",
  Volume: "*name(string)! …VolumeSource",
  VolumeSource:
    "hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource awsElasticBlockStore:AWSElasticBlockStoreVolumeSource gitRepo:GitRepoVolumeSource secret:SecretVolumeSource nfs:NFSVolumeSource iscsi:ISCSIVolumeSource glusterfs:GlusterfsVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource rbd:RBDVolumeSource flexVolume:FlexVolumeSource cinder:CinderVolumeSource cephfs:CephFSVolumeSource flocker:FlockerVolumeSource downwardAPI:DownwardAPIVolumeSource fc:FCVolumeSource azureFile:AzureFileVolumeSource configMap:ConfigMapVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource azureDisk:AzureDiskVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource projected:ProjectedVolumeSource portworxVolume:PortworxVolumeSource scaleIO:ScaleIOVolumeSource storageos:StorageOSVolumeSource csi:CSIVolumeSource ephemeral:EphemeralVolumeSource image:ImageVolumeSource",
  HostPathVolumeSource: "*path(string)! type?(string)",
  EmptyDirVolumeSource: "medium(string) sizeLimit:Quantity",
  GCEPersistentDiskVolumeSource:
    "*pdName(string)! fsType(string) partition(int32) readOnly(boolean)",
  AWSElasticBlockStoreVolumeSource:
    "*volumeID(string)! fsType(string) partition(int32) readOnly(boolean)",
  GitRepoVolumeSource: "*repository(string)! revision(string) directory(string)",
  SecretVolumeSource: "secretName(string) items[KeyToPath] defaultMode?(int32) optional?(boolean)",
  KeyToPath: "*key(string)! *path(string)! mode?(int32)",
  NFSVolumeSource: "*server(string)! *path(string)! readOnly(boolean)",
  ISCSIVolumeSource:
    "*targetPortal(string)! *iqn(string)! *lun(int32)! iscsiInterface(string) fsType(string) readOnly(boolean) portals[string] chapAuthDiscovery(boolean) chapAuthSession(boolean) secretRef:LocalObjectReference initiatorName?(string)",
  LocalObjectReference: "name(string)",
  GlusterfsVolumeSource: "*endpoints(string)! *path(string)! readOnly(boolean)",
  PersistentVolumeClaimVolumeSource: "*claimName(string)! readOnly(boolean)",
  RBDVolumeSource:
    "*monitors[string]! *image(string)! fsType(string) pool(string) user(string) keyring(string) secretRef:LocalObjectReference readOnly(boolean)",
  FlexVolumeSource:
    "*driver(string)! fsType(string) secretRef:LocalObjectReference readOnly(boolean) options{string}",
  CinderVolumeSource:
    "*volumeID(string)! fsType(string) readOnly(boolean) secretRef:LocalObjectReference",
  CephFSVolumeSource:
    "*monitors[string]! path(string) user(string) secretFile(string) secretRef:LocalObjectReference readOnly(boolean)",
  FlockerVolumeSource: "datasetName(string) datasetUUID(string)",
  DownwardAPIVolumeSource: "items[DownwardAPIVolumeFile] defaultMode?(int32)",
  DownwardAPIVolumeFile:
    "*path(string)! fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode?(int32)",
  ObjectFieldSelector: "apiVersion(string) *fieldPath(string)!",
  ResourceFieldSelector: "containerName(string) *resource(string)! divisor=Quantity",
  FCVolumeSource: "targetWWNs[string] lun?(int32) fsType(string) readOnly(boolean) wwids[string]",
  AzureFileVolumeSource: "*secretName(string)! *shareName(string)! readOnly(boolean)",
  ConfigMapVolumeSource:
    "…LocalObjectReference items[KeyToPath] defaultMode?(int32) optional?(boolean)",
  VsphereVirtualDiskVolumeSource:
    "*volumePath(string)! fsType(string) storagePolicyName(string) storagePolicyID(string)",
  QuobyteVolumeSource:
    "*registry(string)! *volume(string)! readOnly(boolean) user(string) group(string) tenant(string)",
  AzureDiskVolumeSource:
    "*diskName(string)! *diskURI(string)! cachingMode?(string) fsType?(string) readOnly?(boolean) kind?(string)",
  PhotonPersistentDiskVolumeSource: "*pdID(string)! fsType(string)",
  ProjectedVolumeSource: "sources[VolumeProjection]! defaultMode?(int32)",
  VolumeProjection:
    "secret:SecretProjection downwardAPI:DownwardAPIProjection configMap:ConfigMapProjection serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle:ClusterTrustBundleProjection podCertificate:PodCertificateProjection",
  SecretProjection: "…LocalObjectReference items[KeyToPath] optional?(boolean)",
  DownwardAPIProjection: "items[DownwardAPIVolumeFile]",
  ConfigMapProjection: "…LocalObjectReference items[KeyToPath] optional?(boolean)",
  ServiceAccountTokenProjection: "audience(string) expirationSeconds?(int64) *path(string)!",
  ClusterTrustBundleProjection:
    "name?(string) signerName?(string) labelSelector:LabelSelector optional?(boolean) *path(string)!",
  PodCertificateProjection:
    "*signerName(string) *keyType(string) maxExpirationSeconds?(int32) credentialBundlePath(string) keyPath(string) certificateChainPath(string) userAnnotations{string}",
  PortworxVolumeSource: "*volumeID(string)! fsType(string) readOnly(boolean)",
  ScaleIOVolumeSource:
    "*gateway(string)! *system(string)! *secretRef:LocalObjectReference! sslEnabled(boolean) protectionDomain(string) storagePool(string) storageMode(string) volumeName(string) fsType(string) readOnly(boolean)",
  StorageOSVolumeSource:
    "volumeName(string) volumeNamespace(string) fsType(string) readOnly(boolean) secretRef:LocalObjectReference",
  CSIVolumeSource:
    "*driver(string)! readOnly?(boolean) fsType?(string) volumeAttributes{string} nodePublishSecretRef:LocalObjectReference",
  EphemeralVolumeSource: "volumeClaimTemplate:PersistentVolumeClaimTemplate",
  PersistentVolumeClaimTemplate: "metadata=ObjectMeta *spec=PersistentVolumeClaimSpec",
  PersistentVolumeClaimSpec:
    "accessModes[string] selector:LabelSelector resources=VolumeResourceRequirements volumeName(string) storageClassName?(string) volumeMode?(string) dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference volumeAttributesClassName?(string)",
  VolumeResourceRequirements: "limits{Quantity} requests{Quantity}",
  TypedLocalObjectReference: "apiGroup?(string)! *kind(string)! *name(string)!",
  TypedObjectReference: "apiGroup?(string)! *kind(string)! *name(string)! namespace?(string)",
  ImageVolumeSource: "reference(string) pullPolicy(string)",
  Container:
    "*name(string)! image(string) command[string] args[string] workingDir(string) ports[ContainerPort] envFrom[EnvFromSource] env[EnvVar] resources=ResourceRequirements resizePolicy[ContainerResizePolicy] restartPolicy?(string) restartPolicyRules[ContainerRestartRule] volumeMounts[VolumeMount] volumeDevices[VolumeDevice] livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath(string) terminationMessagePolicy(string) imagePullPolicy(string) securityContext:SecurityContext stdin(boolean) stdinOnce(boolean) tty(boolean)",
  ContainerPort:
    "name(string) hostPort(int32) *containerPort(int32)! protocol(string) hostIP(string)",
  EnvFromSource: "prefix(string) configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource",
  ConfigMapEnvSource: "…LocalObjectReference optional?(boolean)",
  SecretEnvSource: "…LocalObjectReference optional?(boolean)",
  EnvVar: "*name(string)! value(string) valueFrom:EnvVarSource",
  EnvVarSource:
    "fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector configMapKeyRef:ConfigMapKeySelector secretKeyRef:SecretKeySelector fileKeyRef:FileKeySelector",
  ConfigMapKeySelector: "…LocalObjectReference *key(string)! optional?(boolean)",
  SecretKeySelector: "…LocalObjectReference *key(string)! optional?(boolean)",
  FileKeySelector: "*volumeName(string)! *path(string)! *key(string)! optional?(boolean)",
  ResourceRequirements: "limits{Quantity} requests{Quantity} claims[ResourceClaim]",
  ResourceClaim: "*name(string)! request(string)",
  ContainerResizePolicy: "*resourceName(string)! *restartPolicy(string)!",
  ContainerRestartRule: "*action(string) exitCodes:ContainerRestartRuleOnExitCodes",
  ContainerRestartRuleOnExitCodes: "*operator(string) values[int32]",
  VolumeMount:
    "*name(string)! readOnly(boolean) recursiveReadOnly?(string) *mountPath(string)! subPath(string) mountPropagation?(string) subPathExpr(string)",
  EphemeralContainer: "…Container targetContainerName(string)",
  VolumeDevice: "*name(string)! *devicePath(string)!",
  Probe:
    "…ProbeHandler initialDelaySeconds(int32) timeoutSeconds(int32) periodSeconds(int32) successThreshold(int32) failureThreshold(int32) terminationGracePeriodSeconds?(int64)",
  ProbeHandler: "exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction",
  ExecAction: "command[string]",
  HTTPGetAction:
    "path(string) *port=IntOrString host(string) scheme(string) httpHeaders[HTTPHeader]",
  HTTPHeader: "*name(string)! *value(string)!",
  TCPSocketAction: "*port=IntOrString host(string)",
  GRPCAction: "*port(int32)! service?(string)!",
  Lifecycle: "postStart:LifecycleHandler preStop:LifecycleHandler stopSignal?(string)",
  LifecycleHandler:
    "exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction",
  SleepAction: "*seconds(int64)!",
  SecurityContext:
    "capabilities:Capabilities privileged?(boolean) seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser?(int64) runAsGroup?(int64) runAsNonRoot?(boolean) readOnlyRootFilesystem?(boolean) allowPrivilegeEscalation?(boolean) procMount?(string) seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile",
  Capabilities: "add[string] drop[string]",
  SELinuxOptions: "user(string) role(string) type(string) level(string)",
  WindowsSecurityContextOptions:
    "gmsaCredentialSpecName?(string) gmsaCredentialSpec?(string) runAsUserName?(string) hostProcess?(boolean)",
  SeccompProfile: "*type(string)! localhostProfile?(string)",
  AppArmorProfile: "*type(string)! localhostProfile?(string)",
  PodSecurityContext:
    "seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser?(int64) runAsGroup?(int64) runAsNonRoot?(boolean) supplementalGroups[int64] supplementalGroupsPolicy?(string) fsGroup?(int64) sysctls[Sysctl] fsGroupChangePolicy?(string) seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile seLinuxChangePolicy?(string)",
  Sysctl: "*name(string)! *value(string)!",
  Affinity: "nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity",
  NodeAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution:NodeSelector preferredDuringSchedulingIgnoredDuringExecution[PreferredSchedulingTerm]",
  NodeSelector: "*nodeSelectorTerms[NodeSelectorTerm]!",
  NodeSelectorTerm:
    "matchExpressions[NodeSelectorRequirement] matchFields[NodeSelectorRequirement]",
  NodeSelectorRequirement: "*key(string)! *operator(string)! values[string]",
  PreferredSchedulingTerm: "*weight(int32)! *preference=NodeSelectorTerm",
  PodAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution[PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution[WeightedPodAffinityTerm]",
  PodAffinityTerm:
    "labelSelector:LabelSelector namespaces[string] *topologyKey(string)! namespaceSelector:LabelSelector matchLabelKeys[string] mismatchLabelKeys[string]",
  WeightedPodAffinityTerm: "*weight(int32)! *podAffinityTerm=PodAffinityTerm",
  PodAntiAffinity:
    "requiredDuringSchedulingIgnoredDuringExecution[PodAffinityTerm] preferredDuringSchedulingIgnoredDuringExecution[WeightedPodAffinityTerm]",
  Toleration: "key(string) operator(string) value(string) effect(string) tolerationSeconds?(int64)",
  HostAlias: "*ip(string)! hostnames[string]",
  PodDNSConfig: "nameservers[string] searches[string] options[PodDNSConfigOption]",
  PodDNSConfigOption: "name(string) value?(string)",
  PodReadinessGate: "*conditionType(string)!",
  TopologySpreadConstraint:
    "*maxSkew(int32)! *topologyKey(string)! *whenUnsatisfiable(string)! labelSelector:LabelSelector minDomains?(int32) nodeAffinityPolicy?(string) nodeTaintsPolicy?(string) matchLabelKeys[string]",
  PodOS: "*name(string)!",
  PodSchedulingGate: "*name(string)!",
  PodResourceClaim: "*name(string)! resourceClaimName?(string) resourceClaimTemplateName?(string)",
  PodSchedulingGroup: "podGroupName?(string)",
  DependsOn: "*name(string)! *status(string)!",
  VolumeClaimPolicy: "templates[PersistentVolumeClaim] retentionPolicy:VolumeRetentionPolicy",
  PersistentVolumeClaim:
    "…TypeMeta metadata=ObjectMeta spec=PersistentVolumeClaimSpec status=PersistentVolumeClaimStatus",
  PersistentVolumeClaimStatus:
    "phase(string) accessModes[string] capacity{Quantity} conditions[PersistentVolumeClaimCondition] allocatedResources{Quantity} allocatedResourceStatuses{string} currentVolumeAttributesClassName?(string) modifyVolumeStatus:ModifyVolumeStatus",
  PersistentVolumeClaimCondition:
    "*type(string)! *status(string)! lastProbeTime=Time lastTransitionTime=Time reason(string) message(string)",
  ModifyVolumeStatus: "targetVolumeAttributesClassName(string) *status(string)!",
  VolumeRetentionPolicy: "whenDeleted?(string)",
  Pod: "…TypeMeta metadata=ObjectMeta spec=PodSpec status=PodStatus",
  PodStatus:
    "observedGeneration(int64) phase(string) conditions[PodCondition] message(string) reason(string) nominatedNodeName(string) hostIP(string) hostIPs[HostIP] podIP(string) podIPs[PodIP] startTime:Time initContainerStatuses[ContainerStatus] containerStatuses[ContainerStatus] qosClass(string) ephemeralContainerStatuses[ContainerStatus] resize(string) resourceClaimStatuses[PodResourceClaimStatus] extendedResourceClaimStatus:PodExtendedResourceClaimStatus allocatedResources{Quantity} resources:ResourceRequirements nodeAllocatableResourceClaimStatuses[NodeAllocatableResourceClaimStatus]",
  PodCondition:
    "*type(string)! observedGeneration(int64) *status(string)! lastProbeTime=Time lastTransitionTime=Time reason(string) message(string)",
  HostIP: "*ip(string)!",
  PodIP: "*ip(string)!",
  PodResourceClaimStatus: "*name(string)! resourceClaimName?(string)",
  PodExtendedResourceClaimStatus:
    "*requestMappings[ContainerExtendedResourceRequest]! *resourceClaimName(string)!",
  ContainerExtendedResourceRequest:
    "*containerName(string)! *resourceName(string)! *requestName(string)!",
  NodeAllocatableResourceClaimStatus:
    "*resourceClaimName(string)! containers[string] *resources{Quantity}!",
  ContainerStatus:
    "*name(string)! state=ContainerState lastState=ContainerState *ready(boolean)! *restartCount(int32)! *image(string)! *imageID(string)! containerID(string) started?(boolean) allocatedResources{Quantity} resources:ResourceRequirements volumeMounts[VolumeMountStatus] user:ContainerUser allocatedResourcesStatus[ResourceStatus] stopSignal?(string)",
  ContainerState:
    "waiting:ContainerStateWaiting running:ContainerStateRunning terminated:ContainerStateTerminated",
  ContainerStateWaiting: "reason(string) message(string)",
  ContainerStateRunning: "startedAt=Time",
  ContainerStateTerminated:
    "*exitCode(int32)! signal(int32) reason(string) message(string) startedAt=Time finishedAt=Time containerID(string)",
  VolumeMountStatus:
    "*name(string)! *mountPath(string)! readOnly(boolean) recursiveReadOnly?(string) volumeStatus:VolumeStatus",
  VolumeStatus: "image:ImageVolumeStatus",
  ImageVolumeStatus: "imageRef(string)",
  ContainerUser: "linux:LinuxContainerUser",
  LinuxContainerUser: "*uid(int64)! *gid(int64)! supplementalGroups[int64]",
  ResourceStatus: "*name(string)! resources[ResourceHealth]",
  ResourceHealth: "*resourceID(string)! health(string) message?(string)",
} as const satisfies Record<string, string>;

/** A type that is listed in the table `shapes`. */
export type ShapeName = keyof typeof shapes;
