import { admitJobSet } from "@jobset-ts/admission";
import type { JobSet } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  NAMESPACED_JOB_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { type NameUseId, nameBudget } from "./name-budget.ts";

const context = createContext({ now: "2026-02-07T06:56:19Z" });

/** Returns the longest name with this use. */
function getUseName(jobSet: JobSet, use: NameUseId, key?: string) {
  return nameBudget(jobSet).names.find((one) => one.use === use && one.key === key);
}

describe("nameBudget", () => {
  const { template } = aReplicatedJob("w");
  const spec = { ...template.spec, completions: 8, parallelism: 8 };
  const train = aJobSet("train").withReplicatedJob("w", { replicas: 12, template: { spec } });

  it("nameBudget returns the longest name of each use and its remaining bytes", () => {
    expect(
      nameBudget(train).names.map(({ use, name, leftBytes }) => [use, name, leftBytes]),
    ).toEqual([
      ["JobSet", "train", 248],
      ["Label", "train", 58],
      ["Service", "train", 58],
      ["Job", "train-w-11", 53],
      ["Label", "w", 62],
      ["Label", "default", 56],
      ["IndexedPod", "train-w-11-7-xxxxx", 45],
      ["Hostname", "train-w-11-7", 51],
      ["Fqdn", "train-w-11-7.train.default.svc.cluster.local", 209],
    ]);
  });

  it("nameBudget halves the remaining bytes if a name contains the JobSet's name twice", () => {
    const coordinator = { replicatedJob: "w", jobIndex: 0, podIndex: 0 };
    const coordinated = train.withSpec({ coordinator });
    expect(getUseName(coordinated, "Label", "jobset.sigs.k8s.io/coordinator")).toMatchObject({
      name: "train-w-0-0.train",
      leftBytes: 46,
    });
    expect(nameBudget(coordinated).leftForJobSetName).toBe(23);
    const network = { enableDNSHostnames: true, subdomain: "net" };
    expect(nameBudget(coordinated.withSpec({ network })).leftForJobSetName).toBe(45);
  });

  it("nameBudget reports that the name of a Pod without an index is only truncated", () => {
    const anyOrder = { ...spec, completionMode: "NonIndexed" as const };
    const jobSet = aJobSet("t".repeat(57)).withReplicatedJob("w", { template: { spec: anyOrder } });
    expect(getUseName(jobSet, "Pod")).toMatchObject({ leftBytes: -4, beyond: "Truncated" });
    expect(nameBudget(jobSet).leftForJobSetName).toBe(2);
  });

  it("nameBudget limits Job names under exclusive placement, because leaders are looked up by full name", () => {
    const exclusive = train.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: "rack" });
    expect(getUseName(exclusive, "Leader")).toMatchObject({
      limitBytes: 55,
      leftBytes: 45,
      beyond: "Stuck",
    });
    expect(getUseName(train, "Leader")).toBeUndefined();
  });

  it("nameBudget includes the namespace in the Job label of preassigned nodes", () => {
    const labelled = train.withAnnotations({
      [EXCLUSIVE_TOPOLOGY_KEY]: "rack",
      [NODE_SELECTOR_STRATEGY_KEY]: "true",
    });
    expect(getUseName(labelled, "NodeSelector", NAMESPACED_JOB_KEY)?.name).toBe(
      "default_train-w-11",
    );
    expect(getUseName(labelled, "Leader")).toBeUndefined();
  });

  it("nameBudget checks hostnames that the kernel has to hold as FQDN", () => {
    const podSpec = { ...template.spec.template.spec, containers: [], setHostnameAsFQDN: true };
    const full = { ...spec, template: { spec: podSpec } };
    const jobSet = aJobSet("train").withReplicatedJob("w", { template: { spec: full } });
    expect(getUseName(jobSet, "KernelHostname")).toMatchObject({ limitBytes: 64, leftBytes: 21 });
  });

  it("nameBudget uses a custom cluster domain", () => {
    const { names } = nameBudget(train, undefined, { clusterDomain: "example.com" });
    expect(names.find(({ use }) => use === "Fqdn")?.name).toBe(
      "train-w-11-7.train.default.svc.example.com",
    );
  });

  it("nameBudget truncates a generateName as the API server does", () => {
    const { name: _, ...metadata } = { ...train.metadata, generateName: "t".repeat(60) };
    const jobSet = { ...train, metadata } as JobSet;
    expect(getUseName(jobSet, "JobSet")?.name).toBe(`${"t".repeat(58)}xxxxx`);
  });

  it("nameBudget omits a ReplicatedJob without Jobs", () => {
    const names = nameBudget(aJobSet("train").withReplicatedJob("w", { replicas: 0 })).names;
    expect(names.filter(({ replicatedJob }) => replicatedJob !== undefined)).toEqual([]);
  });

  it("nameBudget allows exactly the names that admission allows", () => {
    const situations = fc.record({
      replicatedJob: fc.integer({ min: 1, max: 20 }),
      replicas: fc.constantFrom(1, 10, 11, 1000),
      completions: fc.constantFrom(1, 10, 11, 1000),
      hasCoordinator: fc.boolean(),
      subdomain: fc.constantFrom("", "net"),
      claim: fc.constantFrom("", "d", "d".repeat(40)),
    });
    fc.assert(
      fc.property(situations, (one) => {
        const budgetFor = (name: string) => jobSetIn(one, name);
        const { leftForJobSetName: left } = nameBudget(budgetFor("t"));
        expect(isAdmitted(budgetFor(`t${"t".repeat(left)}`))).toBe(true);
        expect(isAdmitted(budgetFor(`t${"t".repeat(left + 1)}`))).toBe(false);
      }),
      { numRuns: runs(50) },
    );
  });
});

interface Situation {
  readonly replicatedJob: number;
  readonly replicas: number;
  readonly completions: number;
  readonly hasCoordinator: boolean;
  readonly subdomain: string;
  readonly claim: string;
}

function jobSetIn(one: Situation, name: string): JobSet {
  const replicatedJob = "r".repeat(one.replicatedJob);
  const { template } = aReplicatedJob(replicatedJob);
  const volumeMounts = [{ name: one.claim, mountPath: "/data" }];
  const container = { name: "main", image: "img", ...(one.claim !== "" && { volumeMounts }) };
  const podSpec = { ...template.spec.template.spec, containers: [container] };
  const { completions, replicas } = one;
  const spec = { ...template.spec, completions, template: { spec: podSpec } };
  const claims = [{ metadata: { name: one.claim }, spec: {} }];
  return aJobSet(name)
    .withReplicatedJob(replicatedJob, { replicas, template: { spec } })
    .withSpec({
      network: {
        enableDNSHostnames: true,
        ...(one.subdomain !== "" && { subdomain: one.subdomain }),
      },
      ...(one.hasCoordinator && { coordinator: { replicatedJob, jobIndex: 0, podIndex: 0 } }),
      ...(one.claim !== "" && { volumeClaimPolicies: [{ templates: claims }] }),
    });
}

function isAdmitted(jobSet: JobSet): boolean {
  const request = { operation: "CREATE", object: jobSet } as const;
  return admitJobSet(request, createSnapshot([], { kinds: "all" }), context).allowed;
}
