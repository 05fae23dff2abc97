import { type Denial, type Explanation, renderExplanation } from "@jobset-ts/admission";
import { escapeLine, truncate } from "../../output/escape.ts";

/** The maximum number of lines in each part of a denial. The others are counted. */
const MAX_SHOWN = 20;
/** The maximum number of characters of a line, because a denied value may be a whole Pod template. */
const MAX_LINE = 400;

/**
 * Explains a denial for a terminal: the chain from the root cause to the client's message, the evidence, other effects,
 * and advice.
 */
export function formatDenial(denial: Denial, explanation: Explanation): readonly string[] {
  const { chain, masked, advice, transient } = explanation;
  const shown = new Set(chain.map(({ text }) => text));
  const symptoms = denial.symptoms.map(({ message }) => message).filter((text) => !shown.has(text));
  return [
    ...formatChain(explanation, denial),
    ...limitLines(listEvidence(explanation).map((text) => `evidence: ${text}`)),
    ...limitLines(symptoms.map((text) => `symptom: ${text}`)),
    ...(masked === undefined ? [] : ["masked: the message names a symptom, not the root cause"]),
    ...limitLines(advice.map((text) => `advice: ${text}`)),
    `waiting: ${transient ? "may help" : "does not help"}`,
  ].map((line) => truncate(escapeLine(line), MAX_LINE));
}

/** Returns whether a denial contains only field errors, which are printed as diagnostics. */
export function isFieldsError({ roots, unknown }: Denial): boolean {
  return unknown.length === 0 && roots.every(({ fieldError }) => fieldError !== undefined);
}

/**
 * Returns the chain from the root cause to the client's message. If there are several roots, they are listed one below
 * the other. Denied fields are omitted, because diagnostics show them. The client's message is omitted if it only
 * repeats the previous link.
 */
export function formatChain(
  { chain }: Pick<Explanation, "chain">,
  { roots, omitted = 0 }: Pick<Denial, "roots" | "omitted">,
): readonly string[] {
  const ofFields = roots.filter(({ fieldError }) => fieldError !== undefined);
  const diagnosed = new Set(ofFields.map(({ message }) => message));
  const links = chain.slice(0, -1).filter(({ text }) => !diagnosed.has(text));
  const last = chain.slice(-1).filter(({ text }) => links.at(-1)?.text.endsWith(text) !== true);
  const shown = [...links.slice(0, MAX_SHOWN), ...last];
  const lines = renderExplanation({ chain: shown }).split("\n");
  const left = Math.max(links.length - MAX_SHOWN, 0) + omitted;
  return [...lines, ...(left > 0 ? [formatMore(left)] : [])].map((line) =>
    truncate(escapeLine(line), MAX_LINE),
  );
}

/** Returns the evidence that adds information to its statement. */
function listEvidence({ chain }: Explanation): readonly string[] {
  return chain.flatMap(({ text: statement, evidence }) =>
    evidence
      .filter(({ at, text }) => statement !== `${at}: ${text}`)
      .map(({ kind, at, object, text }) => {
        const place = [kind.toLowerCase(), at, "of", object.kind, object.name || "under admission"];
        return `${place.filter((part) => part !== undefined).join(" ")}: ${text}`;
      }),
  );
}

function limitLines(lines: readonly string[]): readonly string[] {
  const left = lines.length - MAX_SHOWN;
  return left > 0 ? [...lines.slice(0, MAX_SHOWN), formatMore(left)] : lines;
}

function formatMore(count: number): string {
  return `… and ${count.toLocaleString("en")} more`;
}
