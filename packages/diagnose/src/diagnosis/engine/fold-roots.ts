import type { LocatedFinding } from "./located-finding.ts";
import type { DiagnosisFinding } from "./report-findings.ts";
import { compareStatus } from "./status.ts";

/**
 * Groups roots that have one cause: the same group, or the same ID and message, apart from names of Pods, Jobs and nodes, UIDs and
 * addresses. A group starts with its most serious root.
 *
 * @param roots - indexes of `held`
 * @returns groups in the order of their first roots
 */
export function foldRoots(
  roots: readonly number[],
  failures: readonly LocatedFinding[],
  jobSetName: string,
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  const withoutNames = createNameRemover(jobSetName);
  for (const root of roots) {
    const found = failures[root];
    if (found === undefined) continue;
    const { id, group } = found.finding;
    const key = group === undefined ? `${id}/${withoutNames(found)}` : withoutNames(found);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [root]);
    else known.push(root);
  }
  const bySeverity = (one: number, other: number) => compareStatus(failures[one], failures[other]);
  return [...groups.values()].map((group) => (group.length === 1 ? group : group.sort(bySeverity)));
}

/** UIDs, addresses, the IDs of containers and sandboxes, and the names of token volumes. */
const identifiers =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{0,4}\b|\b(?=[a-f]*\d)[0-9a-f]{12,}\b|\bkube-api-access-\w+/gi;

/**
 * Most texts are equal after the name of the Pod is removed, so the other replacements run once for
 * each text.
 */
function createNameRemover(jobSetName: string): (found: LocatedFinding) => string {
  const done = new Map<string, string>();
  const [start, middle] = [`${jobSetName}-`, `-${jobSetName}-`];
  return ({ finding: { message, group }, at: { pod } }) => {
    const podName = pod?.name ?? "";
    const whole = group ?? message;
    const text = podName === "" ? whole : whole.replaceAll(podName, "*");
    const key = `${pod?.nodeName ?? ""} ${text}`;
    const known = done.get(key);
    if (known !== undefined) return known;
    const isName = (word: string) =>
      word === pod?.nodeName || word.startsWith(start) || word.includes(middle);
    const anonymous = text.replace(identifiers, "*");
    // A group says which names matter.
    const result =
      group === undefined
        ? anonymous.replace(/[\w.-]+/g, (word) => (isName(word) ? "*" : word))
        : anonymous;
    done.set(key, result);
    return result;
  };
}

const MAX_OBJECTS = 100;

/** Merges the findings of a group: the first two with their evidence, a count, and all objects. */
export function mergeFindings(
  first: DiagnosisFinding,
  others: readonly LocatedFinding[],
  redact: (evidence: DiagnosisFinding["evidence"]) => DiagnosisFinding["evidence"],
): DiagnosisFinding {
  const [second] = others;
  if (second === undefined) return first;
  const objects = new Map(first.objects.map((object) => [formatKey(object), object]));
  for (const { finding } of others) {
    if (objects.size >= MAX_OBJECTS) break;
    for (const object of finding.objects) objects.set(formatKey(object), object);
  }
  const starts = others.flatMap(({ finding }) => finding.since ?? []);
  const since = starts.reduce((one, other) => Math.min(one, other), first.since ?? Infinity);
  const example = second.at.pod?.name ?? second.at.job?.name ?? second.finding.objects[0]?.name;
  const named = example === undefined ? "" : `${others.length > 1 ? ", such as" : ":"} ${example}`;
  // Larger groups do not list all their objects.
  const total = others.length < MAX_OBJECTS ? "" : ` (${others.length + 1} in total)`;
  return {
    ...first,
    message: `${first.message} … and ${others.length} more${total}${named}`,
    count: others.length + 1,
    ...(Number.isFinite(since) && { since }),
    objects: [...objects.values()].slice(0, MAX_OBJECTS),
    evidence: [...first.evidence, ...redact(second.finding.evidence)],
  };
}

function formatKey({ kind, namespace, name }: DiagnosisFinding["objects"][number]): string {
  return `${kind}/${namespace}/${name}`;
}
