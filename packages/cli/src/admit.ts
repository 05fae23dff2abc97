import { renderExplanation } from "@jobset-ts/admission";
import type { CommandResult } from "./command.ts";
import { denialDiagnostics } from "./denial-diagnostics.ts";
import type { FilesAndClock } from "./input/sources.ts";
import type { AdmitOptions } from "./options.ts";
import { jsonArray } from "./output/json.ts";
import { type Cell, tableLines } from "./output/table.ts";
import { yamlDocuments } from "./output/yaml.ts";
import { type Review, reviewedObjects } from "./reviewed-objects.ts";

/** Prints whether a cluster would let the objects of some files in, and why not. */
export async function admit(options: AdmitOptions, files: FilesAndClock): Promise<CommandResult> {
  const { reviews, diagnostics, exitCode } = await reviewedObjects(options, files);
  switch (options.output) {
    case "table": {
      // In JSON and YAML, results carry their places themselves.
      const places = reviews.flatMap(({ denial, diagnose }) =>
        denial?.roots.some(({ fieldError }) => fieldError !== undefined)
          ? denialDiagnostics(denial, diagnose)
          : [],
      );
      return { output: tables(reviews), diagnostics: [...diagnostics, ...places], exitCode };
    }
    case "json":
      return { output: jsonResults(reviews), diagnostics, exitCode };
    case "yaml":
      return { output: yamlDocuments([{ results: reviews.map(resultOf) }]), diagnostics, exitCode };
  }
}

function* jsonResults(reviews: readonly Review[]): Generator<string, void, undefined> {
  yield '{\n  "results": ';
  yield* jsonArray(reviews.map(resultOf), "  ");
  yield "\n}\n";
}

/** What programs get of a review. */
function resultOf(review: Review) {
  const { object, operation, stage, denial } = review;
  const { roots = [], symptoms = [], unknown = [], transient = false } = denial ?? {};
  const { code = 200, reason = "", message = "" } = denial?.status ?? {};
  const told = (findings: typeof roots) => findings.map((finding) => findingOf(finding, review));
  return {
    object,
    operation,
    stage,
    allowed: denial === undefined,
    code,
    reason,
    message,
    roots: told(roots),
    symptoms: told(symptoms),
    unknown: told(unknown),
    transient,
  };
}

type Finding = NonNullable<Review["denial"]>["roots"][number];

function findingOf({ id, message, objects, evidence, fieldError }: Finding, review: Review) {
  const found = { id, message, objects, evidence };
  if (fieldError === undefined) return found;
  const { field } = fieldError;
  const { file, position } = review.diagnose(field, message);
  return { ...found, field, file, line: position?.line, column: position?.column };
}

const headings = ["OBJECT", "OPERATION", "STAGE", "VERDICT", "CODE", "ROOTCAUSE"];

function* tables(reviews: readonly Review[]): Generator<string, void, undefined> {
  yield* tableLines(headings, reviews.map(row));
  for (const review of reviews) yield* details(review);
}

/** Of a denied request: the chain from the root cause to what the client is told, and what else fails because of it. */
function* details({ object, denial, explanation }: Review): Generator<string, void, undefined> {
  if (denial === undefined || explanation === undefined) return;
  const { chain, masked, advice, waitingHelps } = explanation;
  yield `\n${object.kind} ${object.namespace}/${object.name}\n`;
  yield `${renderExplanation(explanation)}\n`.replaceAll(/^(?=.)/gm, "  ");
  for (const { kind, at, object, text } of chain.flatMap(({ evidence }) => evidence)) {
    const place = [kind, at, "of", object.kind, object.name || "under admission"];
    yield `  evidence: ${place.filter((part) => part !== undefined).join(" ")}: ${text}\n`;
  }
  const told = new Set(chain.map(({ text }) => text));
  for (const { message } of denial.symptoms) {
    if (!told.has(message)) yield `  symptom: ${message}\n`;
  }
  if (masked !== undefined) yield "  masked: the client is told of a symptom, not of its cause\n";
  for (const one of advice) yield `  advice: ${one}\n`;
  yield `  waiting: ${waitingHelps ? "may help" : "does not help"}\n`;
}

function row({ object, operation, stage, denial, explanation }: Review): readonly Cell[] {
  const name = `${object.kind}/${object.namespace}/${object.name}`;
  return denial === undefined
    ? [name, operation, stage, "allowed", 200, undefined]
    : [name, operation, stage, "denied", denial.status.code, explanation?.root.id];
}
