import { allVolumes } from "./all-volumes.ts";

/** A Job as plain data. Cases change parts of it. */
// biome-ignore lint/suspicious/noExplicitAny: a change may set a value of any type
export type JobData = any;

/** Returns Jobs that, together, have every member that the API server validates. All but the last are valid. */
export function createJobsWithEveryMember(): Readonly<Record<string, JobData>> {
  return {
    minimal: job({ template: { spec: podSpec({ containers: [container("main")] }) } }),
    policies: job(policies),
    training: job({ completionMode: "Indexed", completions: 4, template: training }),
    storage: job({ template: { spec: storage } }),
    placement: job({ template: { spec: placement } }),
    security: job({ template: security }),
    network: job({ template: { spec: network } }),
    claims: job({ template: { spec: claims } }),
    devices: job({ template: { spec: devices } }),
    windows: job({ template: { spec: windows } }),
    debugged: job({ template: { spec: podSpecWithEphemeralContainer } }),
  };
}

function job(spec: object): JobData {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "train-workers-0", namespace: "default", labels: { team: "a" } },
    spec,
  };
}

function podSpec(members: object) {
  return { restartPolicy: "Never", ...members };
}

function container(name: string, members: object = {}) {
  return { name, image: "registry.example/app:1.2", ...members };
}

const policies = {
  parallelism: 3,
  completions: 6,
  completionMode: "Indexed",
  activeDeadlineSeconds: 3600,
  backoffLimit: 4,
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 2,
  ttlSecondsAfterFinished: 60,
  suspend: true,
  podReplacementPolicy: "Failed",
  managedBy: "example.com/controller",
  podFailurePolicy: {
    rules: [
      {
        action: "FailJob",
        onExitCodes: { containerName: "main", operator: "In", values: [1, 42] },
      },
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
      { action: "FailIndex", onExitCodes: { operator: "NotIn", values: [0, 3] } },
    ],
  },
  successPolicy: {
    rules: [{ succeededIndexes: "0,2-4", succeededCount: 2 }, { succeededCount: 3 }],
  },
  template: { spec: podSpec({ containers: [container("main")] }) },
};

const training = {
  metadata: {
    labels: { app: "train", "example.com/role": "worker" },
    annotations: { "example.com/note": "x", "controller.kubernetes.io/pod-deletion-cost": "10" },
  },
  spec: podSpec({
    terminationGracePeriodSeconds: 60,
    activeDeadlineSeconds: 600,
    serviceAccountName: "trainer",
    priorityClassName: "high",
    runtimeClassName: "nvidia",
    preemptionPolicy: "Never",
    imagePullSecrets: [{ name: "registry" }],
    volumes: [
      { name: "work", emptyDir: { medium: "Memory", sizeLimit: "1Gi" } },
      { name: "vars", emptyDir: {} },
    ],
    initContainers: [
      container("prepare", {
        resources: { requests: { cpu: "100m" } },
        volumeMounts: [{ name: "work", mountPath: "/work" }],
      }),
      container("proxy", {
        restartPolicy: "Always",
        ports: [{ name: "proxy", containerPort: 9000, hostPort: 9000 }],
        resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
        startupProbe: { tcpSocket: { port: 9000 }, failureThreshold: 30 },
      }),
    ],
    containers: [
      container("trainer", {
        workingDir: "/app",
        command: ["run"],
        imagePullPolicy: "IfNotPresent",
        terminationMessagePolicy: "FallbackToLogsOnError",
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { name: "nccl", containerPort: 29500, hostPort: 29500 },
        ],
        env: [
          { name: "MODE", value: "fast" },
          { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
          { name: "ROLE", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
          {
            name: "CPUS",
            valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } },
          },
          { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
          { name: "TOKEN", valueFrom: { secretKeyRef: { name: "token", key: "value" } } },
          {
            name: "SEED",
            valueFrom: { fileKeyRef: { volumeName: "vars", path: "env", key: "SEED" } },
          },
        ],
        envFrom: [
          { prefix: "APP_", configMapRef: { name: "settings" } },
          { secretRef: { name: "token" } },
        ],
        resources: {
          limits: { cpu: "2", memory: "4Gi", "nvidia.com/gpu": "1", "hugepages-2Mi": "4Mi" },
          requests: { cpu: "1", memory: "4Gi", "ephemeral-storage": "1Gi" },
        },
        volumeMounts: [
          {
            name: "work",
            mountPath: "/work",
            subPath: "a/b",
            readOnly: true,
            recursiveReadOnly: "Enabled",
          },
          { name: "vars", mountPath: "/vars", subPathExpr: "$(NODE)", mountPropagation: "None" },
        ],
        livenessProbe: {
          httpGet: { path: "/live", port: "http", httpHeaders: [{ name: "X-A", value: "1" }] },
          terminationGracePeriodSeconds: 5,
        },
        readinessProbe: {
          exec: { command: ["ready"] },
          initialDelaySeconds: 1,
          successThreshold: 2,
        },
        startupProbe: { grpc: { port: 9090 }, periodSeconds: 5, timeoutSeconds: 2 },
        lifecycle: {
          postStart: { exec: { command: ["start"] } },
          preStop: { sleep: { seconds: 10 } },
        },
      }),
      container("logger", {
        restartPolicy: "OnFailure",
        restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }],
        lifecycle: { preStop: { httpGet: { port: 80 } } },
      }),
    ],
  }),
};

const storage = podSpec({
  containers: [
    container("main", {
      volumeMounts: [
        { name: "host", mountPath: "/host" },
        { name: "all", mountPath: "/all" },
      ],
    }),
  ],
  volumes: allVolumes,
});

const selector = {
  matchLabels: { app: "train" },
  matchExpressions: [
    { key: "tier", operator: "In", values: ["a", "b"] },
    { key: "old", operator: "DoesNotExist" },
  ],
};
const podTerm = {
  labelSelector: selector,
  topologyKey: "topology.kubernetes.io/zone",
  namespaces: ["default"],
  namespaceSelector: { matchLabels: { team: "a" } },
  matchLabelKeys: ["pod-template-hash"],
  mismatchLabelKeys: ["tenant"],
};
const nodeTerm = {
  matchExpressions: [
    { key: "gpu", operator: "In", values: ["a100", "h100"] },
    { key: "cores", operator: "Gt", values: ["4"] },
    { key: "spot", operator: "Exists" },
  ],
  matchFields: [{ key: "metadata.name", operator: "NotIn", values: ["node-1"] }],
};

const placement = podSpec({
  containers: [container("main")],
  nodeSelector: { "kubernetes.io/os": "linux", "example.com/pool": "gpu" },
  nodeName: "node-1",
  schedulingGates: [{ name: "example.com/quota" }],
  tolerations: [
    { key: "gpu", operator: "Exists", effect: "NoSchedule" },
    { key: "spot", operator: "Equal", value: "true", effect: "NoExecute", tolerationSeconds: 30 },
    { operator: "Exists" },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference: nodeTerm }],
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [podTerm],
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: podTerm }],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [podTerm],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "topology.kubernetes.io/zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: selector,
      minDomains: 2,
      nodeAffinityPolicy: "Honor",
      nodeTaintsPolicy: "Ignore",
      matchLabelKeys: ["app"],
    },
    { maxSkew: 2, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
  ],
});

const security = {
  metadata: {
    annotations: {
      "container.apparmor.security.beta.kubernetes.io/main": "localhost/profile",
      "container.seccomp.security.alpha.kubernetes.io/main": "localhost/seccomp.json",
      "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
    },
  },
  spec: podSpec({
    shareProcessNamespace: true,
    hostUsers: false,
    securityContext: {
      runAsUser: 1000,
      runAsGroup: 1000,
      runAsNonRoot: true,
      fsGroup: 2000,
      fsGroupChangePolicy: "OnRootMismatch",
      supplementalGroups: [3000],
      supplementalGroupsPolicy: "Strict",
      seLinuxChangePolicy: "Recursive",
      seLinuxOptions: { level: "s0:c1,c2" },
      sysctls: [
        { name: "net.core.somaxconn", value: "1024" },
        { name: "kernel/shmmax", value: "1" },
      ],
      seccompProfile: { type: "RuntimeDefault" },
      appArmorProfile: { type: "RuntimeDefault" },
    },
    containers: [
      container("main", {
        securityContext: {
          capabilities: { add: ["NET_ADMIN"], drop: ["ALL"] },
          privileged: false,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsUser: 1,
          runAsGroup: 1,
          procMount: "Unmasked",
          seccompProfile: { type: "Localhost", localhostProfile: "seccomp.json" },
          appArmorProfile: { type: "Localhost", localhostProfile: "profile" },
        },
      }),
    ],
  }),
};

const network = podSpec({
  hostNetwork: true,
  dnsPolicy: "None",
  dnsConfig: {
    nameservers: ["10.0.0.10", "2001:db8::1"],
    searches: ["ml.svc.cluster.local", "_tcp.example.com."],
    options: [{ name: "ndots", value: "2" }],
  },
  hostAliases: [{ ip: "10.0.0.1", hostnames: ["a.local", "b.local"] }],
  readinessGates: [{ conditionType: "example.com/ready" }],
  enableServiceLinks: false,
  containers: [container("main", { ports: [{ containerPort: 80, hostPort: 80 }] })],
});

const claims = podSpec({
  hostname: "leader",
  subdomain: "train",
  hostnameOverride: "leader.example.com",
  overhead: { cpu: "100m", memory: "64Mi" },
  resourceClaims: [
    { name: "gpu", resourceClaimTemplateName: "gpu" },
    { name: "nic", resourceClaimName: "shared-nic" },
  ],
  resources: { limits: { cpu: "4", memory: "8Gi" }, requests: { cpu: "3", memory: "4Gi" } },
  initContainers: [
    container("sidecar", { restartPolicy: "Always", resources: { requests: { cpu: "500m" } } }),
    container("setup", { resources: { requests: { cpu: "2", memory: "1Gi" } } }),
  ],
  containers: [
    container("main", {
      resources: {
        claims: [{ name: "gpu", request: "one" }, { name: "gpu", request: "two" }, { name: "nic" }],
        limits: { cpu: "2", memory: "2Gi" },
        requests: { cpu: "1500m", memory: "2Gi" },
      },
    }),
    container("other", { resources: { requests: { cpu: "1", memory: "512Mi" } } }),
  ],
});

const devices = podSpec({
  os: { name: "linux" },
  volumes: [
    { name: "data", persistentVolumeClaim: { claimName: "data" } },
    { name: "raw", persistentVolumeClaim: { claimName: "raw" } },
    { name: "tmp", emptyDir: {} },
  ],
  containers: [
    container("main", {
      securityContext: { privileged: true },
      volumeMounts: [{ name: "data", mountPath: "/data", mountPropagation: "Bidirectional" }],
      volumeDevices: [{ name: "raw", devicePath: "/dev/raw" }],
    }),
  ],
});

const windows = podSpec({
  os: { name: "windows" },
  hostNetwork: true,
  securityContext: {
    windowsOptions: {
      hostProcess: true,
      gmsaCredentialSpecName: "gmsa",
      gmsaCredentialSpec: "{}",
      runAsUserName: "DOMAIN\\user",
    },
  },
  containers: [
    container("main", {
      securityContext: { windowsOptions: { runAsUserName: "NT AUTHORITY\\SYSTEM" } },
    }),
  ],
});

const podSpecWithEphemeralContainer = podSpec({
  volumes: [{ name: "work", emptyDir: {} }],
  containers: [container("main")],
  ephemeralContainers: [
    container("debug", {
      targetContainerName: "main",
      volumeMounts: [{ name: "work", mountPath: "/work" }],
    }),
  ],
});
