import type { Diagnosis, DiagnosisChain, DiagnosisFinding } from "@jobset-ts/diagnose";
import { printable } from "./printable.ts";

/** A root cause with its effects, as the view shows it. */
export interface ReportedCause {
  /** The number, starting at one. */
  readonly number: number;
  /** From the root cause to the last symptom. Each finding causes the next one. */
  readonly chain: readonly ReportedFinding[];
  /** The other effects of the root cause, direct or indirect. Similar findings are merged. */
  readonly besides: readonly ReportedFinding[];
  /** The checks that could not run and may explain the root cause. */
  readonly mayBeCausedBy: readonly string[];
  /** The advice. */
  readonly advice: readonly string[];
}

/** One finding. */
export interface ReportedFinding {
  /** The ID of the check, such as `insufficient-capacity`. */
  readonly id: string;
  readonly text: string;
  /** Whether its objects may have been listed at different times. */
  readonly isDoubtful: boolean;
  /** The facts that show the finding, one per line. */
  readonly evidence: readonly string[];
}

/** The maximum number of root causes, lines of evidence for each, and other effects. */
const [MAX_CAUSES, MAX_EVIDENCE, MAX_BESIDES] = [20, 5, 6];

/** Returns the root causes of a diagnosis to show, and the number of the others. */
export function listReportedCauses({ chains }: Diagnosis): {
  readonly causes: readonly ReportedCause[];
  readonly hiddenCount: number;
} {
  const causes = chains.slice(0, MAX_CAUSES).map(createReportedCause);
  return { causes, hiddenCount: chains.length - causes.length };
}

function createReportedCause({ links, alsoExplains }: DiagnosisChain, at: number): ReportedCause {
  return {
    number: at + 1,
    chain: links.map((link) => createReportedFinding(link)),
    besides: listOtherEffects(alsoExplains),
    mayBeCausedBy: links[0]?.mayBeCausedBy ?? [],
    advice: [...new Set(links[0]?.texts?.advice)],
  };
}

function listOtherEffects(findings: readonly DiagnosisFinding[]): readonly ReportedFinding[] {
  const byId = new Map<string, DiagnosisFinding[]>();
  for (const finding of findings) {
    const same = byId.get(finding.id);
    if (same === undefined) byId.set(finding.id, [finding]);
    else same.push(finding);
  }
  const alike = [...byId.values()];
  const reports = alike.slice(0, MAX_BESIDES).flatMap(([first, ...others]) => {
    return first === undefined ? [] : [createReportedFinding(first, others.length)];
  });
  const hidden = alike.slice(MAX_BESIDES).flat().length;
  return hidden === 0 ? reports : [...reports, more(hidden)];
}

function createReportedFinding(
  { id, message, confidence, evidence }: DiagnosisFinding,
  othersCount = 0,
): ReportedFinding {
  const others = othersCount === 0 ? "" : ` … and ${othersCount} more`;
  const lines = new Set(evidence.map(evidenceLine));
  const shown = [...lines].slice(0, MAX_EVIDENCE);
  const left = lines.size - shown.length;
  return {
    id,
    text: printable(`${message}${others}`),
    isDoubtful: confidence === "SkewPossible",
    evidence: left === 0 ? shown : [...shown, `… and ${left} more`],
  };
}

/** Formats evidence as `<kind> <namespace>/<name> <field>: <text>`. */
function evidenceLine({ object, at, text }: DiagnosisFinding["evidence"][number]): string {
  const { kind, namespace, name } = object;
  const place = [kind, namespace === "" ? name : `${namespace}/${name}`, at].filter(Boolean);
  return printable(`${place.join(" ")}: ${text}`);
}

function more(count: number): ReportedFinding {
  return { id: "more", text: `… and ${count} more findings`, isDoubtful: false, evidence: [] };
}
