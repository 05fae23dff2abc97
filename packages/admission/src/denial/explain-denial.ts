import { NO_FIELD } from "@jobset-ts/api/errors";
import { escapeUnprintable } from "@jobset-ts/api/text";
import type { Evidence, Finding } from "@jobset-ts/checks";
import type { ApiStatus } from "../api-status.ts";
import type { Denial } from "./denial.ts";

/** Why a request was denied, from the root cause to the message of the denial. Plain data. */
export interface Explanation<Id extends string = string> {
  /** The message of the denial. */
  readonly symptom: { readonly id: "denied"; readonly text: string };
  /** The root cause: the first root if there are several. */
  readonly root: { readonly id: string; readonly text: string };
  /** From the root cause to the symptom. Each step follows those in its `causedBy`. */
  readonly chain: readonly ExplanationStep[];
  /** Present only if the client saw a symptom: the reported check, and the root causes that it masked. */
  readonly masked?: { readonly reported: Id; readonly roots: readonly Id[] };
  readonly advice: readonly string[];
  /** Whether a retry may succeed without a change by the user. */
  readonly transient: boolean;
}

/** One statement and its causes. */
export interface ExplanationStep {
  readonly id: string;
  readonly text: string;
  /** The steps that cause this one. Empty for a root cause. */
  readonly causedBy: readonly string[];
  readonly evidence: readonly Evidence[];
}

/**
 * Explains a denial, from its message back to the root cause. All texts come from the findings.
 *
 * @param options.webhook - the webhook's name, for the text that a client sees. It depends on the installation of
 * JobSet: `vpod.kb.io` or `validate--v1-pod.x-k8s.io`. By default, only the message is shown
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const request = { operation: "CREATE", object: { spec: { managedBy: "" } } } as const;
 * const answer = validateJobSet(request, createSnapshot([]), createContext({ now: 0 }));
 * !answer.allowed && explainDenial(answer.denial).advice // => ["correct spec.managedBy"]
 */
export function explainDenial<Id extends string>(
  denial: Denial<Id>,
  options: { readonly webhook?: string } = {},
): Explanation<Id> {
  const findings = new Map<string, Finding<Id>>(
    [...denial.unknown, ...denial.symptoms, ...denial.roots].map((one) => [one.id, one]),
  );
  const shown = [...denial.roots, ...denial.symptoms, ...denial.unknown].find(
    ({ message }) => message === stripServerPrefix(denial.status.message),
  );
  const text = formatStatus(denial.status, options.webhook);
  const explained = shown === undefined ? withoutChains(denial) : findChainTo(shown, findings);
  const links = createLinks(explained);
  const last = shown === undefined ? links : links.slice(-1);
  const denied = { id: "denied", text, causedBy: unique(last.map(({ id }) => id)), evidence: [] };
  const roots = shown === undefined ? explained : explained.slice(0, 1);
  const masked = shown && findMaskedRoots(shown, findings);
  const [root = denied] = links;
  return {
    symptom: { id: "denied", text },
    root: { id: root.id, text: root.text },
    chain: [...links, denied],
    ...(masked && { masked }),
    advice: unique(roots.flatMap((finding) => collectAdvice(finding))),
    transient: denial.transient,
  };
}

/**
 * Renders the chain of an explanation as text: one line for each step, indented by four spaces per level of causes.
 *
 * @example
 * const text = renderExplanation({ chain: [
 *   { id: "leader-unscheduled", text: "leader w-0-0-x is Pending without a node", causedBy: [], evidence: [] },
 *   { id: "denied", text: "leader pod not yet scheduled", causedBy: ["leader-unscheduled"], evidence: [] },
 * ] });
 * text // => "leader w-0-0-x is Pending without a node\n    └── leader pod not yet scheduled"
 */
export function renderExplanation({ chain }: Pick<Explanation, "chain">): string {
  const depths = new Map<string, number>();
  return chain
    .map(({ id, text, causedBy }) => {
      const depth = Math.max(0, ...causedBy.map((cause) => 1 + (depths.get(cause) ?? 0)));
      depths.set(id, depth);
      return `${"    ".repeat(depth)}${depth > 0 ? "└── " : ""}${toOneLine(text)}`;
    })
    .join("\n");
}

/** The text that the API server puts before a webhook's message. */
const serversWords = /^admission webhook "[^"]*" denied the request: /;

function stripServerPrefix(message: string): string {
  return message.replace(serversWords, "");
}

/** Returns the text that a client sees for a denial: the message or, without one, the reason. */
function formatStatus({ message, reason }: ApiStatus, webhook: string | undefined): string {
  const text = message || reason;
  if (serversWords.test(message)) return message;
  if (webhook === undefined) return text || "denied without explanation";
  const start = `admission webhook "${webhook}" denied the request`;
  return text ? `${start}: ${text}` : `${start} without explanation`;
}

/**
 * If the client sees all roots at once, none of them masks another. A root that may be caused by a missing fact is not
 * certain.
 */
function withoutChains<Id extends string>({ roots, unknown }: Denial<Id>): readonly Finding<Id>[] {
  const certain = roots.filter(({ mayBeCausedBy }) => mayBeCausedBy === undefined);
  return certain.length > 0 ? certain : unknown;
}

/** Returns the chain from the root to a finding, following the nearest cause of each. */
function findChainTo<Id extends string>(
  shown: Finding<Id>,
  findings: ReadonlyMap<string, Finding<Id>>,
): readonly Finding<Id>[] {
  const path = new Set<Finding<Id>>();
  let at: Finding<Id> | undefined = shown;
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    const causes: readonly Id[] = [...at.causedBy, ...(at.mayBeCausedBy ?? [])];
    at = causes.map((id) => findings.get(id)).find((cause) => cause !== undefined);
  }
  return [...path].reverse();
}

function createLinks<Id extends string>(
  explained: readonly Finding<Id>[],
): readonly ExplanationStep[] {
  const links: ExplanationStep[] = [];
  for (const [index, finding] of explained.entries()) {
    const cause = explained[index - 1];
    const isChained = cause !== undefined && getCauses(finding).includes(cause.id);
    const between = finding.texts?.between;
    if (isChained && between?.causes.includes(cause.id)) {
      const { problem: id, statement: text } = between;
      links.push({ id, text, causedBy: listLastId(links), evidence: [] });
    }
    const causedBy = isChained ? listLastId(links) : [];
    links.push({ ...getStatement(finding), causedBy, evidence: finding.evidence });
  }
  return links;
}

function getCauses<Id extends string>({ causedBy, mayBeCausedBy = [] }: Finding<Id>) {
  return [...causedBy, ...mayBeCausedBy];
}

function listLastId(links: readonly ExplanationStep[]): readonly string[] {
  return links.slice(-1).map(({ id }) => id);
}

function getStatement({ id, outcome, message, statement = message, texts }: Finding) {
  return outcome === "Unknown"
    ? { id: `${id}-unknown`, text: `unknown: ${message}` }
    : { id: texts?.problem ?? id, text: statement };
}

function collectAdvice({ outcome, fieldError, texts }: Finding): readonly string[] {
  if (outcome === "Unknown")
    return ["make sure that the webhook can read the objects that it requires"];
  if (texts?.advice !== undefined) return texts.advice;
  const { field = NO_FIELD } = fieldError ?? {};
  return field === NO_FIELD ? [] : [`correct ${field}`];
}

/** Returns the roots that the reported finding masks: those that clients may see and that come before it. */
function findMaskedRoots<Id extends string>(
  shown: Finding<Id>,
  findings: ReadonlyMap<string, Finding<Id>>,
): Explanation<Id>["masked"] {
  const isVisible = (id: Id) => findings.get(id)?.texts?.isBehind !== true;
  const roots = shown.causedBy.filter(isVisible).filter((id) => {
    const causes = findings.get(id)?.causedBy ?? [];
    return !causes.some(isVisible);
  });
  return roots.length > 0 ? { reported: shown.id, roots } : undefined;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function toOneLine(text: string): string {
  const lines = text.split(/[\r\n\v\f\u0085\u2028\u2029]+/).map((line) => line.trim());
  return escapeUnprintable(lines.filter((line) => line !== "").join(" "));
}
