import type { EpochMillis } from "@jobset-ts/api";
import { toSingleLine } from "@jobset-ts/api/text";
import type { Diagnosis } from "../engine/diagnose.ts";
import type { DiagnosisChain, DiagnosisFinding } from "../engine/report-findings.ts";
import { createRef } from "./diagnosis-data.ts";
import { formatDuration } from "./duration.ts";

/** A line of a rendered diagnosis, with its role for terminal styling. */
export interface DiagnosisLine {
  /** The kind of line: the JobSet with its status, a root cause, a consequence, advice, or additional information. */
  readonly role: "Heading" | "Root" | "Symptom" | "Advice" | "Note";
  readonly text: string;
}

/** The maximum number of roots in the text. The others are counted. */
const MAX_ROOTS = 20;

/**
 * Renders a diagnosis as lines for a terminal: each root cause with its chain to the symptom, and advice.
 *
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } };
 * renderDiagnosis(diagnose(createSnapshot([jobSet], { kinds: "all" }), jobSet, createContext({ now: 0 }))).map(({ text }) => text) // => ["ml/train: waiting", "JobSet is suspended", "    set `spec.suspend` to false to start it"]
 */
export function renderDiagnosis(diagnosis: Diagnosis): readonly DiagnosisLine[] {
  const { jobSet, status, chains, notChecked, notes, contradictions } = diagnosis;
  const lines: DiagnosisLine[] = [
    {
      role: "Heading",
      text: toSingleLine(`${jobSet.namespace}/${jobSet.name}: ${status.toLowerCase()}`),
    },
    ...chains.slice(0, MAX_ROOTS).flatMap((chain) => chainLines(chain, diagnosis.now)),
  ];
  const add = (text: string) => lines.push({ role: "Note", text: toSingleLine(text) });
  const hidden = chains.length - MAX_ROOTS;
  if (hidden > 0) add(`… and ${hidden} more`);
  for (const note of notes) add(`note: ${note}`);
  for (const contradiction of contradictions) add(`contradiction: ${contradiction}`);
  for (const [kind, ids] of uncheckedByKind(notChecked))
    add(`${kind} were not read, so not checked: ${ids}`);
  return lines;
}

function chainLines({ links }: DiagnosisChain, now: EpochMillis): readonly DiagnosisLine[] {
  const lines = links.map(
    (link, at): DiagnosisLine => ({
      role: at === 0 ? "Root" : "Symptom",
      text: `${branch(at)}${toSingleLine(formatMessage(link))}${at === 0 ? formatAge(link, now) : ""}`,
    }),
  );
  const advice = links[0]?.texts?.advice ?? [];
  return [
    ...lines,
    ...advice.map((text): DiagnosisLine => ({ role: "Advice", text: `    ${text}` })),
  ];
}

/** Returns since when a root fails, such as `, for 3 h 12 min`. Empty if that is unknown or just now. */
function formatAge({ since }: DiagnosisFinding, now: EpochMillis): string {
  const seconds = since === undefined ? 0 : Math.floor((now - since) / 1000);
  return seconds > 0 ? `, for ${formatDuration(seconds)}` : "";
}

function branch(depth: number): string {
  return depth === 0 ? "" : `${"    ".repeat(depth)}└── `;
}

function formatMessage({ message, confidence, mayBeCausedBy = [] }: DiagnosisFinding): string {
  if (confidence === "Certain") return message;
  const isBehindUnread = mayBeCausedBy.length > 0;
  const reservation = isBehindUnread
    ? "the cause may be in objects that were not read"
    : "the lists may be from different times";
  return `${message} (${reservation})`;
}

/**
 * Renders a diagnosis as Markdown for an issue or a chat: root causes with evidence, then their consequences.
 *
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const suspended = { type: "Suspended", status: "True" };
 * const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata: { name: "train", namespace: "ml", uid: "u" }, spec: { suspend: true }, status: { conditions: [suspended] } };
 * renderDiagnosisMarkdown(diagnose(createSnapshot([jobSet], { kinds: "all" }), jobSet, createContext({ now: 0 }))).split("\n")[0] // => "### `ml/train`: waiting"
 */
export function renderDiagnosisMarkdown(diagnosis: Diagnosis): string {
  const { jobSet, status, chains, notChecked, notes, contradictions } = diagnosis;
  const lines = [`### ${code(`${jobSet.namespace}/${jobSet.name}`)}: ${status.toLowerCase()}`, ""];
  for (const { links } of chains.slice(0, MAX_ROOTS)) {
    const [root] = links;
    if (root === undefined) continue;
    lines.push(`**Root cause**: ${code(root.message)}${formatAge(root, diagnosis.now)}`, "");
    for (const { object, at = "", text } of root.evidence.slice(0, MAX_EVIDENCE)) {
      lines.push(`- ${code([createRef(object), at].filter(Boolean).join(" "))}: ${code(text)}`);
    }
    for (const [depth, link] of links.slice(1).entries()) {
      lines.push(`${"  ".repeat(depth)}- leads to ${code(link.message)}`);
    }
    for (const advice of root.texts?.advice ?? []) lines.push("", `What helps: ${advice}.`);
    lines.push("");
  }
  const hidden = chains.length - MAX_ROOTS;
  if (hidden > 0) lines.push(`… and ${hidden} more root causes`, "");
  for (const note of notes) lines.push(`Note: ${note}`, "");
  for (const contradiction of contradictions)
    lines.push(`Contradiction: ${code(contradiction)}`, "");
  for (const [kind, ids] of uncheckedByKind(notChecked))
    lines.push(`${code(kind)} were not read, so not checked: ${ids}`, "");
  return lines.join("\n");
}

/** Groups the checks that did not run by the kind that was not read. JSON has all IDs, and the text has a few. */
function uncheckedByKind(
  notChecked: Diagnosis["notChecked"],
): readonly (readonly [string, string])[] {
  const idsByKind = new Map<string, string[]>();
  for (const one of notChecked) {
    const [id = "", kind = ""] = one.split(":");
    idsByKind.set(kind, [...(idsByKind.get(kind) ?? []), id]);
  }
  return [...idsByKind].map(([kind, ids]) => {
    const left = ids.length - MAX_UNCHECKED;
    const listed = ids.slice(0, MAX_UNCHECKED).join(", ");
    return [kind, left > 0 ? `${listed} and ${left} more` : listed];
  });
}

const MAX_EVIDENCE = 5;
const MAX_UNCHECKED = 5;

/** Quotes text from the cluster as code, with a longer run of backticks than the text contains. */
function code(text: string): string {
  const line = toSingleLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = longest > 0 ? " " : "";
  return line === "" ? "(empty)" : `${fence}${padding}${line}${padding}${fence}`;
}
