import { describe, expect, it } from "vitest";
import { diagnoseCluster, rootIds, type Wire } from "../../testing/a-diagnosed-cluster.ts";
import { clusterOf, clusterWith, createEvent, createNode } from "./testing/a-rejected-pod.ts";

describe("a Pod that matches no node", () => {
  const tainted = createNode("n1", { spec: { taints: [{ key: "gpu", effect: "NoSchedule" }] } });
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "ml" },
    spec: { volumeName: "pv-1" },
    status: { phase: "Bound" },
  };
  const matchExpressions = [{ key: "zone", operator: "In", values: ["a"] }];
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "pv-1" },
    spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } },
  };

  it.each([
    [
      "the taints that it does not tolerate",
      "2 node(s) had untolerated taint(s)",
      {},
      [tainted],
      "gpu:NoSchedule",
      "kubectl taint nodes NODE gpu:NoSchedule-",
    ],
    [
      "the nodes of a taint that goes by itself",
      "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }",
      {},
      [createNode("n7", { spec: { taints: [{ key: "node.kubernetes.io/disk-pressure" }] } })],
      "(on n7)",
      "kubectl describe node n7",
    ],
    [
      "the values that nodes have instead of the selected one",
      "2 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { "cloud.google.com/gke-tpu-topology": "4x4" } },
      [createNode("n1", {}, { "cloud.google.com/gke-tpu-topology": "2x4" })],
      "nodes have cloud.google.com/gke-tpu-topology=2x4",
      "or add nodes with cloud.google.com/gke-tpu-topology=4x4",
    ],
    [
      "a claim that only one Pod may use",
      "2 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
      { volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] },
      [claim],
      "PersistentVolumeClaim data",
      "end the other Pod that uses the claim",
    ],
    [
      "the DeviceClass of its claims",
      "2 cannot allocate all claims",
      { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "h100" }] },
      [
        {
          apiVersion: "resource.k8s.io/v1",
          kind: "ResourceClaimTemplate",
          metadata: { name: "h100", namespace: "ml" },
          spec: { spec: { devices: { requests: [{ exactly: { deviceClassName: "gpu.x" } }] } } },
        },
      ],
      "h100 of DeviceClass gpu.x",
      "kubectl get resourceclaims -n ml",
    ],
    [
      "the labels that it selects",
      "2 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { pool: "a" } },
      [],
      "pool=a",
      "kubectl label nodes NODE pool=a",
    ],
    [
      "the cordoned nodes that it selects",
      "1 node(s) were unschedulable, 1 node(s) didn't match Pod's node affinity/selector",
      { nodeSelector: { pool: "a" } },
      [
        createNode("a1", { spec: { unschedulable: true } }, { pool: "a" }),
        createNode("b1", { spec: { unschedulable: true } }, { pool: "b" }),
      ],
      "1 node(s) were unschedulable (a1)",
      "kubectl uncordon a1",
    ],
    [
      "a cordoned node next to nodes without room",
      "1 Insufficient gpu, 1 node(s) were unschedulable",
      {},
      [createNode("n1"), createNode("n2", { spec: { unschedulable: true } })],
      "1 Insufficient gpu, 1 node(s) were unschedulable (n2)",
      "kubectl uncordon n2",
    ],
    [
      "the volume of its claim, and where it is",
      "2 node(s) had volume node affinity conflict",
      { volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] },
      [claim, volume],
      "PersistentVolumeClaim data with volume pv-1, only on nodes with zone=a",
      "kubectl get pvc -n ml",
    ],
    [
      "its host ports",
      "2 node(s) didn't have free ports for the requested pod ports",
      { hostNetwork: true, containers: [{ name: "main", ports: [{ containerPort: 29500 }] }] },
      [],
      "host port 29500",
      "none with host ports",
    ],
    [
      "its spread constraints",
      "2 node(s) didn't match pod topology spread constraints",
      { topologySpreadConstraints: [{ topologyKey: "zone" }] },
      [],
      "(zone)",
      "relax the constraint",
    ],
  ])("the finding names %s", (_, reason, spec, others, text, advice) => {
    const { roots } = diagnoseCluster(clusterWith(reason, spec, others as Wire[]));
    expect(roots.map(({ id }) => id)).toEqual(["constraint-mismatch"]);
    expect(roots[0]?.message).toContain(text);
    expect(roots[0]?.texts?.advice?.join("\n")).toContain(advice);
  });

  it("a taint that a controller removes gets no advice to tolerate it", () => {
    const taints = [{ key: "node.cilium.io/agent-not-ready", effect: "NoExecute" }];
    const node = createNode("n1", { spec: { taints } });
    const { roots } = diagnoseCluster(
      clusterWith("1 node(s) had untolerated taint(s)", {}, [node]),
    );
    expect(roots[0]?.texts?.advice?.join()).not.toMatch(/tolerate|kubectl taint/);
  });

  it("a taint is the root if only the nodes with the taint offer the resource", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const offers = (gpu: string, taints: readonly Wire[]) => ({
      spec: { taints },
      status: { allocatable: { gpu } },
    });
    const reserved = createNode("n1", offers("8", [{ key: "team", effect: "NoSchedule" }]));
    const reason = "1 Insufficient gpu, 1 node(s) had untolerated taint(s)";
    const rootsWith = (...nodes: readonly Wire[]) =>
      diagnoseCluster(clusterWith(reason, { containers }, nodes)).roots;
    const roots = rootsWith(reserved, createNode("n2", offers("4", [])));
    expect(roots.map(({ id }) => id)).toEqual(["constraint-mismatch"]);
    expect(roots[0]?.message).toContain("untolerated taint(s) (team:NoSchedule)");
    expect(roots[0]?.texts?.advice).toEqual([expect.stringContaining("tolerate the taint")]);
    // An untainted node that offers enough is full.
    const full = rootsWith(reserved, createNode("n2", offers("8", [])));
    expect(full.map(({ id }) => id)).toEqual(["insufficient-capacity"]);
    const key = "node-role.kubernetes.io/control-plane";
    const control = createNode("n1", offers("8", [{ key, effect: "NoSchedule" }]));
    expect(rootsWith(control).map(({ id }) => id)).toEqual(["insufficient-capacity"]);
  });

  it("the message of a gang scheduler is not about nodes", () => {
    const message = "pod group is not ready, 4 Pending, 4 minAvailable";
    const { roots } = diagnoseCluster(clusterOf({ message }, {}, []));
    expect(roots[0]?.message).toBe(`js-w-0-0-abcde is not scheduled: ${message}`);
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl get podgroups -n ml");
  });

  it("a resource that no node offers leads to the device plugins", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const node = createNode("n1", { status: { allocatable: { gpu: "0" } } });
    const { roots } = diagnoseCluster(clusterWith("1 Insufficient gpu", { containers }, [node]));
    expect(roots[0]?.message).toContain("no node offers gpu");
    expect(roots[0]?.texts?.advice?.join()).toContain("device plugins");
  });

  it("a resource that a node has but does not offer leads to the device plugin of the node", () => {
    const containers = [{ name: "main", resources: { limits: { gpu: 8 } } }];
    const node = createNode("n2", {
      status: { allocatable: { gpu: "0" }, capacity: { gpu: "8" } },
    });
    const { roots } = diagnoseCluster(clusterWith("1 Insufficient gpu", { containers }, [node]));
    expect(roots[0]?.message).toContain("node n2 has gpu, but offers none of it");
    expect(roots[0]?.texts?.advice?.join()).toContain("device plugin of node n2");
  });

  it.each([
    ['persistentvolumeclaim "data" is being deleted', "wait until the claim is deleted"],
    [
      "request nic: device class rdma.example.com does not exist",
      "create DeviceClass rdma.example.com",
    ],
  ])("the advice about %s names the object", (reason, advice) => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const { roots } = diagnoseCluster(clusterWith(reason, { volumes }, [claim]));
    expect(roots[0]?.message).toContain(reason);
    expect(roots[0]?.texts?.advice?.join()).toContain(advice);
  });

  it("a claim is pending for a minute before it is stuck", () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const statusWith = (creationTimestamp: string, ...events: readonly Wire[]) => {
      const metadata = { ...claim.metadata, uid: "uid-data", creationTimestamp };
      const pending = { ...claim, metadata, spec: {}, status: { phase: "Pending" } };
      const reason = "pod has unbound immediate PersistentVolumeClaims";
      return diagnoseCluster(clusterWith(reason, { volumes }, [pending, ...events])).status;
    };
    expect(statusWith("2026-02-07T09:59:01Z")).toBe("Progressing");
    expect(statusWith("2026-02-07T09:59:00Z")).toBe("Stuck");
    const involvedObject = { kind: "PersistentVolumeClaim", namespace: "ml", name: "data" };
    const failed = { ...createEvent("ProvisioningFailed", "no such class"), type: "Warning" };
    const about = { ...failed, involvedObject: { ...involvedObject, uid: "uid-data" } };
    expect(statusWith("2026-02-07T09:59:01Z", about)).toBe("Stuck");
  });

  it("nodes without the label of a topology spread constraint have to be labeled", () => {
    const topologySpreadConstraints = [{ topologyKey: "example.com/block" }];
    const reason =
      "2 node(s) didn't match pod topology spread constraints (missing required label)";
    const { roots } = diagnoseCluster(clusterWith(reason, { topologySpreadConstraints }));
    expect(roots[0]?.texts?.advice?.join()).toContain("kubectl get nodes -L example.com/block");
  });

  it("the nodes run as many Pods as they may", () => {
    const { roots } = diagnoseCluster(clusterWith("2 Too many pods"));
    expect(roots[0]?.message).toContain("not enough Pod slots for");
  });

  it("the advice about one reason mentions no other", () => {
    const ports = clusterWith("2 node(s) didn't have free ports for the requested pod ports");
    expect(diagnoseCluster(ports).roots[0]?.texts?.advice?.join()).not.toMatch(
      /selector|toleration/,
    );
  });
});

describe("a Pod that the nodes of the control plane reject", () => {
  const taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
  const tainted = createNode("n1", { spec: { taints: [taint] } });
  const adviceFor = (reason: string) =>
    diagnoseCluster(clusterWith(reason, {}, [tainted])).roots[0]?.texts?.advice?.join() ?? "";

  it("a Pod gets no advice to run there if there are other reasons", () => {
    const advice = adviceFor("1 node(s) had untolerated taint(s), 1 cannot allocate all claims");
    expect(advice).toContain("check the ResourceClaims");
    expect(advice).not.toContain("taint");
    expect(adviceFor("2 node(s) had untolerated taint(s)")).toContain("tolerate the taint");
  });
});

describe("objects that a Pod refers to", () => {
  it("a scheduler that does not report is named after a while", () => {
    const spec = { schedulerName: "team-scheduler" };
    const { roots } = diagnoseCluster(clusterOf({}, spec, []));
    expect(roots.map(({ id }) => id)).toEqual(["scheduler-unknown"]);
    expect(roots[0]?.message).toContain("team-scheduler");
    const usual = clusterOf({}, { schedulerName: "default-scheduler" }, []);
    expect(rootIds(diagnoseCluster(usual))).toEqual(["scheduler-not-tried"]);
  });

  it("a missing template of ResourceClaims is named, from the cluster or from an Event", () => {
    const resourceClaims = [{ name: "gpu", resourceClaimTemplateName: "one-gpu" }];
    const reason = "waiting for resource claim to be created for pod";
    const { roots } = diagnoseCluster(clusterWith(reason, { resourceClaims }));
    expect(roots.map(({ id }) => id)).toEqual(["resource-claim-missing"]);
    expect(roots[0]?.message).toContain("ResourceClaimTemplate one-gpu");
    const template = {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaimTemplate",
      metadata: { name: "one-gpu", namespace: "ml" },
    };
    const exists = clusterWith(reason, { resourceClaims }, [template]);
    expect(rootIds(diagnoseCluster(exists))).toEqual(["constraint-mismatch"]);
    const event = createEvent("FailedResourceClaimCreation", "denied by quota");
    const denied = diagnoseCluster(clusterWith(reason, { resourceClaims }, [template, event]));
    expect(denied.roots[0]?.message).toContain("denied by quota");
  });
});
