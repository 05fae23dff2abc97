import { type ReviewOptions, reviewJson } from "@jobset-ts/admission";
import { createWebhookHandler, WEBHOOK_PATHS } from "@jobset-ts/admission/http";
import type { JobSet } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { aTrainingJobSet } from "./fixtures.ts";
import type { Benchmark } from "./measure.ts";

const context = createContext({ now: "2026-11-21T12:00:00Z" });
const stages = ["mutate", "validate"] as const;

/** Reviews an AdmissionReview of a typical JobSet, from bytes to bytes. `size` is the number of bytes. */
export function* reviewJobSet(): Generator<Benchmark> {
  for (const stage of stages)
    yield createReviewBenchmark(createReview(aTrainingJobSet(4)), stage, createSnapshot([]));
}

/** Reviews a JobSet of one megabyte: many containers with many variables, all of which are patched. */
export function* reviewLargeJobSet(): Generator<Benchmark> {
  for (const stage of stages)
    yield createReviewBenchmark(createReview(aLargeJobSet()), stage, createSnapshot([]));
}

/** Reviews the AdmissionReview of a follower Pod whose leader has a node. */
export function* reviewPod(): Generator<Benchmark> {
  for (const stage of stages)
    yield createReviewBenchmark(createReview(aFollower()), stage, aCluster(1));
}

/** Reviews the AdmissionReview of a follower Pod among 150,000 Pods. The indexes exist already. */
export function* reviewPodAmongMany(): Generator<Benchmark> {
  for (const stage of stages)
    yield createReviewBenchmark(createReview(aFollower()), stage, aCluster(30_000));
}

/** Reviews a typical JobSet from a web `Request` to its `Response`. `size` is the number of bytes of its body. */
export function* handledReview(): Generator<Benchmark> {
  const body = JSON.stringify(createReview(aTrainingJobSet(4)));
  const { signal } = new AbortController();
  const handle = createWebhookHandler({
    context,
    deadline: () => signal,
    readSnapshot: () => createSnapshot([]),
  });
  for (const [path, { kind, stage }] of WEBHOOK_PATHS) {
    if (kind !== "JobSet") continue;
    const exchange = async (serve: (request: Request) => Promise<Response>) => {
      const headers = { "content-type": "application/json" };
      const request = new Request(`https://webhook${path}`, { method: "POST", headers, body });
      return (await serve(request)).text();
    };
    yield {
      size: body.length,
      run: () => exchange(handle),
      warmUp: async () => {
        for (let time = 0; time < 10_000; time++) await exchange(handle);
      },
      floor: `a Request whose JSON is parsed, and a Response of the same (${stage})`,
      runFloor: () => exchange(async (request) => Response.json(await request.json())),
    };
  }
}

function createReviewBenchmark(
  review: object,
  stage: ReviewOptions["stage"],
  snapshot: Snapshot,
): Benchmark {
  const bytes = new TextEncoder().encode(JSON.stringify(review));
  const respond = () => reviewJson(new TextDecoder().decode(bytes), snapshot, context, { stage });
  expectAllowed(respond());
  return {
    size: bytes.length,
    run: () => new TextEncoder().encode(respond()),
    floor: `JSON.parse and JSON.stringify of the review (${stage})`,
    runFloor: () =>
      new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)))),
  };
}

/** Creates the AdmissionReview of a new object. */
export function createReview(object: JobSet | Pod): object {
  const [version = "", group = ""] = object.apiVersion.split("/").reverse();
  const { kind, metadata } = object;
  const { name, namespace } = metadata;
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "b6b1b7a5-6a1d-4b1c-8b43-0d5c2f3f9e11",
      kind: { group, version, kind },
      resource: { group, version, resource: `${kind.toLowerCase()}s` },
      ...(name !== undefined && { name }),
      namespace,
      operation: "CREATE",
      userInfo: { username: "system:serviceaccount:ml:trainer", groups: ["system:authenticated"] },
      object,
      oldObject: null,
      dryRun: false,
    },
  };
}

/** Creates a JobSet of about one megabyte with 260 ReplicatedJobs. The patch changes each of them. */
export function aLargeJobSet(): JobSet {
  const jobSet = aTrainingJobSet(1);
  const [first] = jobSet.spec.replicatedJobs ?? [];
  if (first === undefined) throw new Error("a JobSet without ReplicatedJobs");
  const replicatedJobs = Array.from({ length: 260 }, (_, index) => ({
    ...first,
    name: `workers-${index}`,
  }));
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs } };
}

const podsPerJob = 5;

/** Creates a leader with a node, and its followers, for each of `jobs` Jobs. The indexes exist already. */
function aCluster(jobs: number): Snapshot {
  const objects: object[] = [];
  for (let job = 0; job < jobs; job++) {
    objects.push(createNode(job));
    for (let index = 0; index < podsPerJob; index++) objects.push(createPodOfJob(job, index));
  }
  const snapshot = createSnapshot(objects, { kinds: ["Event"] });
  snapshot.podsByIndexName("ml", "train-workers-0-0");
  snapshot.node("n0");
  return snapshot;
}

function createNode(job: number): object {
  const metadata = { name: `n${job}`, labels: { rack: `rack-${job}` } };
  return { apiVersion: "v1", kind: "Node", metadata };
}

/** Creates a follower as the Job controller sends it and the mutating webhook changes it. */
function aFollower(): Pod {
  const { name: _, uid: __, ...metadata } = createPodOfJob(0, 1).metadata;
  const spec = aTrainingJobSet(1).spec.replicatedJobs?.[0]?.template.spec?.template?.spec;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, generateName: "train-workers-0-1-" },
    spec: { ...spec, containers: spec?.containers ?? [], nodeSelector: { rack: "rack-0" } },
  };
}

function createPodOfJob(job: number, index: number): Pod {
  const indexes = { "batch.kubernetes.io/job-completion-index": String(index) };
  const names = {
    "jobset.sigs.k8s.io/jobset-name": "train",
    "jobset.sigs.k8s.io/replicatedjob-name": "workers",
    "jobset.sigs.k8s.io/job-index": String(job),
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `train-workers-${job}-${index}-x7k2p`,
      namespace: "ml",
      uid: `pod-${job}-${index}`,
      labels: { ...names, ...indexes },
      annotations: {
        ...names,
        ...indexes,
        "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack",
      },
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          name: `train-workers-${job}`,
          uid: `job-${job}`,
          controller: true,
        },
      ],
    },
    spec: { containers: [], nodeName: `n${job}` },
    status: { phase: "Running" },
  };
}

/** Checks that the review admits the request, because the benchmark measures the common case. */
function expectAllowed(text: string): void {
  if (!JSON.parse(text).response.allowed) throw new Error(`the review denies the request: ${text}`);
}
