// Every exported function of this package, with the possible values of each argument. A test fails if an exported
// function is missing here. For any cluster state, no function throws, hangs, changes or freezes its arguments, or
// returns another result for a second call.
import { featureGates } from "@jobset-ts/api";
import { childJobs, clusters, jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, it } from "vitest";
import { clusterObjects } from "../../testing/src/arbitraries/arbitrary-objects.ts";
import { placements } from "../../testing/src/arbitraries/arbitrary-placements.ts";
import { corruptedAtOneName, hostileValues } from "../../testing/src/arbitraries/hostile-values.ts";
import {
  type ArgumentKind,
  anything,
  type FunctionTable,
  neverThrows,
  trusted,
} from "../../testing/src/testing/never-throws.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import * as agentExports from "./agent.ts";
import { resumeJob } from "./child-jobs/resume-job.ts";
import * as childJobsExports from "./child-jobs.ts";
import { desiredVolumeClaimsByPolicy } from "./desired/desired-volume-claims.ts";
import * as desiredExports from "./desired.ts";
import { frozenCopy } from "./frozen-copy.ts";
import * as indexExports from "./index.ts";
import * as placementExports from "./placement.ts";
import * as policiesExports from "./policies.ts";
import * as requestsExports from "./requests.ts";
import { createSnapshot, type Snapshot, type SnapshotChanges } from "./snapshot/snapshot.ts";
import * as statusExports from "./status.ts";
import { missingJobs } from "./testing/missing-jobs.ts";
import { listQueryResults } from "./testing/reference/snapshot-answers.ts";

/** All exports of the entries, and functions that the tests of other packages use. */
const core = {
  ...agentExports,
  ...childJobsExports,
  ...desiredExports,
  ...indexExports,
  ...placementExports,
  ...policiesExports,
  ...requestsExports,
  ...statusExports,
  missingJobs,
  resumeJob,
};

// biome-ignore lint/suspicious/noExplicitAny: the value is unvalidated on purpose
type Unchecked = any;

const text: ArgumentKind = {
  typed: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", "train", "\ud800", "..")),
};
const anyText = anything(text.typed);
const number: ArgumentKind = { typed: fc.oneof(fc.double(), fc.integer()) };

const jobSet = anything(jobSets());
const object = anything(clusterObjects());
const someJobs = childJobs().chain((jobs) =>
  fc.tuple(...jobs.map((job) => corruptedAtOneName(fc.constant(job)))),
);
const jobs = anything(fc.oneof(childJobs(), someJobs));
const job = anything(childJobs().map(([first]) => first));
const replicatedJob = anything(jobSets().map(({ spec }) => spec.replicatedJobs?.[0]));
const pods = placements().map((placement) => placement.pods);
const pod = anything(placements().map(({ leader }) => leader));
const counters = fc.record({
  name: fc.constantFrom("workers", "driver"),
  ready: fc.nat(3),
  succeeded: fc.nat(3),
  failed: fc.nat(3),
  active: fc.nat(3),
  suspended: fc.nat(3),
  jobRestarts: fc.array(fc.nat(3)),
});
const counts = anything(counters);
const statuses = anything(fc.array(counters));

const contexts = [
  core.createContext({ now: "2026-02-07T06:56:19Z" }),
  core.createContext({
    now: "2026-02-07T06:56:19Z",
    features: Object.fromEntries(Object.keys(featureGates).map((name) => [name, true])),
    quirks: core.UPSTREAM_QUIRKS,
  }),
  core.createContext({
    now: "2026-02-07T06:56:19Z",
    quirks: [...core.quirks, ...core.releaseBehaviors],
  }),
] as const;
const context = trusted(...contexts);
const snapshot = {
  typed: corruptedAtOneName(fc.array(fc.oneof(clusterObjects(), jobSets()))).map((objects) =>
    createSnapshot(objects as Iterable<unknown>),
  ),
};
/** Jobs in sorted order. They may be any values. */
const classified = {
  typed: fc.tuple(jobSets(), someJobs).map(([owner, all]) => {
    const sorted = core.classifyJobs(owner, core.readChildJobs(all as Unchecked), contexts[0]);
    return sorted.ok ? sorted : { ...NO_SORTED_JOBS };
  }),
};
const NO_SORTED_JOBS = {
  ok: true,
  active: core.readChildJobs([]),
  successful: core.readChildJobs([]),
  failed: core.readChildJobs([]),
  previous: core.readChildJobs([]),
  unclaimed: core.readChildJobs([]),
  warnings: [],
};
const plans = clusters().map((cluster) =>
  core.reconcile(
    createSnapshot([cluster.jobSet, ...cluster.others], { kinds: "all" }),
    cluster.jobSet,
    cluster.context,
  ),
);
const plan = { typed: plans };
const effect = {
  typed: plans
    .filter(({ steps }) => steps.length > 0)
    .chain(({ steps }) => fc.constantFrom(...steps.flatMap(({ effects }) => effects))),
};
const JOB_KIND = { apiVersion: "batch/v1", kind: "Job" };
const member = (name: string) => corruptedAtOneName(fc.constant(name));
const configuration = trusted({
  namespace: "ml",
  jobSetName: "train",
  podName: "train-0",
  inPlaceRestartExitCode: 1,
  role: { kind: "Main", workerCommand: "true" },
});
const agentState = trusted(
  core.INITIAL_AGENT_STATE,
  { attempt: 1, barrier: "Up" },
  { barrier: "Down" },
);

/** The first element of a list that may be very long. */
function takeFirst<Element>(elements: Iterable<Element>): readonly Element[] {
  const first: Element[] = [];
  for (const element of elements) if (first.push(element) === 5) break;
  return first;
}

/** All actions that the execution of a plan returns if every request gets the same response. */
function executeAll(carried: Unchecked, result: Unchecked): unknown {
  const run = new core.PlanExecution(carried);
  const handedOut: unknown[] = [];
  for (;;) {
    const next = run.next();
    handedOut.push(next);
    if (next.action === "Perform") run.settle(next.request.id, result);
    if (next.action === "Done" || next.action === "Wait") return handedOut;
  }
}

const results = trusted({ ok: true }, { ok: false, error: { message: "no", reason: "Conflict" } });

const rows = {
  BodySerializer: {
    of: [anything(hostileValues())],
    calls: (body) => new core.BodySerializer().of(body),
  },
  EventCorrelator: {
    of: [object, trusted({ type: "Warning", reason: "Failed", message: "no" }), number],
    calls: (regarding, planned, now) => {
      const events = new core.EventCorrelator({ reportingInstance: "jobset-0" });
      const reports = [1, 2].map(() => events.report(regarding, planned, now));
      return [reports, events.nextDue, events.due(now)];
    },
  },
  PlanExecution: { of: [plan, results], calls: executeAll },
  jobSetForObject: [object, context],
  agentActionAfterRelease: [trusted({ outcome: "Serving" }, { outcome: "Failed", message: "no" })],
  agentConfiguration: [
    anything(
      fc.record({
        env: fc.dictionary(
          fc.constantFrom("JOBSET_NAME", "POD_NAME", "IN_PLACE_RESTART_EXIT_CODE"),
          fc.constantFrom("train", "1", ""),
        ),
        namespaceFile: fc.constantFrom("ml", undefined),
      }),
    ),
  ],
  agentStep: [agentState, jobSet, configuration],
  agentStepAfterAnnounce: [
    agentState,
    trusted({ action: "Announce", attempt: 1 }),
    trusted({ ok: true }, { ok: false, message: "no" }),
    jobSet,
    configuration,
  ],
  createApiRequest: [effect],
  createObjectRequest: [effect],
  applyChanges: [object, trusted([], [{ path: ["spec", { name: "main" }], value: { a: 1 } }])],
  readChildJobs: [jobs],
  areJobsFoundByOwnerName: [trusted(core.NO_QUIRKS, core.UPSTREAM_QUIRKS)],
  listChildJobs: [snapshot, jobSet, context],
  classifyJobs: {
    of: [jobSet, jobs, context],
    calls: (argument, all, by) => core.classifyJobs(argument, core.readChildJobs(all), by),
  },
  clusterPath: [trusted(JOB_KIND)],
  collectionPath: [{ typed: fc.record({ ...constant(JOB_KIND), namespace: member("ml") }) }],
  createContext: [
    trusted({ now: 0 }, { now: "2026-02-07T06:56:19Z", features: { RestartJob: true } }),
  ],
  coordinatorEndpoint: [jobSet],
  isDependencySatisfied: [anyText, number, counts],
  desiredJobs: [jobSet, context],
  desiredService: [jobSet],
  desiredVolumeClaims: {
    of: [jobSet],
    calls: (argument) => [
      core.desiredVolumeClaims(argument),
      desiredVolumeClaimsByPolicy(argument),
    ],
  },
  evaluateFailurePolicy: [jobSet, jobs, statuses, context],
  findSizeExcess: [jobSet],
  hasDnsHostnames: [jobSet],
  evaluateInPlaceRestart: [jobSet, anything(pods), context],
  indexedReplicatedJobs: [jobSet],
  isChildJob: [job, jobSet],
  isFinished: [jobSet],
  isLeaderPod: [pod],
  isPlacedByNodeLabels: [jobSet, object],
  isReady: [job],
  createJobFactories: {
    of: [jobSet, context],
    calls: (argument, by) =>
      core
        .createJobFactories(argument, by)
        .map(({ jobAt, replicas }) => [jobAt(0), jobAt(replicas - 1)]),
  },
  jobCount: [jobSet],
  jobKey: [text, text],
  jobState: [job],
  leaderForPod: [snapshot, pod, context],
  missingJobs: {
    of: [jobSet, jobs, context],
    calls: (argument, all, by) => {
      const sorted = core.classifyJobs(argument, core.readChildJobs(all), by);
      return core
        .missingJobs(argument, sorted.ok ? sorted : (NO_SORTED_JOBS as Unchecked), by)
        .slice(0, 3);
    },
  },
  objectPath: [
    { typed: fc.record({ ...constant(JOB_KIND), namespace: member("ml"), name: member("train") }) },
  ],
  createOwnerReference: [jobSet],
  permissionsFor: [effect],
  placementAnnotations: [jobSet, replicatedJob],
  planNodeLabels: [
    anything(
      fc.record({
        jobSet: jobSets(),
        pools: fc.array(fc.constantFrom("a", "b", "c", "d")),
        nodes: fc.array(clusterObjects()),
        strict: fc.boolean(),
      }),
    ),
  ],
  podAddresses: { of: [jobSet], calls: (argument) => takeFirst(core.podAddresses(argument)) },
  reconcile: [snapshot, jobSet, context],
  reconcilePlacement: [snapshot, pod, context],
  findInvalidMessagePatterns: [
    anything(fc.array(fc.record({ onJobFailureMessagePatterns: fc.array(text.typed) }))),
  ],
  replicatedJobsStatus: [jobSet, classified, context],
  resourceForKind: [text],
  restartJob: [jobSet, job, statuses, trusted(true, false)],
  isInPlaceRestart: [jobSet, context],
  resumeJob: {
    of: [jobSet, replicatedJob, job, context],
    calls: core.resumeJob,
  },
  executePlan: {
    of: [plan, results],
    calls: (carried, result) => core.executePlan(carried, { perform: async () => result }),
  },
  createSnapshot: {
    of: [
      anything(fc.array(clusterObjects())),
      trusted(undefined, null, { kinds: null, readErrors: null }, { readErrors: { Pod: null } }),
    ],
    calls: (objects, options) => listQueryResults(createSnapshot(objects, options)),
  },
  countStartedJobs: [counts],
  isInOrderStartup: [jobSet],
  findTrueCondition: [anything(fc.array(conditions())), text, text],
  evaluateTtl: [jobSet, anything(fc.constantFrom(0, 1.5))],
  usesNodeSelectorStrategy: [anything(fc.dictionary(fc.string(), fc.string()))],
} satisfies FunctionTable<typeof core>;

testTotality("@jobset-ts/core", core, rows);

function conditions(): fc.Arbitrary<unknown> {
  return fc.record({
    type: fc.constantFrom("Completed", "Suspended", "StartupPolicyCompleted"),
    status: fc.constantFrom("True", "False"),
    reason: fc.constantFrom("R", ""),
    message: fc.constantFrom("m", ""),
    lastTransitionTime: fc.constantFrom("2026-02-07T06:56:19Z", "x"),
  });
}

function constant(members: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, fc.constant(value)]),
  );
}

function assertNeverThrows(
  request: (...values: Unchecked[]) => unknown,
  arbitraries: readonly fc.Arbitrary<unknown>[],
  numRuns: number,
): Promise<void> | void {
  const property = neverThrows(request, arbitraries.map(anything));
  return fc.assert(property, { numRuns: runs(numRuns) });
}

describe("@jobset-ts/core", () => {
  it("frozenCopy of @jobset-ts/core accepts any value", () =>
    assertNeverThrows(frozenCopy, [jobSets()], 60));
});

describe("a snapshot of any objects", () => {
  const anyObject = corruptedAtOneName(
    fc.oneof(clusterObjects(), jobSets(), createLists(clusterObjects())),
  );
  const anyObjects = fc.oneof(
    { arbitrary: fc.array(anyObject, { maxLength: 6 }), weight: 5 },
    { arbitrary: hostileValues(), weight: 1 },
  );
  const anyChanges = fc.oneof(
    { arbitrary: fc.record({ put: anyObjects, remove: anyObjects }), weight: 5 },
    { arbitrary: hostileValues(), weight: 1 },
  );

  it("a snapshot of any objects responds to every query, before and after any changes", () => {
    const request = (objects: Unchecked, changes: SnapshotChanges) => {
      const before = createSnapshot(objects);
      const results = listQueryResults(before);
      const after = before.with(changes);
      return [before.invalidObjects, results, after.invalidObjects, listQueryResults(after)];
    };
    return assertNeverThrows(request, [anyObjects, anyChanges], 50);
  });

  it("queries with values that are not names do not throw", () => {
    const request = (
      objects: Unchecked,
      changes: SnapshotChanges,
      one: Unchecked,
      two: Unchecked,
    ) =>
      [createSnapshot(objects), createSnapshot(objects).with(changes)].map((snapshot) =>
        everyMethod(snapshot).map((method) => method(one, two)),
      );
    return assertNeverThrows(
      request,
      [anyObjects, anyChanges, hostileValues(), hostileValues()],
      100,
    );
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
    (kind) => snapshot.kindStatus(kind),
  ];
}

/** Kubernetes lists, typed and untyped. */
function createLists(objects: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.record({
    apiVersion: fc.constant("v1"),
    kind: fc.constantFrom("List", "PodList", "EventList"),
    items: fc.array(objects, { maxLength: 3 }),
  });
}
