import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultyClusters } from "../arbitraries/faulty-clusters.ts";
import {
  type DiagnosedRoot,
  type DiagnoseJobSet,
  type DiagnosisResult,
  diagnosisLaws,
} from "./diagnosis-laws.ts";

const {
  healthyJobSetsHaveNoRootCause,
  rootCauseComesFirst,
  statusMatchesRootCause,
  symptomsAreNotRootCauses,
  unreadKindsLowerConfidence,
} = diagnosisLaws;

const root = (id: string, objects: readonly string[] = []): DiagnosedRoot => {
  return { id, confidence: "Certain", objects };
};
const diagnoseRoots = (...roots: DiagnosedRoot[]): DiagnosisResult => {
  return { status: "Stuck", roots, notChecked: [] };
};

/** Reports no problems. */
const diagnoseNothing: DiagnoseJobSet = () => ({ ...diagnoseRoots(), status: "Progressing" });

/** Reports the first missing Pod of the JobSet, like a user who sees the denied followers. */
const diagnoseMissingFollowers: DiagnoseJobSet = (_, { namespace, name }) =>
  diagnoseRoots(root("followers-refused", [`JobSet/${namespace}/${name}`]));

/** Reports any Pod of the namespace without a node, even of another owner. */
const diagnoseUnscheduledPod: DiagnoseJobSet = ({ objects }, { namespace }) => {
  const pod = objects.find(
    (object) =>
      object.kind === "Pod" &&
      object.metadata.namespace === namespace &&
      JSON.stringify(object).includes("Unschedulable"),
  );
  if (pod === undefined)
    return diagnoseNothing({ objects, kinds: [], now: "" }, { namespace, name: "" });
  return diagnoseRoots(root("insufficient-capacity", [`Pod/${namespace}/${pod.metadata.name}`]));
};

describe("laws of diagnoses", () => {
  it.each([
    ["reports no problems", rootCauseComesFirst, diagnoseNothing],
    ["reports the denied followers as the cause", rootCauseComesFirst, diagnoseMissingFollowers],
    [
      "reports the denied followers as the cause",
      symptomsAreNotRootCauses,
      diagnoseMissingFollowers,
    ],
    ["reports no problems", statusMatchesRootCause, diagnoseNothing],
    ["blames Pods of others", healthyJobSetsHaveNoRootCause, diagnoseUnscheduledPod],
    ["reports no problems if nothing was read", unreadKindsLowerConfidence, diagnoseNothing],
    ["reports every cause as certain", unreadKindsLowerConfidence, diagnoseMissingFollowers],
  ])("the laws of diagnoses catch a subject that %s", (_, law, subject) => {
    expect(fc.check(law(subject), { numRuns: 500, seed: 1, endOnFailure: true }).failed).toBe(true);
  });

  it("the laws of diagnoses accept a diagnosis that knows the cause", () => {
    const cases = faultyClusters();
    const truths = new Map<string, DiagnosisResult>();
    const diagnoseFromTruth: DiagnoseJobSet = ({ objects }) =>
      truths.get(JSON.stringify(objects)) ?? diagnoseRoots();
    const known = cases.map((cluster) => {
      const { cause, objects, status } = cluster.truth;
      truths.set(JSON.stringify(cluster.objects), {
        ...diagnoseRoots(root(cause, objects)),
        status,
      });
      return cluster;
    });
    for (const law of [rootCauseComesFirst, symptomsAreNotRootCauses, statusMatchesRootCause]) {
      fc.assert(law(diagnoseFromTruth, { cases: known }), { numRuns: 20 });
    }
  });

  it("a violated law of diagnoses reports the cluster and the diagnosis", () => {
    const { counterexample, errorInstance } = fc.check(rootCauseComesFirst(diagnoseNothing), {
      seed: 1,
    });
    expect(fc.stringify(counterexample)).toMatch(/JobSet [a-z-]+\/[a-z0-9-]+: /);
    expect(`${errorInstance}`).toContain("nothing comes first, not ");
  });

  it("the laws of diagnoses hold if objects of causes exist or are missing", () => {
    const property = fc.property(faultyClusters({ unread: "none" }), ({ objects, truth }) => {
      const names = new Set(
        objects.map(({ kind, metadata: { namespace, name } }) =>
          namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`,
        ),
      );
      const absent = new Set([
        "node-unknown",
        "node-missing",
        "job-absent",
        "job-rejected",
        "local-queue-missing",
      ]);
      const unknown = truth.objects.filter((one) => !names.has(one));
      expect(truth.objects.length).toBeGreaterThan(0);
      if (!absent.has(truth.cause)) expect(unknown).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
