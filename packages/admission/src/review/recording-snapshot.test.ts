import { JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { createSnapshot, SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { RecordingSnapshot } from "./recording-snapshot.ts";
import type { RequiredObject } from "./required-object.ts";

const jobSet = aJobSet("train").inNamespace("ml");
const apiVersion = "v1";
const namespace = "ml";
const JOBSET_KIND = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };
const JOB_KIND = { apiVersion: "batch/v1", kind: "Job" };
const POD_KIND = { apiVersion, kind: "Pod" };
const CLAIM_KIND = { apiVersion, kind: "PersistentVolumeClaim" };

describe("a webhook with a snapshot without any read kinds", () => {
  const questions: readonly (readonly [string, (snapshot: Snapshot) => unknown, RequiredObject])[] =
    [
      ["all JobSets", ({ jobSets }) => jobSets, { ...JOBSET_KIND, allNamespaces: true }],
      ["all nodes", ({ nodes }) => nodes, { apiVersion, kind: "Node" }],
      [
        "a JobSet",
        (snapshot) => snapshot.jobSet("ml", "train"),
        { ...JOBSET_KIND, namespace, name: "train" },
      ],
      [
        "a Job",
        (snapshot) => snapshot.job("ml", "train-w-0"),
        { ...JOB_KIND, namespace, name: "train-w-0" },
      ],
      ["a Pod", (snapshot) => snapshot.pod("ml", "a"), { ...POD_KIND, namespace, name: "a" }],
      [
        "a Service",
        (snapshot) => snapshot.service("ml", "train"),
        { apiVersion, kind: "Service", namespace, name: "train" },
      ],
      [
        "a PersistentVolumeClaim",
        (snapshot) => snapshot.volumeClaim("ml", "data-train"),
        { ...CLAIM_KIND, namespace, name: "data-train" },
      ],
      ["a node", (snapshot) => snapshot.node("n1"), { apiVersion, kind: "Node", name: "n1" }],
      [
        "a JobSet's Jobs",
        (snapshot) => snapshot.childJobs(jobSet),
        { ...JOB_KIND, namespace, controllerUid: "train-uid" },
      ],
      [
        "a JobSet's Jobs as passes read them",
        (snapshot) => snapshot.readChildJobs(jobSet),
        { ...JOB_KIND, namespace, controllerUid: "train-uid" },
      ],
      [
        "a JobSet's Pods",
        (snapshot) => snapshot.podsOfJobSet("ml", "train"),
        { ...POD_KIND, namespace, labels: { [JOBSET_NAME_KEY]: "train" } },
      ],
      [
        "the Jobs of a JobSet name",
        (requested) => requested.jobsOfJobSetName("ml", "train"),
        { ...JOB_KIND, namespace },
      ],
      [
        "the Pods of a job key",
        (snapshot) => snapshot.podsByJobKey("ml", "k"),
        { ...POD_KIND, namespace, labels: { [JOB_KEY_KEY]: "k" } },
      ],
      [
        "the Pods that a Job controls",
        (snapshot) => snapshot.podsControlledBy("j-uid"),
        { ...POD_KIND, namespace, controllerUid: "j-uid" },
      ],
      [
        "the Pods of an index",
        (snapshot) => snapshot.podsByIndexName("ml", "train-w-0-0"),
        { ...POD_KIND, namespace, namePrefix: "train-w-0-0-" },
      ],
      [
        "the Events about an object",
        (snapshot) => snapshot.eventsAbout("p-uid"),
        { apiVersion, kind: "Event", namespace, involvedObjectUid: "p-uid" },
      ],
      [
        "an object of a kind that lives in namespaces",
        (snapshot) => snapshot.object("Job", "ml", "a"),
        { ...JOB_KIND, namespace, name: "a" },
      ],
      [
        "an object of a kind that does not",
        (snapshot) => snapshot.object("Node", "ml", "n1"),
        { apiVersion, kind: "Node", name: "n1" },
      ],
      [
        "all objects of a kind that lives in namespaces",
        (snapshot) => snapshot.objects("PersistentVolumeClaim"),
        { ...CLAIM_KIND, allNamespaces: true },
      ],
      [
        "all objects of a kind that does not",
        (snapshot) => snapshot.objects("Node"),
        { apiVersion, kind: "Node" },
      ],
    ];

  it.each(questions)(
    "RecordingSnapshot records that a webhook needs %s",
    (_, call, requirement) => {
      const recording = new RecordingSnapshot(createSnapshot([]), namespace);
      call(recording);
      call(recording);
      expect(recording.missing).toEqual([requirement]);
    },
  );

  it.each(questions)(
    "RecordingSnapshot records nothing for a kind that was read: %s",
    (_, call) => {
      const read = createSnapshot([], { kinds: SNAPSHOT_KINDS.keys() });
      const recording = new RecordingSnapshot(read, namespace);
      expect(call(recording)).toEqual(call(read));
      expect(recording.missing).toEqual([]);
    },
  );
});
