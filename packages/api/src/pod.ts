import type { ConditionStatus } from "./condition.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Open } from "./unvalidated.ts";

/**
 * Containers that run together on one node.
 *
 * @see Kubernetes `core/v1` `Pod`
 */
export interface Pod {
  apiVersion: "v1";
  kind: "Pod";
  metadata: ObjectMeta;
  spec: PodSpec;
  status?: PodStatus;
}

/** The template of a Job's Pods. */
export interface PodTemplateSpec {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

/** What a Pod runs and where it may run. Only the members that JobSet reads or writes. */
export interface PodSpec extends Open {
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  restartPolicy?: "Always" | "OnFailure" | "Never";
  /** Labels that the Pod's node must have. */
  nodeSelector?: Record<string, string>;
  /** The node of the Pod. Absent until it is scheduled. */
  nodeName?: string;
  affinity?: Affinity;
  tolerations?: Toleration[];
  /** The Pod is not scheduled while it has scheduling gates. */
  schedulingGates?: PodSchedulingGate[];
  priority?: number;
  priorityClassName?: string;
  hostname?: string;
  /** The headless Service that gives the Pod its DNS name. */
  subdomain?: string;
}

/** One container. Only the members that JobSet reads. */
export interface Container extends Open {
  name: string;
  image?: string;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMount[];
}

/** Amounts by resource name, as Kubernetes quantities. */
export interface ResourceRequirements extends Open {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

/** A mount of a Pod's volume in a container. */
export interface VolumeMount extends Open {
  /** The volume's name. */
  name: string;
  mountPath: string;
}

/** One volume of a Pod. */
export interface Volume extends Open {
  name: string;
  persistentVolumeClaim?: { claimName: string; readOnly?: boolean };
}

/** A toleration of a node's taint. */
export interface Toleration {
  /** An empty key with the operator `Exists` tolerates every taint. */
  key?: string;
  operator?: "Exists" | "Equal" | "Lt" | "Gt";
  value?: string;
  /** An empty effect tolerates every effect. */
  effect?: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  /** Only with `NoExecute`: how long the Pod tolerates the taint. Absent means forever. */
  tolerationSeconds?: number;
}

/** A reason not to schedule a Pod yet. */
export interface PodSchedulingGate {
  name: string;
}

/** Placement preferences and requirements of a Pod, relative to nodes and to other Pods. */
export interface Affinity extends Open {
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

/** Affinity or anti-affinity between Pods. All required terms must hold. */
export interface PodAffinity extends Open {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
}

/** Pods that match the selector, in the same domain of the topology key. */
export interface PodAffinityTerm extends Open {
  labelSelector?: LabelSelector;
  /** Absent together with `namespaces`: the Pod's own namespace. Empty: all namespaces. */
  namespaceSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
}

/** The state of a Pod as the kubelet, the scheduler and others report it. */
export interface PodStatus extends Open {
  phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  conditions?: PodCondition[];
  reason?: string;
  message?: string;
  startTime?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
}

/** One aspect of a Pod's state. */
export interface PodCondition extends Open {
  type: string;
  status: ConditionStatus;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** One container's state. */
export interface ContainerStatus extends Open {
  name: string;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
}
