const keys = [{ key: "a", path: "x/a", mode: 0o400 }];
const downward = [
  { path: "labels", fieldRef: { fieldPath: "metadata.labels" } },
  {
    path: "cpu",
    resourceFieldRef: { containerName: "main", resource: "requests.cpu" },
    mode: 0o600,
  },
];

/** A volume of each type, with every field that the API server validates. The volume mounts use `host` and `all`. */
export const allVolumes = [
  { name: "host", hostPath: { path: "/var/data", type: "Directory" } },
  { name: "git", gitRepo: { repository: "https://example.com/a.git", directory: "a" } },
  { name: "gce", gcePersistentDisk: { pdName: "disk", partition: 1 } },
  { name: "aws", awsElasticBlockStore: { volumeID: "vol-1", partition: 1 } },
  { name: "secret", secret: { secretName: "s", items: keys, defaultMode: 0o644 } },
  { name: "nfs", nfs: { server: "nfs.example", path: "/export" } },
  {
    name: "iscsi",
    iscsi: {
      targetPortal: "10.0.0.1:3260",
      iqn: "iqn.2001-04.com.example:storage.disk1",
      lun: 0,
      chapAuthSession: true,
      secretRef: { name: "chap" },
      initiatorName: "iqn.2001-04.com.example:initiator",
    },
  },
  { name: "gluster", glusterfs: { endpoints: "e", path: "p" } },
  { name: "flocker", flocker: { datasetName: "d" } },
  { name: "claim", persistentVolumeClaim: { claimName: "data" } },
  { name: "rbd", rbd: { monitors: ["10.0.0.1"], image: "i" } },
  { name: "cinder", cinder: { volumeID: "v", secretRef: { name: "s" } } },
  { name: "ceph", cephfs: { monitors: ["10.0.0.1"] } },
  { name: "quobyte", quobyte: { registry: "a:1,b:2", volume: "v", tenant: "t" } },
  { name: "downward", downwardAPI: { items: downward } },
  { name: "fc", fc: { targetWWNs: ["50060e801049cfd1"], lun: 0 } },
  { name: "flex", flexVolume: { driver: "example.com/d", options: { "example.com/o": "1" } } },
  { name: "config", configMap: { name: "c", items: keys } },
  { name: "azfile", azureFile: { secretName: "s", shareName: "h" } },
  { name: "vsphere", vsphereVolume: { volumePath: "[ds] v" } },
  { name: "photon", photonPersistentDisk: { pdID: "p" } },
  { name: "portworx", portworxVolume: { volumeID: "v" } },
  {
    name: "azdisk",
    azureDisk: {
      diskName: "d",
      diskURI: "https://a.blob.core.windows.net/c/d.vhd",
      cachingMode: "None",
    },
  },
  {
    name: "storageos",
    storageos: { volumeName: "v", volumeNamespace: "n", secretRef: { name: "s" } },
  },
  {
    name: "all",
    projected: {
      sources: [
        { secret: { name: "s", items: keys } },
        { configMap: { name: "c", items: [{ key: "b", path: "b" }] } },
        { downwardAPI: { items: downward } },
        { serviceAccountToken: { path: "token", expirationSeconds: 7200, audience: "a" } },
        { clusterTrustBundle: { name: "bundle", path: "ca.pem" } },
      ],
    },
  },
  {
    name: "scaleio",
    scaleIO: { gateway: "g", system: "s", volumeName: "v", secretRef: { name: "s" } },
  },
  { name: "csi", csi: { driver: "csi.example.com", nodePublishSecretRef: { name: "s" } } },
  {
    name: "scratch",
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { app: "x" } },
        spec: {
          accessModes: ["ReadWriteOnce"],
          selector: { matchLabels: { disk: "fast" } },
          storageClassName: "fast",
          volumeMode: "Filesystem",
          volumeAttributesClassName: "gold",
          resources: { requests: { storage: "1Gi" } },
          dataSource: { apiGroup: "snapshot.example.io", kind: "Snapshot", name: "s" },
          dataSourceRef: { apiGroup: "snapshot.example.io", kind: "Snapshot", name: "s" },
        },
      },
    },
  },
  { name: "model", image: { reference: "registry.example/model:1", pullPolicy: "IfNotPresent" } },
];
