// No cluster state makes a function of this package throw, hang, answer differently the second time, or change or

// freeze what it was given.
import { featuresOf } from "@jobset-ts/api";
import {
  answersOf,
  broken,
  childJobs,
  classics,
  clusterObjects,
  deepFreeze,
  frozenPart,
  hostileValues,
  jobSets,
  runs,
  thawed,
} from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyJobs, jobState } from "./child-jobs/classify-jobs.ts";
import { childKeysOf } from "./desired/child-keys.ts";
import { coordinatorEndpoint } from "./desired/coordinator.ts";
import { desiredJobs, jobConstructors } from "./desired/desired-jobs.ts";
import { desiredService, hasDnsHostnames } from "./desired/desired-service.ts";
import {
  desiredVolumeClaims,
  desiredVolumeClaimsByPolicy,
} from "./desired/desired-volume-claims.ts";
import { placementAnnotations } from "./desired/exclusive-placement.ts";
import { indexedReplicatedJobs, jobCount } from "./desired/job-indexes.ts";
import { creationIsBlocked, missingJobs, takenJobNames } from "./desired/missing-jobs.ts";
import { podAddresses } from "./desired/pod-addresses.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { controllingJobSetUid, isChildJob, ownerReferenceTo } from "./owner.ts";
import { type Snapshot, type SnapshotChanges, snapshotOf } from "./snapshot/snapshot.ts";

// biome-ignore lint/suspicious/noExplicitAny: the point is that nobody has checked the value
type Unchecked = any;

const underTheGate = { features: featuresOf({ RestartJob: true }) };

/** A function is called once, then again with its arguments frozen; nothing else may have happened to them. */
function survives(
  subject: (...values: Unchecked[]) => unknown,
  values: readonly fc.Arbitrary<unknown>[],
  numRuns: number,
): void {
  const property = fc.property(fc.tuple(...values), (drawn) => {
    const given = drawn.map(thawed);
    const text = JSON.stringify(given);
    const answer = subject(...given);
    expect(given.map((value) => frozenPart(value)).filter(Boolean)).toEqual([]);
    expect(JSON.stringify(given)).toBe(text);
    expect(subject(...given.map(deepFreeze))).toEqual(answer);
  });
  const examples = classics.map((value): [unknown[]] => [values.map(() => value)]);
  fc.assert(property, { examples, numRuns: examples.length + runs(numRuns) });
}

/** The first of a list that may be very long. */
function firstOf<Element>(elements: Iterable<Element>): readonly Element[] {
  const first: Element[] = [];
  for (const element of elements) if (first.push(element) === 5) break;
  return first;
}

describe("of any JobSet", () => {
  it.each<[string, (jobSet: Unchecked) => unknown]>([
    ["the Jobs", (jobSet) => jobCount(jobSet) < 1_000 && desiredJobs(jobSet, underTheGate)],
    [
      "some of very many Jobs",
      (jobSet) =>
        jobConstructors(jobSet, underTheGate).map(({ jobAt, replicas }) => [
          jobAt(0),
          jobAt(replicas - 1),
        ]),
    ],
    [
      "the keys of the Jobs",
      (jobSet) =>
        indexedReplicatedJobs(jobSet).map((one) => childKeysOf(jobSet, underTheGate)(one)(0)),
    ],
    ["the Service", (jobSet) => [hasDnsHostnames(jobSet), desiredService(jobSet)]],
    [
      "the volume claims",
      (jobSet) => [desiredVolumeClaims(jobSet), desiredVolumeClaimsByPolicy(jobSet)],
    ],
    ["the Pod addresses", (jobSet) => firstOf(podAddresses(jobSet))],
    ["the coordinator", coordinatorEndpoint],
    ["the owner reference", (jobSet) => [ownerReferenceTo(jobSet), controllingJobSetUid(jobSet)]],
    [
      "the placement",
      (jobSet) =>
        indexedReplicatedJobs(jobSet).map((one) => placementAnnotations(jobSet, one.replicatedJob)),
    ],
    ["a frozen copy", frozenCopy],
  ])("%s can be told", (_, subject) => {
    survives(subject, [broken(jobSets())], 60);
  });
});

describe("of any JobSet and any Jobs", () => {
  const anyJobs = fc.oneof(
    broken(childJobs()),
    childJobs().chain((jobs) => fc.tuple(...jobs.map((job) => broken(fc.constant(job))))),
  );

  it("the Jobs can be sorted, or it can be told why not", () => {
    const sorted = (jobSet: Unchecked, jobs: Unchecked) => [
      classifyJobs(jobSet, jobs, underTheGate),
      classifyJobs(jobSet, jobs, { features: new Set() }),
    ];
    survives(sorted, [broken(jobSets()), anyJobs], 200);
  });

  it("the Jobs that are missing can be told", () => {
    const missing = (jobSet: Unchecked, jobs: Unchecked) => {
      const classified = classifyJobs(jobSet, jobs, underTheGate);
      if (!classified.ok) return classified;
      const taken = takenJobNames(classified);
      return jobConstructors(jobSet, underTheGate).map((replicatedJob) => [
        creationIsBlocked(jobSet, classified),
        missingJobs(jobSet, replicatedJob, taken, 3),
      ]);
    };
    survives(missing, [broken(jobSets()), anyJobs], 100);
  });

  it("one Job can be told to be a child or not, and how it stands", () => {
    const asChild = (jobSet: Unchecked, jobs: Unchecked) =>
      [jobs].flat().map((job) => [isChildJob(job, jobSet), jobState(job)]);
    survives(asChild, [broken(jobSets()), anyJobs], 100);
  });
});

describe("a snapshot of any objects", () => {
  const anyObject = broken(fc.oneof(clusterObjects(), jobSets(), listsOf(clusterObjects())));
  const anyObjects = fc.oneof(
    { arbitrary: fc.array(anyObject, { maxLength: 6 }), weight: 5 },
    { arbitrary: hostileValues(), weight: 1 },
  );
  const anyChanges = fc.oneof(
    { arbitrary: fc.record({ put: anyObjects, remove: anyObjects }), weight: 5 },
    { arbitrary: hostileValues(), weight: 1 },
  );

  it("answers everything, before and after any changes", () => {
    const asked = (objects: Unchecked, changes: SnapshotChanges) => {
      const before = snapshotOf(objects);
      const answers = answersOf(before);
      const after = before.with(changes);
      return [before.refused, answers, after.refused, answersOf(after)];
    };
    survives(asked, [anyObjects, anyChanges], 50);
  });

  it("answers questions that are no names", () => {
    const asked = (objects: Unchecked, changes: SnapshotChanges, one: Unchecked, two: Unchecked) =>
      [snapshotOf(objects), snapshotOf(objects).with(changes)].map((snapshot) =>
        everyMethod(snapshot).map((method) => method(one, two)),
      );
    survives(asked, [anyObjects, anyChanges, hostileValues(), hostileValues()], 100);
  });
});

function everyMethod(snapshot: Snapshot): readonly ((one: Unchecked, two: Unchecked) => unknown)[] {
  return [
    (namespace, name) => snapshot.jobSet(namespace, name),
    (namespace, name) => snapshot.job(namespace, name),
    (namespace, name) => snapshot.pod(namespace, name),
    (namespace, name) => snapshot.service(namespace, name),
    (namespace, name) => snapshot.volumeClaim(namespace, name),
    (name) => snapshot.node(name),
    (jobSet) => snapshot.childJobs(jobSet),
    (namespace, name) => snapshot.podsOfJobSet(namespace, name),
    (namespace, key) => snapshot.podsByJobKey(namespace, key),
    (uid) => snapshot.podsControlledBy(uid),
    (namespace, name) => snapshot.podsByIndexName(namespace, name),
    (uid) => snapshot.eventsAbout(uid),
    (namespace, name) => snapshot.object("Job", namespace, name),
    (kind, name) => snapshot.object(kind, "default", name),
    (kind) => snapshot.objects(kind),
    (kind) => snapshot.knows(kind),
    (kind) => snapshot.readError(kind),
  ];
}

/** Kubernetes lists, typed and not. */
function listsOf(objects: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.record({
    apiVersion: fc.constant("v1"),
    kind: fc.constantFrom("List", "PodList", "EventList"),
    items: fc.array(objects, { maxLength: 3 }),
  });
}
