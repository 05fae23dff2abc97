// Snapshots as users provide them: empty, complete, with some kinds only, or with inconsistent lists.
import { createContext, createSnapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { allChecks } from "../../all.ts";
import {
  aNodeIn,
  anEvent,
  createJobSet,
  createPod,
  createService,
  denial,
  diagnoseCluster,
  exclusiveCluster,
  listJobs,
  now,
  rootIds,
  SELECTOR_NOT_SET,
  unschedulable,
  type Wire,
} from "../testing/a-diagnosed-cluster.ts";
import { diagnosedKinds } from "../view/latest-timestamp.ts";
import { diagnose, diagnoseAll } from "./diagnose.ts";

const context = { now: createContext({ now }).now, checks: allChecks };

function diagnoseObjects(objects: readonly Wire[]) {
  return diagnoseAll(createSnapshot(objects, { kinds: diagnosedKinds }), context);
}

describe("incomplete snapshots", () => {
  it("diagnoseAll returns nothing for a snapshot without JobSets", () => {
    const jobSet = createJobSet();
    const left = [createService(jobSet), ...listJobs(jobSet), createPod(listJobs(jobSet)[0], 0)];
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "ml" } };
    expect(diagnoseObjects([])).toEqual([]);
    expect(diagnoseObjects([...left, pod, aNodeIn("r1")])).toEqual([]);
  });

  it("diagnose of JobSets alone is certain of nothing that was not read", () => {
    const jobSet = createJobSet({ exclusive: true });
    const { roots, notChecked, numbers } = diagnose(createSnapshot([jobSet]), jobSet, context);
    expect(roots).toEqual([]);
    expect(notChecked).toEqual(
      expect.arrayContaining(["job-absent:jobs", "pod-failed:pods", "service-missing:services"]),
    );
    expect([numbers.wanted, numbers.missing]).toEqual([undefined, undefined]);
  });

  it("diagnose of JobSets and Pods reports problems of Pods but not missing Pods", () => {
    const jobSet = createJobSet();
    const [job] = listJobs(jobSet);
    const pod = createPod(job, 0, unschedulable("0/1 nodes are available: 1 Insufficient cpu."));
    const diagnosis = diagnose(createSnapshot([jobSet, pod]), jobSet, context);
    expect(rootIds(diagnosis)).toEqual(["insufficient-capacity"]);
    expect(diagnosis.notChecked).toContain("pods-not-created:jobs");
  });

  it("diagnose among 400 JobSets reads ten times as many objects as among 40", () => {
    const countPodReads = (count: number) => {
      let readCount = 0;
      const counted = (object: Wire) => ({
        ...object,
        get status() {
          readCount += 1;
          return object.status;
        },
      });
      const objects = Array.from({ length: count }, (_, at) => {
        const jobSet = createJobSet({ name: `js-${at}`, replicatedJobs: [{ name: "w", pods: 1 }] });
        const [job] = listJobs(jobSet);
        const short = unschedulable("0/1 nodes are available: 1 Insufficient cpu.");
        const rejected = anEvent(job, "FailedCreate", denial(SELECTOR_NOT_SET));
        return [jobSet, createService(jobSet), job, createPod(job, 0, short), rejected].map(
          counted,
        );
      });
      const diagnoses = diagnoseObjects(objects.flat());
      expect(diagnoses).toHaveLength(count);
      expect(new Set(diagnoses.flatMap(rootIds))).toEqual(new Set(["insufficient-capacity"]));
      return readCount;
    };
    expect(countPodReads(400)).toBe(10 * countPodReads(40));
  });

  it("diagnose is not certain about a Job that exists only as the owner of Pods", () => {
    const cluster = exclusiveCluster({ leader: {} }).filter(({ kind }) => kind !== "Job");
    const { roots } = diagnoseCluster(cluster);
    expect(roots.map(({ id, confidence }) => [id, confidence])).toEqual([
      ["job-absent", "SkewPossible"],
    ]);
  });

  it("Pods of an absent JobSet do not change the diagnosis of other JobSets", () => {
    const cluster = exclusiveCluster({ leader: unschedulable("0/1 nodes are available: 1 x.") });
    const other = listJobs(createJobSet({ name: "gone" }));
    const strays = [0, 1].map((index) =>
      createPod(other[0], index, { status: { phase: "Failed" } }),
    );
    expect(diagnoseCluster([...cluster, ...other, ...strays])).toEqual(diagnoseCluster(cluster));
  });

  it("diagnose of objects that were read twice, with Events in both API groups, equals that of objects read once", () => {
    const cluster = exclusiveCluster({ leader: unschedulable("0/1 nodes are available: 1 x.") });
    const newer = cluster
      .filter(({ kind }) => kind === "Event")
      .map(({ involvedObject, message, lastTimestamp, ...event }) => ({
        ...event,
        apiVersion: "events.k8s.io/v1",
        regarding: involvedObject,
        note: message,
        deprecatedLastTimestamp: lastTimestamp,
      }));
    expect(newer).toHaveLength(1);
    expect(diagnoseCluster([...cluster, ...newer])).toEqual(diagnoseCluster(cluster));
    expect(diagnoseCluster([...cluster, ...cluster])).toEqual(diagnoseCluster(cluster));
  });

  it("diagnose reports Jobs of a deleted JobSet as foreign to its successor of the same name", () => {
    const before = createJobSet();
    const jobSet = { ...before, metadata: { ...before.metadata, uid: "uid-js-again" } };
    const { roots } = diagnoseCluster([
      jobSet,
      createService(jobSet),
      aNodeIn("r1"),
      ...listJobs(before),
    ]);
    expect(roots.map(({ message }) => message)).toEqual(["job js-w-0 belongs to JobSet js"]);
  });
});
