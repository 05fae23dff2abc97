// Every exported function of this package, with generators for its arguments. The types and a test reject an export
// without a row.
import { featureGates } from "@jobset-ts/api";
import { createContext, createSnapshot, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { childJobs, jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  corruptEachField,
  corruptedAtOneName,
  unusableValues,
} from "../../testing/src/arbitraries/hostile-values.ts";
import { anything, type FunctionTable, trusted } from "../../testing/src/testing/never-throws.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { testTotality } from "../../testing/src/testing/test-totality.ts";
import { countPods } from "./census.ts";
import { findAll } from "./diagnosis/engine/find.ts";
import { populatedCluster } from "./diagnosis/testing/a-populated-cluster.ts";
import { diagnosedClusters } from "./diagnosis/testing/arbitrary-diagnosed-clusters.ts";
import { createJobSetView } from "./diagnosis/view/create-jobset-view.ts";
import * as diagnose from "./index.ts";

const now = "2026-02-07T06:56:19Z";
const context = trusted(createContext({ now }));
const everyGate = Object.fromEntries(Object.keys(featureGates).map((name) => [name, true]));
const everyContext = createContext({ now, features: everyGate, quirks: UPSTREAM_QUIRKS });
const contexts = trusted(createContext({ now }), everyContext);
const objects = diagnosedClusters().map((cluster) => [...cluster.objects, ...cluster.others]);
const kinds = fc.constantFrom(["Pod", "Job"], "all" as const);
const snapshots = fc
  .tuple(corruptedAtOneName(objects), kinds)
  .map(([argument, read]) => createSnapshot(argument as Iterable<unknown>, { kinds: read }));
const snapshot = { typed: snapshots };
const jobSet = anything(
  fc.oneof(
    jobSets(),
    objects.map(([first]) => first),
  ),
);
const diagnosis = {
  typed: snapshots.map((one) =>
    diagnose.diagnose(one, one.jobSet("ml", "js") ?? {}, { now: 1_770_447_379_000 }),
  ),
};
const rows = {
  indexCluster: {
    of: [snapshot, anything()],
    calls: (argument, about) => {
      const facts = diagnose.indexCluster(argument);
      const { length } = facts.eventsAbout(about, "Pod");
      return [length, facts.domains("rack").size, facts.areAllDomainsOccupied("rack", about)];
    },
  },
  diagnose: [snapshot, jobSet, context],
  diagnoseAll: [snapshot, context],
  toDiagnosisJson: [diagnosis],
  explainFailure: [
    anything(jobSets()),
    anything(fc.array(childJobs(), { maxLength: 6 })),
    contexts,
  ],
  jobSetPhase: [snapshot, jobSet, context],
  renderDiagnosisMarkdown: [diagnosis],
  nameBudget: [anything(jobSets()), snapshot, anything(fc.constant({ clusterDomain: "local" }))],
  latestTimestamp: [snapshot, trusted({}, { notAfter: 0 })],
  renderDiagnosis: [diagnosis],
  findInvariantViolations: [snapshot],
} satisfies FunctionTable<typeof diagnose>;

testTotality("@jobset-ts/diagnose", diagnose, rows);

describe("@jobset-ts/diagnose", () => {
  // The long tier uses each of the two values in every position. The short tier uses each one in
  // every second position, so every position is covered.
  it.each([
    ["an object that becomes neither text nor a number", unusableValues[0], 0],
    ["a list that is nested deeper than the stack", unusableValues.find(isDeepList), 1],
  ])("every function that reads a cluster accepts %s at any path in it", (_, part, first) => {
    expect(part).toBeDefined();
    const places: string[] = [];
    for (const [place, spoiled] of corruptEachField(populatedCluster, part)) {
      places.push(place);
      if (places.length % runs(2, 1) !== first % runs(2, 1)) continue;
      const lists = Object.values(spoiled as Readonly<Record<string, unknown>>);
      const one = createSnapshot(
        lists.flatMap((list) => (Array.isArray(list) ? list : [])),
        { kinds: "all" },
      );
      expect(() => {
        diagnose.findInvariantViolations(one);
        countPods(one, {});
        for (const diagnosis of diagnose.diagnoseAll(one, everyContext)) {
          diagnose.renderDiagnosis(diagnosis);
        }
        for (const jobSet of one.jobSets) diagnose.jobSetPhase(one, jobSet, everyContext);
      }, place).not.toThrow();
    }
    expect(places).toContain("jobSets.*.status.replicatedJobsStatus.*.jobRestarts.*");
  });

  it("every check reports the objects that it lacks", () => {
    const property = fc.property(snapshots, (one) => {
      const facts = diagnose.indexCluster(one);
      for (const of of one.jobSets) {
        const { found } = findAll(createJobSetView(of, facts, 0));
        const unanswered = found.filter(({ finding }) => finding.outcome === "Unknown");
        // A check that throws also has an unknown result, with the error's name.
        for (const { finding } of unanswered)
          expect(finding.missing, finding.message).toBeDefined();
      }
    });
    fc.assert(property, { numRuns: runs(150) });
  });
});

function isDeepList(value: unknown): boolean {
  let part = value;
  for (let level = 0; level < 1_000; level++) part = Array.isArray(part) ? part[0] : undefined;
  return part !== undefined;
}
