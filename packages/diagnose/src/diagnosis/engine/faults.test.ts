// That a diagnosis finds what is known to be wrong with a JobSet, and takes nothing else for it.
import { createContext, createSnapshot } from "@jobset-ts/core";
import {
  type DiagnoseJobSet,
  faultyClusters,
  healthyJobSetsHaveNoRootCause,
  knownCauses,
  rootCauseComesFirst,
  statusMatchesRootCause,
  symptomsAreNotRootCauses,
  unreadKindsLowerConfidence,
} from "@jobset-ts/testing/diagnose";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../testing/src/testing/runs.ts";
import { findingIds } from "../checks/finding-ids.ts";
import { toDiagnosisJson } from "../report/diagnosis-data.ts";
import { diagnose } from "./diagnose.ts";

const subject: DiagnoseJobSet = ({ objects, kinds, now }, { namespace, name }) => {
  const snapshot = createSnapshot(objects, { kinds });
  const jobSet = snapshot.jobSet(namespace, name) ?? {};
  return toDiagnosisJson(diagnose(snapshot, jobSet, createContext({ now })));
};

/** Findings that are always the effect of another finding about the same Pods, or of an unknown one. */
const neverTheOnlyCause = new Set([
  "leader-terminating",
  "leader-failed",
  "leader-unscheduled",
  "followers-refused",
  "pod-unscheduled",
]);

describe("the diagnosis of a JobSet in which one thing has gone wrong", () => {
  it("names that first, whatever it is", () => {
    const drawn = new Map<string, number>();
    const cases = faultyClusters().map((cluster) => {
      const { cause } = cluster.truth;
      drawn.set(cause, (drawn.get(cause) ?? 0) + 1);
      return cluster;
    });
    fc.assert(rootCauseComesFirst(subject, { cases }), { numRuns: runs(1400) });
    const seldom = knownCauses.filter((cause) => (drawn.get(cause) ?? 0) < 10);
    expect(seldom).toEqual([]);
  });

  it("is tried on every finding that can be the only cause", () => {
    const rootCapable = findingIds.filter((id) => !neverTheOnlyCause.has(id));
    expect(rootCapable.filter((id) => !knownCauses.includes(id))).toEqual([]);
  });

  it("takes no symptom for a cause", () => {
    fc.assert(symptomsAreNotRootCauses(subject), { numRuns: runs(100, 5_000) });
  });

  it("tells by its status whether that passes by itself", () => {
    fc.assert(statusMatchesRootCause(subject), { numRuns: runs(75, 3_000) });
  });

  it("finds nothing wrong with the JobSets beside it", () => {
    fc.assert(healthyJobSetsHaveNoRootCause(subject), { numRuns: runs(75, 3_000) });
  });

  it("is certain of nothing that rests on what was not read", () => {
    fc.assert(unreadKindsLowerConfidence(subject), { numRuns: runs(100, 5_000) });
  });
});
