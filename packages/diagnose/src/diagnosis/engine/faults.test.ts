// Tests that diagnose finds known faults of a JobSet and reports no other cause.
import { createContext, createSnapshot } from "@jobset-ts/core";
import {
  type DiagnoseJobSet,
  diagnosisLaws,
  faultyClusters,
  knownCauses,
} from "@jobset-ts/testing/diagnose";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../testing/src/testing/runs.ts";
import { allChecks } from "../../all.ts";
import { findingIds } from "../checks/finding-ids.ts";
import { toDiagnosisJson } from "../report/diagnosis-data.ts";
import { testedAlone } from "../testing/tested-alone.ts";
import { diagnose } from "./diagnose.ts";

const subject: DiagnoseJobSet = ({ objects, kinds, now }, { namespace, name }) => {
  const snapshot = createSnapshot(objects, { kinds });
  const jobSet = snapshot.jobSet(namespace, name) ?? {};
  return toDiagnosisJson(
    diagnose(snapshot, jobSet, { now: createContext({ now }).now, checks: allChecks }),
  );
};

/** Findings that are always the effect of another finding about the same Pods, or of an unknown one. */
const neverTheOnlyCause = new Set([
  "leader-terminating",
  "leader-failed",
  "leader-unscheduled",
  "followers-refused",
  "pod-unscheduled",
]);

describe("diagnose of a JobSet with one fault", () => {
  it("diagnose reports the fault as the first root", () => {
    const drawn = new Map<string, number>();
    const cases = faultyClusters().map((cluster) => {
      const { cause } = cluster.truth;
      drawn.set(cause, (drawn.get(cause) ?? 0) + 1);
      return cluster;
    });
    fc.assert(diagnosisLaws.rootCauseComesFirst(subject, { cases }), {
      numRuns: runs(1_000, 14_000),
    });
    const seldom = knownCauses.filter((cause) => (drawn.get(cause) ?? 0) < 3);
    expect(seldom).toEqual([]);
  });

  it("the faults cover every finding that can be the only cause", () => {
    const rootCapable = findingIds.filter(
      (id) => !neverTheOnlyCause.has(id) && !testedAlone.has(id),
    );
    expect(rootCapable.filter((id) => !knownCauses.includes(id))).toEqual([]);
  });

  it("diagnose reports no symptom as a root", () => {
    fc.assert(diagnosisLaws.symptomsAreNotRootCauses(subject), { numRuns: runs(40, 5_000) });
  });

  it("the status shows whether the fault resolves itself", () => {
    fc.assert(diagnosisLaws.statusMatchesRootCause(subject), { numRuns: runs(40, 3_000) });
  });

  it("diagnose finds nothing wrong with other JobSets", () => {
    fc.assert(diagnosisLaws.healthyJobSetsHaveNoRootCause(subject), { numRuns: runs(40, 3_000) });
  });

  it("diagnose is certain of nothing that depends on unread objects", () => {
    fc.assert(diagnosisLaws.unreadKindsLowerConfidence(subject), { numRuns: runs(40, 5_000) });
  });
});
