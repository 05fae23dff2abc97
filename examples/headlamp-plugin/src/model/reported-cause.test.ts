import type { Diagnosis, DiagnosisChain, DiagnosisFinding } from "@jobset-ts/diagnose";
import { describe, expect, it } from "vitest";
import { listReportedCauses } from "./reported-cause.ts";

const pod = { apiVersion: "v1", kind: "Pod", namespace: "ml", name: "a" };
const node = { apiVersion: "v1", kind: "Node", namespace: "", name: "n1" };

function finding(
  id: DiagnosisFinding["id"],
  message: string,
  more: Partial<DiagnosisFinding> = {},
): DiagnosisFinding {
  return {
    id,
    message,
    outcome: "Fail",
    objects: [pod],
    evidence: [],
    transient: false,
    causedBy: [],
    confidence: "Certain",
    ...more,
  };
}

function listShownCauses(...chains: readonly DiagnosisChain[]) {
  const nothing = { roots: [], symptoms: [], notChecked: [], notes: [], contradictions: [] };
  return listReportedCauses({ ...nothing, chains } as unknown as Diagnosis);
}

const root = finding("insufficient-capacity", "no node", {
  texts: { advice: ["add nodes", "add nodes"] },
});
const symptom = finding("leader-unscheduled", "leader a\nhas no node", {
  confidence: "SkewPossible",
});

describe("a reported root cause", () => {
  it("a cause is shown with its ordered chain, and with its advice once", () => {
    const { causes, hiddenCount } = listShownCauses({ links: [root, symptom], alsoExplains: [] });
    expect(causes).toEqual([
      {
        number: 1,
        chain: [
          { id: "insufficient-capacity", text: "no node", isDoubtful: false, evidence: [] },
          {
            id: "leader-unscheduled",
            text: "leader a has no node",
            isDoubtful: true,
            evidence: [],
          },
        ],
        besides: [],
        mayBeCausedBy: [],
        advice: ["add nodes"],
      },
    ]);
    expect(hiddenCount).toBe(0);
  });

  it("a cause is shown with five distinct lines of evidence and the number of the others", () => {
    const evidence = [1, 1, 2, 3, 4, 5, 6].map(
      (at) => ({ kind: "Event", object: pod, at: "FailedCreate", text: `message ${at}` }) as const,
    );
    const [cause] = listShownCauses({ links: [{ ...root, evidence }], alsoExplains: [] }).causes;
    expect(cause?.chain[0]?.evidence).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => `Pod ml/a FailedCreate: message ${at}`),
      "… and 1 more",
    ]);
  });

  it("a cause is shown with the unknown findings that may cause it", () => {
    const doubtful = { ...root, mayBeCausedBy: ["service-missing"] as const };
    const [cause] = listShownCauses({ links: [doubtful], alsoExplains: [] }).causes;
    expect(cause?.mayBeCausedBy).toEqual(["service-missing"]);
  });

  it("a cluster-scoped object is shown without a namespace", () => {
    const evidence = [{ kind: "Absence", object: node, text: "is not there" }] as const;
    const [cause] = listShownCauses({ links: [{ ...root, evidence }], alsoExplains: [] }).causes;
    expect(cause?.chain[0]?.evidence).toEqual(["Node n1: is not there"]);
  });

  it("similar consequences are merged, and kinds of consequences beyond six are counted", () => {
    const alike = ["x", "y", "z"].map((name) => finding("job-absent", `job ${name}`));
    const ids = ["a", "b", "c", "d", "e", "f", "g"] as unknown as DiagnosisFinding["id"][];
    const others = ids.map((id) => finding(id, id));
    const [cause] = listShownCauses({ links: [root], alsoExplains: [...alike, ...others] }).causes;
    expect(cause?.besides.map(({ text }) => text)).toEqual([
      "job x … and 2 more",
      ..."abcde",
      "… and 2 more findings",
    ]);
  });

  it("twenty causes are shown, and the others are counted", () => {
    const chains = Array.from({ length: 23 }, () => ({ links: [root], alsoExplains: [] }));
    const { causes, hiddenCount } = listShownCauses(...chains);
    expect(causes.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    expect(hiddenCount).toBe(3);
  });
});
