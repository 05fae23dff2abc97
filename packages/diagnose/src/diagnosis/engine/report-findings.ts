import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import { buildCausalGraph, type Finding } from "@jobset-ts/checks";
import type { DiagnosisExtension } from "../checks/extension.ts";
import type { FindingId } from "../checks/finding-ids.ts";
import type { JobSetView } from "../view/jobset-view.ts";
import { memoize } from "../view/memoize.ts";
import { listCauses } from "./causes.ts";
import type { JobSetFindings } from "./find.ts";
import { foldRoots, mergeFindings } from "./fold-roots.ts";
import type { LocatedFinding } from "./located-finding.ts";
import { sortRoots } from "./status.ts";

/**
 * A problem of a JobSet or of one of its parts. See `Finding` of the check engine for the members that denials share.
 */
export interface DiagnosisFinding extends Finding<FindingId> {
  /**
   * `SkewPossible` if an object refers to a missing one, because lists are read one after the other, or if an unread
   * object may be the cause.
   */
  readonly confidence: "Certain" | "SkewPossible";
  /** The number of equal findings that are merged into this one. Absent for one. */
  readonly count?: number;
  /** The Job of the finding or of its Pod. */
  readonly job?: string;
  /** The Pod of the finding, or the first of several. */
  readonly pod?: string;
}

/** The consequences of a root cause. */
export interface DiagnosisChain {
  /** From the root to the symptom. Each finding causes the next. */
  readonly links: readonly DiagnosisFinding[];
  /** Other findings that the root causes, at most 100. */
  readonly alsoExplains: readonly DiagnosisFinding[];
}

interface ReportedRoot {
  readonly finding: DiagnosisFinding;
  readonly first: LocatedFinding;
}

/**
 * Separates roots from symptoms, and builds the chain of each root.
 *
 * @param failures - the failed findings, in report order
 * @param isCertain - `false` if all findings are uncertain
 */
export function reportFindings({
  view,
  failures,
  inJobSet,
  isCertain,
  more,
}: {
  readonly view: JobSetView;
  readonly failures: readonly LocatedFinding[];
  readonly inJobSet: JobSetFindings;
  readonly isCertain: boolean;
  readonly more: readonly DiagnosisExtension[];
}) {
  const causesOf = listCauses(inJobSet);
  const linked = linkFailures(failures, causesOf, inJobSet.found.length);
  const hasUnanswered = failures.length < inJobSet.found.length;
  const redactor = createFindingRedactor(view, failures);
  const report = (found: LocatedFinding, index: number): DiagnosisFinding => {
    const causedBy = distinctIds((linked.causes[index] ?? []).map((at) => failures[at]));
    const mayBe = causedBy.length > 0 || !hasUnanswered ? [] : causesOf(found).filter(isUnknown);
    const isTrusted = isCertain && mayBe.length === 0 && !refersToMissingObject(found);
    return reportFinding(found, causedBy, distinctIds(mayBe), { isTrusted, redactor });
  };
  const ended = listCausesOfFailure(failures, linked.causes);
  const roots = linked.roots.filter((root) => isReported(root, linked.effects, failures, more));
  const folded = sortRoots(foldRoots(roots, failures, view.name), {
    foundOf: ([first = -1]) => failures[first],
    endsIt: (group) => group.some((root) => ended.has(root)),
  });
  const reported = folded.flatMap((group): readonly ReportedRoot[] => {
    const [first = -1, ...others] = group;
    const found = failures[first];
    if (found === undefined) return [];
    const merged = mergeFindings(
      report(found, first),
      others.flatMap((at) => failures[at] ?? []),
      redactor.redactEvidence,
    );
    return [{ first: found, finding: adviseOn(merged, view, more) }];
  });
  const isRoot = new Set(linked.roots);
  // A root has no cause, so only its own chain contains it.
  const symptoms = failures.map((found, index) =>
    isRoot.has(index) ? undefined : report(found, index),
  );
  const symptomAt = (index: number) => symptoms[index] ?? [];
  const chains = folded.map((group, at): DiagnosisChain => {
    const [first = -1] = group;
    const indexesInChain = linked.chainFrom(first);
    const links = [
      ...(reported[at] === undefined ? [] : [reported[at].finding]),
      ...indexesInChain.flatMap(symptomAt),
    ];
    const others = listReachable(group, linked.effects, new Set(indexesInChain));
    return { links, alsoExplains: others.flatMap(symptomAt) };
  });
  return { roots: reported, symptoms: symptoms.filter((symptom) => symptom !== undefined), chains };
}

/** Links the failed findings to their failed causes. */
function linkFailures(
  failures: readonly LocatedFinding[],
  causesOf: ReturnType<typeof listCauses>,
  findingCount: number,
) {
  // Only failed findings have an index.
  const indexes = new Array<number>(findingCount).fill(-1);
  for (const [index, { number }] of failures.entries()) indexes[number] = index;
  return buildCausalGraph(failures.length, (index) => {
    const found = failures[index];
    return found === undefined ? [] : causesOf(found).map(({ number }) => indexes[number] ?? -1);
  });
}

function isReported(
  root: number,
  effects: readonly (readonly number[])[],
  failures: readonly LocatedFinding[],
  more: readonly DiagnosisExtension[],
): boolean {
  const id = failures[root]?.finding.id;
  if ((effects[root]?.length ?? 0) > 0) return true;
  return !more.some(({ onlyAsCause = [] }) => onlyAsCause.some((one) => one === id));
}

function adviseOn(
  root: DiagnosisFinding,
  view: JobSetView,
  more: readonly DiagnosisExtension[],
): DiagnosisFinding {
  const before = root.texts?.advice ?? [];
  const advice = more.reduce((so, { advise }) => advise?.(view, root, so) ?? so, before);
  return advice === before ? root : { ...root, texts: { ...root.texts, advice } };
}

interface FindingRedactor extends Pick<Redactor, "redactText"> {
  redactEvidence(evidence: DiagnosisFinding["evidence"]): DiagnosisFinding["evidence"];
}

/**
 * Returns functions that remove values of the JobSet and its Pods from quoted messages of kubelets, API servers and
 * webhooks. Pods mostly share the values of the JobSet, so reading a hundred Pods is enough.
 */
function createFindingRedactor(
  { jobSet }: JobSetView,
  failures: readonly LocatedFinding[],
): FindingRedactor {
  const { redactObject, redactText } = createRedactor();
  // Without findings, there is nothing to redact.
  if (failures.length > 0) redactObject(jobSet);
  const parts = new Set<object>();
  for (const { at } of failures) {
    if (parts.size >= MAX_PARTS) break;
    for (const part of [at.job?.job, at.pod?.pod]) if (part !== undefined) parts.add(part);
  }
  for (const part of parts) redactObject(part);
  // Unlike messages, the evidence of many Pods has the same text.
  const redactOnce = memoize(redactText);
  const redactEvidence = (evidence: DiagnosisFinding["evidence"]) => {
    const isChanged = evidence.some(({ text }) => redactOnce(text) !== text);
    return isChanged ? evidence.map((one) => ({ ...one, text: redactOnce(one.text) })) : evidence;
  };
  return { redactText, redactEvidence };
}

/** The members are assigned one by one. Spreading tens of thousands of findings would take most of the time. */
function reportFinding(
  { finding, at: { job, pod } }: LocatedFinding,
  causedBy: readonly FindingId[],
  mayBeCausedBy: readonly FindingId[],
  { isTrusted, redactor }: { readonly isTrusted: boolean; readonly redactor: FindingRedactor },
): DiagnosisFinding {
  const { id, outcome, message, objects, evidence, transient, texts, since } = finding;
  const reported: { -readonly [Member in keyof DiagnosisFinding]: DiagnosisFinding[Member] } = {
    id,
    outcome,
    message: redactor.redactText(message),
    objects,
    evidence: redactor.redactEvidence(evidence),
    transient,
    causedBy,
    confidence: isTrusted ? "Certain" : "SkewPossible",
  };
  if (texts !== undefined) reported.texts = texts;
  if (since !== undefined) reported.since = since;
  if (finding.status !== undefined) reported.status = finding.status;
  if (mayBeCausedBy.length > 0) reported.mayBeCausedBy = mayBeCausedBy;
  if (job !== undefined) reported.job = job.name;
  if (pod !== undefined) reported.pod = pod.name;
  return reported;
}

function distinctIds(found: readonly (LocatedFinding | undefined)[]): readonly FindingId[] {
  const ids: FindingId[] = [];
  for (const one of found) {
    if (one !== undefined && !ids.includes(one.finding.id)) ids.push(one.finding.id);
  }
  return ids;
}

function isUnknown({ finding }: LocatedFinding): boolean {
  return finding.outcome === "Unknown";
}

/** Reports whether a finding depends on an object that refers to a missing one. */
function refersToMissingObject({ finding, at }: LocatedFinding): boolean {
  return finding.id === "node-unknown" || at.job?.isDangling === true;
}

/** Returns the indexes of the findings that caused the JobSet to fail, directly or indirectly. */
function listCausesOfFailure(
  failures: readonly LocatedFinding[],
  causes: readonly (readonly number[])[],
): ReadonlySet<number> {
  const ended = new Set<number>();
  for (const [at, { finding }] of failures.entries()) {
    if (finding.id === "restarts-exhausted" || finding.id === "jobset-failed") ended.add(at);
  }
  // A loop over a set also visits elements that are added meanwhile.
  for (const at of ended) for (const cause of causes[at] ?? []) ended.add(cause);
  return ended;
}

const MAX_PARTS = 100;
const MAX_EXPLAINED = 100;

function listReachable(
  from: readonly number[],
  effects: readonly (readonly number[])[],
  inChain: ReadonlySet<number>,
): readonly number[] {
  const seen = new Set(from);
  const queue = [...from];
  const others: number[] = [];
  for (let at = 0; at < queue.length && others.length < MAX_EXPLAINED; at++) {
    for (const effect of effects[queue[at] ?? -1] ?? []) {
      if (seen.has(effect)) continue;
      seen.add(effect);
      queue.push(effect);
      if (!inChain.has(effect)) others.push(effect);
    }
  }
  return others.slice(0, MAX_EXPLAINED).sort((one, other) => one - other);
}
