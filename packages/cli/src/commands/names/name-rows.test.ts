import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { listNameRows } from "./name-rows.ts";

const indexed = (completions: number) => ({ spec: { completionMode: "Indexed", completions } });
const metadata = { name: "train", namespace: "team" };

/** Returns the rows as `kind name dnsName`. */
function formatLines(spec: Unvalidated<JobSet>["spec"]): string[] {
  return Array.from(listNameRows({ metadata, spec }), ({ kind, name, dnsName = "-" }) =>
    [kind, name, dnsName].join(" "),
  );
}

describe("listNameRows", () => {
  it("listNameRows returns the Service, claims and coordinator, then each Job with its Pods", () => {
    const lines = formatLines({
      network: { enableDNSHostnames: true, subdomain: "mesh" },
      coordinator: { replicatedJob: "leader" },
      volumeClaimPolicies: [{ templates: [{ metadata: { name: "data" }, spec: {} }] }],
      replicatedJobs: [
        { name: "leader", replicas: 1, template: indexed(1) },
        { name: "loose", replicas: 1, template: { spec: { completionMode: "NonIndexed" } } },
        { name: "workers", replicas: 2, template: indexed(2) },
      ],
    });
    expect(lines).toEqual([
      "Service mesh mesh",
      "PersistentVolumeClaim data-train -",
      "Coordinator train-leader-0-0.mesh train-leader-0-0.mesh",
      "Job train-leader-0 -",
      "Pod train-leader-0-0 train-leader-0-0.mesh",
      "Job train-loose-0 -",
      "Pod train-loose-0-xxxxx -",
      "Job train-workers-0 -",
      "Pod train-workers-0-0 train-workers-0-0.mesh",
      "Pod train-workers-0-1 train-workers-0-1.mesh",
      "Job train-workers-1 -",
      "Pod train-workers-1-0 train-workers-1-0.mesh",
      "Pod train-workers-1-1 train-workers-1-1.mesh",
    ]);
  });

  it("names prints no DNS names if hostnames are disabled, but still the coordinator's address", () => {
    const lines = formatLines({
      network: { enableDNSHostnames: false },
      coordinator: { replicatedJob: "leader" },
      replicatedJobs: [{ name: "leader", template: indexed(1) }],
    });
    expect(lines).toEqual([
      "Coordinator train-leader-0-0.train -",
      "Job train-leader-0 -",
      "Pod train-leader-0-0 -",
    ]);
  });

  it("listNameRows returns the position of each Pod in the JobSet, and its FQDN", () => {
    const rows = listNameRows({
      metadata,
      spec: {
        network: { enableDNSHostnames: true },
        replicatedJobs: [{ name: "w", replicas: 2, template: indexed(3) }],
      },
    });
    expect([...rows].at(-1)).toEqual({
      kind: "Pod",
      name: "train-w-1-2",
      namespace: "team",
      replicatedJob: "w",
      jobIndex: 1,
      podIndex: 2,
      dnsName: "train-w-1-2.train",
      fqdn: "train-w-1-2.train.team.svc.cluster.local",
    });
  });

  it("listNameRows creates rows lazily, for any number of Pods", () => {
    const rows = listNameRows({
      metadata,
      spec: {
        replicatedJobs: [{ name: "w", replicas: 2 ** 31 - 1, template: indexed(2 ** 31 - 1) }],
      },
    });
    expect(rows.next().value?.name).toBe("train-w-0");
    expect(rows.next().value?.name).toBe("train-w-0-0");
  });
});
