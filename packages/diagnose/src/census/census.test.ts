import type { Pod } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import { aJob, aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import { namespaces, podsAndJobs } from "../testing/arbitrary-pods.ts";
import { countPods, type PodCensus } from "./census.ts";
import { EXCLUDED_NAMESPACES, type PodCensusOptions } from "./census-configuration.ts";
import { jobOwnedRules } from "./job-owned.ts";

/** Counts the Pods of a complete list of objects. */
function countForTest(objects: readonly unknown[], options: PodCensusOptions = {}): PodCensus {
  const result = countPods(createSnapshot(objects, { kinds: "all" }), options);
  if (!result.ok) throw new Error(result.message);
  return result.census;
}

function plainPod(name: string, status: Pod["status"], spec: Partial<Pod["spec"]> = {}): Pod {
  const metadata = { name, namespace: "ml" };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [], ...spec }, status };
}

const pending = plainPod("pending", { phase: "Pending" });
const starting = plainPod("starting", { phase: "Pending" }, { nodeName: "n1" });
const running = plainPod("running", { phase: "Running" }, { nodeName: "n1" });

describe("countPods", () => {
  it("countPods counts each phase, and counts only pending Pods without a node as unscheduled", () => {
    const failed = plainPod("failed", { phase: "Failed" }, { nodeName: "n2" });
    const succeeded = plainPod("succeeded", { phase: "Succeeded" }, { nodeName: "n2" });
    const lost = plainPod("lost", { phase: "Unknown" }, { nodeName: "n2" });
    const unborn = plainPod("unborn", undefined);
    expect(
      countForTest([pending, starting, running, failed, succeeded, lost, unborn]).counts,
    ).toStrictEqual({
      total: 7,
      running: 1,
      pending: 2,
      failed: 1,
      succeeded: 1,
      other: 2,
      unscheduled: 1,
    });
  });

  it("countPods treats a null, empty or non-string node name as absent", () => {
    const invalidObject = [null, "", 5].map((nodeName, index) =>
      plainPod(`odd-${index}`, { phase: "Pending" }, { nodeName: nodeName as string }),
    );
    expect(countForTest(invalidObject).counts.unscheduled).toBe(3);
  });

  it("countPods ignores Pods in the eight excluded namespaces", () => {
    const excluded = EXCLUDED_NAMESPACES.map((namespace) => ({
      ...pending,
      metadata: { name: "p", namespace },
    }));
    expect(excluded).toHaveLength(8);
    expect(countForTest(excluded)).toEqual(countForTest([]));
    expect(countForTest(excluded, { excludedNamespaces: ["argocd"] }).counts.total).toBe(7);
  });

  it("countPods lists nodes in byte order, including the entry for unassigned Pods", () => {
    const spread = ["n1", "0", "A", "\u{1f600}", "\uff5e", undefined].map((nodeName, index) =>
      plainPod(`p-${index}`, { phase: "Succeeded" }, { nodeName }),
    );
    expect(countForTest([...spread, running]).distribution).toEqual([
      { node: "0", podCount: 1 },
      { podCount: 1 },
      { node: "A", podCount: 1 },
      { node: "n1", podCount: 2 },
      { node: "\uff5e", podCount: 1 },
      { node: "\u{1f600}", podCount: 1 },
    ]);
  });

  it("countPods counts a Pod that is being deleted by its phase", () => {
    const metadata = { ...pending.metadata, deletionTimestamp: "2026-02-07T06:56:19Z" };
    expect(countForTest([{ ...pending, metadata }]).counts).toMatchObject({
      pending: 1,
      unscheduled: 1,
    });
  });

  describe("incomplete lists", () => {
    it.each([
      ["Pods that were not read", createSnapshot([]), "objects of kind Pod were not read"],
      [
        "Pods that could not be read",
        createSnapshot([pending], { readErrors: { Pod: "pods is forbidden" } }),
        "pods is forbidden",
      ],
      [
        "a list with an item that has no name",
        createSnapshot([{ apiVersion: "v1", kind: "PodList", items: [pending, { metadata: {} }] }]),
        "[0].items[1] has no metadata.name",
      ],
      [
        "a list without an array of items",
        createSnapshot([pending, { apiVersion: "v1", kind: "List", items: {} }]),
        "[1] has no metadata.name",
      ],
      [
        "a Pod that has no namespace",
        createSnapshot([{ ...pending, metadata: { name: "p" } }]),
        "Pod p has no namespace",
      ],
    ])("countPods returns an error for %s", (_, snapshot, message) => {
      const result = countPods(snapshot);
      expect(result).toEqual({ ok: false, message });
    });
  });

  it("countPods ignores invalid objects of other kinds", () => {
    const invalidObject = { apiVersion: "v1", kind: "Event", metadata: {} };
    expect(countPods(createSnapshot([pending, invalidObject])).ok).toBe(true);
  });

  describe("Job-owned Pods", () => {
    const stuck = aPod("train-w-0-0-x7k2p");

    it("rules KindContainsJob and ExactKind exempt the Pods of a JobSet, so a stuck JobSet is not visible", () => {
      expect(
        jobOwnedRules.map((jobOwned) => countForTest([stuck], { jobOwned }).counts.unscheduled),
      ).toEqual([0, 0, 1, 1]);
    });

    it("rule HelmHook exempts Pods of a Helm hook Job but not of its predecessor of the same name", () => {
      const job = aJob("train-w-0").withAnnotations({ "helm.sh/hook": "post-install" });
      const earlier = { ...job, metadata: { ...job.metadata, uid: "u-0" } };
      expect(countForTest([stuck, job], { jobOwned: "HelmHook" }).counts.unscheduled).toBe(0);
      expect(countForTest([stuck, earlier], { jobOwned: "HelmHook" }).counts.unscheduled).toBe(1);
    });

    it("rule KindContainsJob exempts Pods whose owner kind contains Job, such as RayJob", () => {
      const metadata = {
        ...pending.metadata,
        ownerReferences: [{ apiVersion: "ray.io/v1", kind: "RayJob", name: "r", uid: "u" }],
      };
      const pod = { ...pending, metadata };
      expect(countForTest([pod]).counts.unscheduled).toBe(0);
      expect(countForTest([pod], { jobOwned: "ExactKind" }).counts.unscheduled).toBe(1);
    });
  });

  describe("the reason of a failed Pod", () => {
    const container = { name: "main", ready: false, restartCount: 0, image: "", imageID: "" };
    const createTerminatedState = (exitCode: number, reason?: string) => ({
      ...container,
      state: { terminated: { exitCode, reason, message: "said so" } },
    });
    const failedReason = (status: Pod["status"], reason: "FirstContainer" | "BestAvailable") =>
      countForTest([plainPod("p", { phase: "Failed", ...status })], { failedReason: reason })
        .failed[0];

    it("failedReason FirstContainer reads only the first container", () => {
      const containerStatuses = [
        createTerminatedState(137, "OOMKilled"),
        createTerminatedState(1, "Error"),
      ];
      expect(failedReason({ containerStatuses, reason: "Evicted" }, "FirstContainer")).toEqual({
        namespace: "ml",
        name: "p",
        reason: "OOMKilled",
        message: "said so",
      });
      expect(failedReason({ reason: "Evicted", message: "disk" }, "FirstContainer")).toMatchObject({
        reason: "Unknown",
        message: "",
      });
    });

    it("failedReason BestAvailable reads the first container that failed, init containers first", () => {
      const containerStatuses = [
        createTerminatedState(0, "Completed"),
        createTerminatedState(137, "OOMKilled"),
      ];
      expect(failedReason({ containerStatuses }, "BestAvailable")?.reason).toBe("OOMKilled");
      const initContainerStatuses = [createTerminatedState(1, "Error")];
      expect(
        failedReason({ initContainerStatuses, containerStatuses }, "BestAvailable")?.reason,
      ).toBe("Error");
    });

    it("failedReason BestAvailable reads the Pod status, then the previous run of a container", () => {
      const lastState = { terminated: { exitCode: 2, reason: "Error" } };
      const containerStatuses = [{ ...container, lastState }];
      expect(failedReason({ containerStatuses, reason: "Evicted" }, "BestAvailable")?.reason).toBe(
        "Evicted",
      );
      expect(failedReason({ containerStatuses }, "BestAvailable")?.reason).toBe("Error");
      expect(failedReason({}, "BestAvailable")?.reason).toBe("Unknown");
    });
  });

  describe("purity and cost", () => {
    const options = fc.record({ jobOwned: fc.constantFrom(...jobOwnedRules) });
    const checkProperty = (
      name: string,
      law: (
        found: PodCensus,
        pods: readonly Pod[],
        countWith: (objects: readonly Pod[], options?: PodCensusOptions) => PodCensus,
      ) => void,
    ) =>
      it(name, () => {
        fc.assert(
          fc.property(podsAndJobs(), options, ({ pods, jobs }, given) => {
            const countWith = (some: readonly Pod[], other: PodCensusOptions = given) =>
              countForTest([...some, ...jobs], other);
            law(countWith(pods), pods, countWith);
          }),
        );
      });

    checkProperty(
      "unscheduled Pods are pending Pods, and pending Pods are among all Pods",
      ({ counts }) => {
        expect(counts.unscheduled).toBeGreaterThanOrEqual(0);
        expect(counts.unscheduled).toBeLessThanOrEqual(counts.pending);
        expect(counts.pending).toBeLessThanOrEqual(counts.total);
      },
    );

    checkProperty("the phases add up to the total", ({ counts }) => {
      const { running, pending, failed, succeeded, other, total } = counts;
      expect(running + pending + failed + succeeded + other).toBe(total);
    });

    checkProperty("the distribution adds up to the total", ({ counts, distribution }) => {
      expect(distribution.reduce((sum, { podCount }) => sum + podCount, 0)).toBe(counts.total);
    });

    checkProperty(
      "Pods without a node that do not count as unscheduled are exempt or not pending",
      (found, pods, countWith) => {
        const unassigned = found.distribution.find(({ node }) => node === undefined)?.podCount ?? 0;
        const none = countWith(pods, { jobOwned: "None" });
        const exempt = none.counts.unscheduled - found.counts.unscheduled;
        const notPending = pods.filter(
          ({ metadata, spec, status }) =>
            metadata.namespace !== "kube-system" && !spec.nodeName && status?.phase !== "Pending",
        );
        expect(unassigned - found.counts.unscheduled).toBe(exempt + notPending.length);
        expect(exempt).toBeGreaterThanOrEqual(0);
      },
    );

    checkProperty("lists are as long as their counts, and contain no name twice", (found) => {
      const names = (list: readonly { namespace: string; name: string }[]) =>
        list.map(({ namespace, name }) => `${namespace}/${name}`);
      expect(new Set(names(found.unscheduled)).size).toBe(found.counts.unscheduled);
      expect(new Set(names(found.failed)).size).toBe(found.counts.failed);
      expect(found.unscheduled).toHaveLength(found.counts.unscheduled);
      expect(found.failed).toHaveLength(found.counts.failed);
    });

    checkProperty(
      "the unscheduled Pods with a wider exemption are a subset of those with a narrower one",
      (_, pods, countWith) => {
        const [kindContainsJob, exactKind, helmHook, none] = jobOwnedRules.map(
          (jobOwned) => new Set(countWith(pods, { jobOwned }).unscheduled.map(({ name }) => name)),
        );
        const contains = (whole: Set<string> | undefined, part: Set<string> | undefined) =>
          [...(part ?? [])].every((name) => whole?.has(name));
        expect(contains(none, helmHook)).toBe(true);
        expect(contains(none, exactKind)).toBe(true);
        expect(contains(exactKind, kindContainsJob)).toBe(true);
      },
    );

    checkProperty(
      "Pods that are counted separately add up, and excluded namespaces change nothing",
      (found, pods, countWith) => {
        const [some, others] = [
          pods.filter((_, at) => at % 2 === 0),
          pods.filter((_, at) => at % 2 === 1),
        ];
        const [left, right] = [countWith(some), countWith(others)];
        for (const [name, count] of Object.entries(found.counts)) {
          const key = name as keyof PodCensus["counts"];
          expect(left.counts[key] + right.counts[key]).toBe(count);
        }
        const outside = pods.filter(({ metadata }) => metadata.namespace !== namespaces[2]);
        expect(countWith(outside)).toEqual(found);
      },
    );
  });

  it("countPods does not modify its input", () => {
    fc.assert(
      fc.property(podsAndJobs(), ({ pods, jobs }) => {
        const objects = [...pods, ...jobs];
        const found = countForTest(objects);
        expect(findFrozenPath(objects)).toBeUndefined();
        expect(countForTest(deepFreeze(objects))).toEqual(found);
      }),
    );
  });

  it("countPods reads each Pod of a large cluster once", () => {
    let readCount = 0;
    const podCount = 20_000;
    const many = Array.from({ length: podCount }, (_, index) => ({
      ...plainPod(`p-${index}`, { phase: "Running" }, { nodeName: `n-${index % 1000}` }),
      get status() {
        readCount += 1;
        return { phase: "Running" as const };
      },
    }));
    expect(countForTest(many).counts.running).toBe(podCount);
    expect(readCount).toBe(podCount);
  });
});
