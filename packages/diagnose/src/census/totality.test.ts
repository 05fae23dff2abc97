// Every exported function of this package, with generators for its arguments. The types and a test reject an export
// without a row.
import { featureGates } from "@jobset-ts/api";
import { createContext, createSnapshot, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { clusterObjects } from "../../../testing/src/arbitraries/arbitrary-objects.ts";
import { corruptedAtOneName } from "../../../testing/src/arbitraries/hostile-values.ts";
import {
  type ArgumentKind,
  anything,
  type FunctionTable,
  trusted,
} from "../../../testing/src/testing/never-throws.ts";
import { testTotality } from "../../../testing/src/testing/test-totality.ts";
import * as census from "../census.ts";
import { podsAndJobs } from "../testing/arbitrary-pods.ts";

const now = "2026-02-07T06:56:19Z";
const everyGate = Object.fromEntries(Object.keys(featureGates).map((name) => [name, true]));
const contexts = [
  createContext({ now }),
  createContext({ now, features: everyGate, quirks: UPSTREAM_QUIRKS }),
];
const _context = trusted(...contexts);

/** Events of both API groups about Pods. */
const events = podsAndJobs().map(({ pods }) =>
  pods.flatMap(({ metadata }, index) => {
    const about = { kind: "Pod", namespace: metadata.namespace, name: metadata.name };
    const own = { metadata: { ...metadata, name: `e-${index}` }, reason: "FailedScheduling" };
    return [
      { apiVersion: "v1", kind: "Event", ...own, involvedObject: about, message: "no", count: 2 },
      { apiVersion: "events.k8s.io/v1", kind: "Event", ...own, regarding: about, note: "no" },
    ];
  }),
);
const snapshots = fc
  .tuple(
    corruptedAtOneName(fc.array(fc.oneof(clusterObjects(), jobSets()))),
    corruptedAtOneName(podsAndJobs().map(({ pods, jobs }) => [...pods, ...jobs])),
    corruptedAtOneName(events),
    fc.constantFrom([], ["Pod", "Event", "JobSet"], "all" as const),
  )
  .map(([objects, pods, events, kinds]) =>
    createSnapshot(
      [objects, pods, events].flatMap((list) => (Array.isArray(list) ? list : [])),
      { kinds },
    ),
  );
const snapshot: ArgumentKind = { typed: snapshots };
const settings = fc.record(
  {
    deadline: fc.constantFrom("", "0", "60", "x"),
    interval: fc.constantFrom("", "0", "5", "x"),
    excludedNamespaces: fc.subarray(["ml", "default"]),
    jobOwned: fc.constantFrom("KindContainsJob", "ExactKind", "HelmHook", "None"),
    failedReason: fc.constantFrom("FirstContainer", "BestAvailable"),
    maxEvents: fc.nat(3),
  },
  { requiredKeys: [] },
);

const started = census.stepWait(census.INITIAL_WAIT_STATE, { input: "Start" }).state;
const waiting = { ...started, stage: "AwaitTick" };
const inputs = fc.oneof(
  snapshots.map((snapshot) => ({ input: "Snapshot", snapshot })),
  corruptedAtOneName(settings).map((settings) => ({ input: "Start", settings })),
  fc.constantFrom({ input: "Tick" }, { input: "SnapshotError", message: "no" }, undefined),
);
const runWait = snapshots.map((snapshot) => {
  const input = { input: "Snapshot", snapshot } as const;
  const { action } = census.stepWait(
    { ...started, stage: "AwaitSnapshot" } as typeof started,
    input,
  );
  return action.action === "Finish" ? action.result : undefined;
});
const counts = {
  total: 2,
  running: 1,
  pending: 1,
  failed: 0,
  succeeded: 0,
  other: 0,
  unscheduled: 1,
};

const rows = {
  countPods: [snapshot, anything(settings)],
  findCountInconsistencies: [
    anything(fc.constant(counts)),
    anything(fc.constantFrom([{ podCount: 1 }, { node: "n1", podCount: 1 }])),
  ],
  stepWait: [
    trusted(census.INITIAL_WAIT_STATE, started, waiting, { stage: "Done" }),
    { typed: inputs },
  ],
  formatWaitResult: [
    { typed: runWait.filter((one) => one !== undefined) },
    trusted(undefined, {}, { reportBoth: true }),
  ],
} satisfies FunctionTable<typeof census>;

testTotality("@jobset-ts/diagnose/census", census, rows);
