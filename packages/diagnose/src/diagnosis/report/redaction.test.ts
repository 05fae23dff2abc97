import {
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  JOBSET_UID_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { markedJobSets, SECRET_MARKS } from "../../../../testing/src/testing/marked-jobsets.ts";
import { runs } from "../../../../testing/src/testing/runs.ts";
import { allChecks } from "../../all.ts";
import { diagnose } from "../engine/diagnose.ts";
import { toDiagnosisJson } from "./diagnosis-data.ts";
import { jobSetPhase } from "./phase.ts";
import { renderDiagnosis, renderDiagnosisMarkdown } from "./render.ts";

const options = { now: createContext({ now: "2026-02-07T08:00:00Z" }).now, checks: allChecks };

interface Template {
  readonly spec: { readonly template: { readonly metadata: object; readonly spec: object } };
}

/** Creates a JobSet whose Job or Pod fails, with Events and conditions that quote the whole Pod. */
function createCluster(marked: KubernetesObject, fails: "Pod" | "Creation" | "Start") {
  const jobSet = { ...marked, metadata: { ...marked.metadata, uid: "u-train" } };
  const { replicatedJobs } = (
    marked as unknown as {
      readonly spec: { readonly replicatedJobs: readonly [{ readonly template: Template }] };
    }
  ).spec;
  const { template } = replicatedJobs[0].template.spec;
  const message = `it failed: ${JSON.stringify(template.spec)} and ${JSON.stringify(JSON.stringify(template.spec))}`;
  const labels = {
    [JOBSET_NAME_KEY]: "train",
    [JOBSET_UID_KEY]: "u-train",
    [REPLICATED_JOB_NAME_KEY]: "w",
    [JOB_INDEX_KEY]: "0",
    [RESTART_ATTEMPT_KEY]: "0",
  };
  const owner = (apiVersion: string, kind: string, name: string) => [
    { apiVersion, kind, name, uid: `u-${name}`, controller: true },
  ];
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      namespace: "ml",
      name: "train-w-0",
      uid: "u-train-w-0",
      labels,
      ownerReferences: owner("jobset.x-k8s.io/v1alpha2", "JobSet", "train"),
    },
    spec: {
      parallelism: 1,
      completions: 1,
      completionMode: "Indexed",
      template: { metadata: { labels }, spec: template.spec },
    },
  };
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "ml",
      name: "train-w-0-0-abcde",
      uid: "u-pod",
      labels,
      ownerReferences: owner("batch/v1", "Job", "train-w-0"),
    },
    spec: {
      nodeName: "n1",
      containers: [{ name: "main", args: ["--token=Hunter2-of-the-Pod-alone"] }],
    },
    status:
      fails === "Pod"
        ? { phase: "Failed", message: `${message} Hunter2-of-the-Pod-alone` }
        : { phase: "Pending" },
  };
  const event = (about: KubernetesObject, reason: string, text: string) => ({
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: "ml", name: `${about.metadata.name}.1` },
    involvedObject: {
      kind: about.kind,
      namespace: "ml",
      name: about.metadata.name,
      uid: about.metadata.uid,
    },
    type: "Warning",
    reason,
    message: text,
    lastTimestamp: "2026-02-07T07:59:00Z",
  });
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
  const objects = {
    // The roots of two Pods are folded.
    Pod: [
      pod,
      { ...pod, metadata: { ...pod.metadata, name: "train-w-0-1-abcde", uid: "u-pod-1" } },
    ],
    Start: [pod, event(pod, "FailedCreatePodSandBox", message), event(pod, "FailedMount", message)],
    Creation: [event(job as never, "FailedCreate", `Error creating: ${message}`)],
  };
  return createSnapshot([jobSet, job, node, ...objects[fails]], { kinds: "all" });
}

it("no diagnosis and no phase shows a value that an Event or a condition quotes", () => {
  let quoting = 0;
  fc.assert(
    fc.property(markedJobSets(), fc.constantFrom("Pod", "Creation", "Start"), (marked, fails) => {
      const snapshot = createCluster(marked, fails);
      const [jobSet] = snapshot.jobSets;
      const diagnosis = diagnose(snapshot, jobSet ?? {}, options);
      const shown = [
        JSON.stringify(diagnosis),
        JSON.stringify(toDiagnosisJson(diagnosis)),
        JSON.stringify(renderDiagnosis(diagnosis)),
        renderDiagnosisMarkdown(diagnosis),
        JSON.stringify(jobSetPhase(snapshot, jobSet ?? {}, options)),
      ];
      if (shown[0]?.includes("it failed")) quoting += 1;
      for (const text of shown) {
        expect(
          SECRET_MARKS.filter((mark) => text.includes(mark)),
          text,
        ).toEqual([]);
      }
    }),
    { numRuns: runs(25) },
  );
  expect(quoting).toBeGreaterThan(8);
});
