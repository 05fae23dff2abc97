import { jobName, resolveFeatureGates } from "@jobset-ts/api";
import { createSnapshot } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { aJobSet } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameBudget } from "./name-budget.ts";
import type { NameCollision } from "./name-collisions.ts";

function findCollisions(jobSet: object, ...others: readonly object[]): readonly NameCollision[] {
  const { collisions } = nameBudget(jobSet, createSnapshot(others, { kinds: ["JobSet"] }));
  if (collisions.outcome !== "Known") throw new Error(collisions.message);
  return collisions.collisions;
}

describe("nameCollisions", () => {
  it("nameCollisions finds Jobs with equal names but different dashes", () => {
    const own = aJobSet("a-b").withReplicatedJob("c", { replicas: 3 });
    const other = aJobSet("a").withReplicatedJob("b-c", { replicas: 2 });
    expect(findCollisions(own, own, other)).toEqual([
      { kind: "Job", name: "a-b-c-0", count: 2, jobSet: "a" },
    ]);
  });

  it("nameCollisions finds one Service for all JobSets with the same subdomain", () => {
    const network = { enableDNSHostnames: true, subdomain: "net" };
    const [own, other] = [aJobSet("a").withSpec({ network }), aJobSet("b").withSpec({ network })];
    const off = aJobSet("c").withSpec({ network: { subdomain: "net" } });
    const named = aJobSet("net");
    expect(
      findCollisions(own, other, off, named).map(({ kind, jobSet }) => [kind, jobSet]),
    ).toEqual([
      ["Service", "b"],
      ["Service", "net"],
    ]);
  });

  it("nameCollisions finds PersistentVolumeClaims", () => {
    const withClaim = (name: string, claim: string) =>
      aJobSet(name).withSpec({
        volumeClaimPolicies: [{ templates: [{ metadata: { name: claim }, spec: {} }] }],
      });
    expect(findCollisions(withClaim("c", "a-b"), withClaim("b-c", "a"))).toEqual([
      { kind: "PersistentVolumeClaim", name: "a-b-c", count: 1, jobSet: "b-c" },
    ]);
  });

  it("nameCollisions excludes the JobSet's own objects and those in other namespaces", () => {
    const own = aJobSet("a").withReplicatedJob("w");
    const elsewhere = aJobSet("b")
      .inNamespace("ml")
      .withSpec({
        network: { enableDNSHostnames: true, subdomain: "a" },
      });
    expect(findCollisions(own, own, elsewhere)).toEqual([]);
    expect(findCollisions(own, elsewhere.inNamespace("default"))).toHaveLength(1);
  });

  it("nameCollisions are unknown if JobSets were not read", () => {
    const forbidden = createSnapshot([], { readErrors: { JobSet: "jobsets is forbidden" } });
    expect(nameBudget(aJobSet("a"), forbidden).collisions).toEqual({
      outcome: "Unknown",
      message: "jobsets is forbidden",
    });
    expect(nameBudget(aJobSet("a")).collisions.outcome).toBe("Unknown");
  });

  it("nameCollisions counts as many Jobs as a comparison of all names", () => {
    const words = fc.constantFrom("a", "a-a", "a-0", "0", "a-0-a");
    const jobSets = fc
      .tuple(words, fc.array(fc.tuple(words, fc.nat(3)), { maxLength: 3 }))
      .map(([name, jobs]) =>
        jobs.reduce(
          (jobSet, [rj, replicas]) => jobSet.withReplicatedJob(rj, { replicas }),
          aJobSet(name),
        ),
      );
    fc.assert(
      fc.property(jobSets, jobSets, (own, other) => {
        const names = (jobSet: typeof own) =>
          new Set(
            desiredJobs(jobSet, { features: resolveFeatureGates({}) }).map(
              ({ metadata }) => metadata.name,
            ),
          );
        const shared = [...names(own)].filter((name) => names(other).has(name));
        const found = findCollisions(own, other).filter(({ kind }) => kind === "Job");
        const same = own.metadata.name === other.metadata.name;
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(same ? 0 : shared.length);
        expect(found.every(({ name }) => same || shared.includes(name))).toBe(true);
      }),
    );
  });

  it("nameCollisions handles more Jobs than can be counted one by one", () => {
    const own = aJobSet("a").withReplicatedJob("b-c", { replicas: 2_000_000_000 });
    const other = aJobSet("a-b").withReplicatedJob("c", { replicas: 2_000_000_000 });
    expect(findCollisions(own, other)).toEqual([
      { kind: "Job", name: jobName("a", "b-c", 0), count: 2_000_000_000, jobSet: "a-b" },
    ]);
  });
});
