import { aJob, aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { createSnapshot, type Snapshot } from "./snapshot.ts";

const train = aJobSet("train");
const [first, second] = [aPod("train-w-0-0-abcde"), aPod("train-w-0-1-fghij")];
/** An object with only a name. */
const createNamedObject = (kind: string, name: string, apiVersion = "v1") => ({
  apiVersion,
  kind,
  metadata: { name, namespace: "default" },
});
const anEvent = (name: string, uid: unknown) => ({
  ...createNamedObject("Event", name),
  involvedObject: { uid },
});
const listNames = (objects: readonly { metadata?: { name?: string } }[]) =>
  objects.map((object) => object.metadata?.name);

describe("a snapshot", () => {
  it("a snapshot finds objects by kind, namespace and name", () => {
    const job = aJob("train-w-0");
    const service = createNamedObject("Service", "train");
    const claim = createNamedObject("PersistentVolumeClaim", "data-train");
    const node = aNode("n1");
    const config = createNamedObject("ConfigMap", "train");
    const snapshot = createSnapshot([train, job, first, service, claim, node, config]);
    expect(snapshot.jobSet("default", "train")).toBe(train);
    expect(snapshot.job("default", "train-w-0")).toBe(job);
    expect(snapshot.pod("default", "train-w-0-0-abcde")).toBe(first);
    expect(snapshot.service("default", "train")).toBe(service);
    expect(snapshot.volumeClaim("default", "data-train")).toBe(claim);
    expect(snapshot.node("n1")).toBe(node);
    expect(snapshot.object("ConfigMap", "default", "train")).toBe(config);
    expect(snapshot.object("Job", "default", "train-w-0")).toBe(job);
  });

  it("a snapshot finds nothing in another namespace, under another name or of another kind", () => {
    const snapshot = createSnapshot([train]);
    expect(snapshot.jobSet("ml", "train")).toBeUndefined();
    expect(snapshot.jobSet("default", "trai")).toBeUndefined();
    expect(snapshot.job("default", "train")).toBeUndefined();
    expect(snapshot.object("__proto__", "default", "train")).toBeUndefined();
    expect(snapshot.objects("constructor")).toEqual([]);
  });

  it("a snapshot lists objects in byte order of names, then namespaces, in any locale", () => {
    const objects = [
      aJobSet("b").inNamespace("x"),
      aJobSet("a"),
      aJobSet("B"),
      aJobSet("b").inNamespace("X"),
      aJobSet("a-1"),
      aJobSet("\u{1f600}"),
      aJobSet("\uff5e"),
    ];
    const { jobSets } = createSnapshot(objects);
    expect(jobSets.map(({ metadata }) => `${metadata?.name} ${metadata?.namespace}`)).toEqual([
      "B default",
      "a default",
      "a-1 default",
      "b X",
      "b x",
      "\uff5e default",
      "\u{1f600} default",
    ]);
    expect(listNames(createSnapshot([aNode("n10"), aNode("n2"), aNode("n1")]).nodes)).toEqual([
      "n1",
      "n10",
      "n2",
    ]);
  });

  it("a snapshot contains the later of two objects with the same kind, namespace and name", () => {
    const later = train.suspended();
    const elsewhere = train.inNamespace("ml");
    const createTwo = () => createSnapshot([train, elsewhere, later]);
    // Lists and names have separate indexes, each built on first use.
    expect(createTwo().jobSets).toEqual([later, elsewhere]);
    expect(createTwo().jobSet("default", "train")).toBe(later);
    const snapshot = createTwo();
    expect([snapshot.jobSet("default", "train"), snapshot.jobSets]).toEqual([
      later,
      [later, elsewhere],
    ]);
    expect(createTwo().with({ remove: [later] }).jobSets).toEqual([elsewhere]);
  });

  it("a snapshot contains the items of lists", () => {
    const list = { apiVersion: "v1", kind: "PodList", items: [first, second] };
    expect(createSnapshot([list]).objects("Pod")).toEqual([first, second]);
  });

  it("a snapshot lists invalid objects", () => {
    const { invalidObjects } = createSnapshot([train, null]);
    expect(invalidObjects).toEqual([{ at: "[1]", message: "is not an object", object: null }]);
    expect(createSnapshot([train]).invalidObjects).toEqual([]);
  });
});

describe("childJobs", () => {
  it("childJobs returns the Jobs in the namespace that the JobSet controls by UID", () => {
    const jobs = [
      aJob("train-w-1"),
      aJob("train-w-0"),
      aJob("train-w-2").inNamespace("ml"),
      aJob("train-w-3").controlledBy(train.withUid("other")),
      aJob("train-w-4").controlledBy({ ...first, metadata: train.metadata }),
      aJob("train-w-5").withoutOwner(),
    ];
    expect(listNames(createSnapshot(jobs).childJobs(train))).toEqual(["train-w-0", "train-w-1"]);
    expect(createSnapshot([aJob("train-w-2").inNamespace("ml")]).childJobs(train)).toEqual([]);
  });

  it("childJobs returns nothing before the JobSet has a UID", () => {
    const unstored = train.withUid("");
    expect(createSnapshot([aJob("train-w-0").controlledBy(unstored)]).childJobs(unstored)).toEqual(
      [],
    );
    expect(createSnapshot([aJob("train-w-0").withoutOwner()]).childJobs({})).toEqual([]);
  });
});

describe("the Jobs of a JobSet name", () => {
  it("jobsOfJobSetName returns Jobs of a deleted JobSet with the name, in the namespace", () => {
    const deleted = train.withUid("deleted");
    const snapshot = createSnapshot([
      aJob("train-w-0").controlledBy(train),
      aJob("train-w-1").controlledBy(deleted),
      aJob("train-w-2").controlledBy(deleted).inNamespace("ml"),
      aJob("train-w-3").withoutOwner(),
    ]);
    const names = ["train-w-0", "train-w-1"];
    expect(listNames(snapshot.jobsOfJobSetName("default", "train"))).toEqual(names);
    expect(snapshot.jobsOfJobSetName("default", "tune")).toEqual([]);
  });
});

describe("the Pods", () => {
  it("podsOfJobSet returns the Pods with the JobSet's name in their label, with any owner", () => {
    const snapshot = createSnapshot([
      second.withoutOwner(),
      first,
      aPod("train-w-1-0-abcde").inNamespace("ml"),
      aPod("tune-w-0-0-abcde"),
    ]);
    expect(listNames(snapshot.podsOfJobSet("default", "train"))).toEqual([
      "train-w-0-0-abcde",
      "train-w-0-1-fghij",
    ]);
    expect(snapshot.podsOfJobSet("default", "absent")).toEqual([]);
  });

  it("podsByJobKey returns only Pods under exclusive placement", () => {
    const key = "jobset.sigs.k8s.io/job-key";
    const withJobKey = (pod: typeof first) => pod.withLabels({ [key]: "k-1" });
    const snapshot = createSnapshot([
      withJobKey(first.exclusive("rack")),
      withJobKey(second),
      withJobKey(aPod("train-w-1-0-abcde").exclusive("")).inNamespace("ml"),
    ]);
    expect(listNames(snapshot.podsByJobKey("default", "k-1"))).toEqual(["train-w-0-0-abcde"]);
    expect(listNames(snapshot.podsByJobKey("ml", "k-1"))).toEqual(["train-w-1-0-abcde"]);
    expect(snapshot.podsByJobKey("default", "k-2")).toEqual([]);
  });

  it("podsControlledBy returns the Pods with the controller's UID in any namespace", () => {
    const snapshot = createSnapshot([first, second.inNamespace("ml"), aPod("train-w-1-0-abcde")]);
    expect(listNames(snapshot.podsControlledBy("train-w-0-uid"))).toEqual([
      "train-w-0-0-abcde",
      "train-w-0-1-fghij",
    ]);
    expect(createSnapshot([first.withoutOwner()]).podsControlledBy("")).toEqual([]);
  });

  it.each([
    ["train-w-0-0-abcde", "train-w-0-0"],
    ["a-b-w-0-0-abcde", "a-b-w-0-0"],
    // Parts of a name may be empty.
    ["a----b", "a---"],
  ])("Pods called %s under exclusive placement are found by %s", (name, indexName) => {
    const pod = { ...createNamedObject("Pod", name), metadata: first.exclusive("rack").metadata };
    const snapshot = createSnapshot([{ ...pod, metadata: { ...pod.metadata, name } }]);
    expect(listNames(snapshot.podsByIndexName("default", indexName))).toEqual([name]);
    expect(snapshot.podsByIndexName("ml", indexName)).toEqual([]);
  });

  it("podsByIndexName finds Pods under exclusive placement whose name has five parts", () => {
    const fourParts = { ...first.exclusive("rack").metadata, name: "w-0-0-abcde" };
    const snapshot = createSnapshot([first, { ...first, metadata: fourParts }]);
    expect(snapshot.podsByIndexName("default", "train-w-0-0")).toEqual([]);
    expect(snapshot.podsByIndexName("default", "w-0-0")).toEqual([]);
  });
});

describe("eventsAbout", () => {
  it("eventsAbout finds Events by the UID of their object", () => {
    const events = [anEvent("b", "u-1"), anEvent("a", "u-1"), anEvent("c", "u-2")];
    expect(listNames(createSnapshot(events).eventsAbout("u-1"))).toEqual(["a", "b"]);
  });

  it("podsControlledBy finds nothing for a UID that is empty or not text", () => {
    for (const uid of [null, 5, ["u"], {}, ""]) {
      const snapshot = createSnapshot([anEvent("a", uid)]);
      expect(snapshot.eventsAbout("")).toEqual([]);
      expect(snapshot.eventsAbout(uid as string)).toEqual([]);
      const changed = snapshot.with({ put: [anEvent("a", uid), anEvent("b", uid)] });
      expect(changed.eventsAbout(uid as string)).toEqual([]);
    }
  });
});

describe("kinds of one name", () => {
  const volcano = createNamedObject("Job", "train-w-0", "batch.volcano.sh/v1alpha1");
  const knative = createNamedObject("Service", "train", "serving.knative.dev/v1");

  it("a kind with the same name in another API group is another kind", () => {
    const snapshot = createSnapshot([
      volcano,
      knative,
      createNamedObject("Event", "e", "events.k8s.io/v1"),
    ]);
    expect(snapshot.job("default", "train-w-0")).toBeUndefined();
    expect(snapshot.service("default", "train")).toBeUndefined();
    expect(snapshot.objects("Event")).toEqual([]);
    expect(snapshot.object("Job.batch.volcano.sh", "default", "train-w-0")).toBe(volcano);
    expect(snapshot.objects("Service.serving.knative.dev")).toEqual([knative]);
  });

  it("a kind in another version is the same kind", () => {
    const older = createNamedObject("Job", "train-w-0", "batch/v1beta1");
    expect(createSnapshot([older]).job("default", "train-w-0")).toBe(older);
  });

  it("a read of one kind says nothing about its namesake in another group", () => {
    const snapshot = createSnapshot([
      volcano,
      { apiVersion: "serving.knative.dev/v1", kind: "ServiceList", items: [] },
    ]);
    expect(snapshot.kindStatus("Job").outcome).toBe("NotRead");
    expect(snapshot.kindStatus("Job.batch.volcano.sh").outcome).toBe("Read");
    expect(snapshot.kindStatus("Service").outcome).toBe("NotRead");
    expect(snapshot.kindStatus("Service.serving.knative.dev").outcome).toBe("Read");
    expect(
      createSnapshot([])
        .with({ put: [knative] })
        .kindStatus("Service").outcome,
    ).toBe("NotRead");
  });
});

describe("whether a kind was read", () => {
  it("a kind counts as read if there is an object or a list of it, or if the caller says so", () => {
    const list = { apiVersion: "batch/v1", kind: "JobList", items: null };
    const snapshot = createSnapshot([first, list], { kinds: ["Event"] });
    expect(["Pod", "Job", "Event"].map((kind) => snapshot.kindStatus(kind))).toEqual([
      { outcome: "Read" },
      { outcome: "Read" },
      { outcome: "Read" },
    ]);
  });

  it("a kind that was not read is not empty", () => {
    const snapshot = createSnapshot([first]);
    for (const kind of ["Job", "List", "", "__proto__"]) {
      const message = `objects of kind ${kind} were not read`;
      expect(snapshot.kindStatus(kind)).toEqual({ outcome: "NotRead", message });
    }
  });

  it("an invalid object does not mark its kind as read", () => {
    expect(createSnapshot([{ apiVersion: "v1", kind: "Pod" }]).kindStatus("Pod").outcome).toBe(
      "NotRead",
    );
  });

  it("a kind stays read when its last object is removed", () => {
    expect(
      createSnapshot([first])
        .with({ remove: [first] })
        .kindStatus("Pod").outcome,
    ).toBe("Read");
    expect(
      createSnapshot([])
        .with({ put: [first] })
        .kindStatus("Pod").outcome,
    ).toBe("Read");
  });

  it("the removal of an object does not mark an unread kind as read", () => {
    expect(
      createSnapshot([])
        .with({ remove: [first] })
        .kindStatus("Pod").outcome,
    ).toBe("NotRead");
  });
});

describe("kinds: all", () => {
  const all = { kinds: "all" } as const;

  it("the option kinds: all marks every kind as read, now and after changes", () => {
    const getOutcome = (snapshot: Snapshot) => snapshot.kindStatus("Anything").outcome;
    expect(getOutcome(createSnapshot([], all))).toBe("Read");
    expect(getOutcome(createSnapshot([], all).with({ put: [first] }))).toBe("Read");
    expect(
      getOutcome(
        createSnapshot([])
          .with(all)
          .with({ kinds: ["Pod"] }),
      ),
    ).toBe("Read");
  });

  it("the option kinds: all clears read errors except those given with it", () => {
    const earlier = createSnapshot([], { readErrors: { Pod: "no", Job: "no" } });
    const later = earlier.with({ ...all, readErrors: { Job: "still no" } });
    expect(later.kindStatus("Pod").outcome).toBe("Read");
    expect(later.kindStatus("Job")).toEqual({ outcome: "Failed", message: "still no" });
  });
});

describe("a kind that could not be read", () => {
  const snapshot = createSnapshot([first], { readErrors: { Service: "timed out" } });

  it("a read error is kept, also after changes", () => {
    expect(snapshot.kindStatus("Service")).toEqual({ outcome: "Failed", message: "timed out" });
    expect(snapshot.with({ put: [second] }).kindStatus("Service")).toEqual({
      outcome: "Failed",
      message: "timed out",
    });
  });

  it("a read error is replaced by later reads", () => {
    const rejected = { message: "no", reason: "Forbidden", code: 403 };
    const later = snapshot.with({ put: [second], readErrors: { Pod: rejected, Event: "no" } });
    expect(later.kindStatus("Pod")).toEqual({ outcome: "Failed", ...rejected });
    expect(later.kindStatus("Event")).toEqual({ outcome: "Failed", message: "no" });
    expect(later.kindStatus("Service")).toEqual({ outcome: "Failed", message: "timed out" });

    const list = { apiVersion: "v1", kind: "PodList", items: [] };
    const latest = later.with({ put: [list], kinds: ["Service"] });
    const outcomes = ["Pod", "Service", "Event"].map((kind) => latest.kindStatus(kind).outcome);
    expect(outcomes).toEqual(["Read", "Read", "Failed"]);
    expect(latest.kindStatus("Event")).toEqual({ outcome: "Failed", message: "no" });
    expect(later.kindStatus("Pod")).toEqual({ outcome: "Failed", ...rejected });
  });

  it("a read error stays when a single object is put", () => {
    const changed = createSnapshot([], { readErrors: { Pod: "no" } }).with({ put: [first] });
    expect(changed.kindStatus("Pod")).toEqual({ outcome: "Failed", message: "no" });
  });

  it("a read error does not affect other kinds, with any names", () => {
    const outcomes = ["Pod", "toString", "__proto__"].map(
      (kind) => snapshot.kindStatus(kind).outcome,
    );
    expect(outcomes).toEqual(["Read", "NotRead", "NotRead"]);
  });
});

describe("with", () => {
  it("Snapshot.with adds and replaces objects, and leaves the old snapshot unchanged", () => {
    const before = createSnapshot([train, first]);
    const suspended = train.suspended();
    const after = before.with({ put: [suspended, second] });
    expect(after.jobSet("default", "train")).toBe(suspended);
    expect(after.objects("Pod")).toEqual([first, second]);
    expect(before.jobSet("default", "train")).toBe(train);
    expect(before.objects("Pod")).toEqual([first]);
  });

  it("Snapshot.with removes objects by group, kind, namespace and name", () => {
    const { apiVersion, kind } = first;
    const { name, namespace } = first.metadata;
    const after = createSnapshot([first, second]).with({
      remove: [{ apiVersion, kind, metadata: { name, namespace } }, aJob("train-w-0"), train],
    });
    expect(after.objects("Pod")).toEqual([second]);
    expect(after.invalidObjects).toEqual([]);
  });

  it("Snapshot.with removes before it adds, so an object in both lists exists", () => {
    const after = createSnapshot([first]).with({ put: [first], remove: [first] });
    expect(after.objects("Pod")).toEqual([first]);
  });

  it("Snapshot.with accepts lists", () => {
    const list = { apiVersion: "v1", kind: "PodList", items: [first, second] };
    expect(
      createSnapshot([])
        .with({ put: [list] })
        .objects("Pod"),
    ).toEqual([first, second]);
    expect(
      createSnapshot([list])
        .with({ remove: [list] })
        .objects("Pod"),
    ).toEqual([]);
  });

  it("a change moves an object between keys of the indexes that are built already", () => {
    const before = createSnapshot([first, second]);
    expect(before.podsControlledBy("train-w-0-uid")).toHaveLength(2);
    const after = before.with({ put: [second.controlledBy(aJob("train-w-9"))] });
    expect(listNames(after.podsControlledBy("train-w-0-uid"))).toEqual(["train-w-0-0-abcde"]);
    expect(listNames(after.podsControlledBy("train-w-9-uid"))).toEqual(["train-w-0-1-fghij"]);
    expect(before.podsControlledBy("train-w-0-uid")).toHaveLength(2);
    const empty = after.with({ remove: [first] });
    expect(empty.podsControlledBy("train-w-0-uid")).toEqual([]);
  });

  it("Snapshot.with reports the path of invalid objects, and drops earlier reports", () => {
    const before = createSnapshot([null]);
    const after = before.with({ put: [first, {}], remove: [5] });
    expect(after.invalidObjects.map(({ at }) => at)).toEqual(["put[1]", "remove[0]"]);
    expect(after.with({}).invalidObjects).toEqual([]);
    expect(before.invalidObjects).toHaveLength(1);
  });
});
