import { denialDiagnostics } from "../admission/denial-diagnostics.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { printable } from "../output/printable.ts";
import { reported, resourceNames } from "../output/report.ts";
import { type Cell, tableLines } from "../output/table.ts";
import { denialLines, isFieldsError } from "./reviews/denial-lines.ts";
import type { Review } from "./reviews/review.ts";
import { reviewResult } from "./reviews/review-result.ts";
import { type AdmitOptions, reviewedObjects } from "./reviews/reviewed-objects.ts";

/** Prints whether a cluster would let the objects of some files in, and why not. */
export async function admit(options: AdmitOptions, files: FilesAndCluster): Promise<CommandResult> {
  const { reviews, diagnostics, exitCode } = await reviewedObjects(options, files);
  const report = {
    items: listResults(reviews),
    table: tables(reviews),
    // What would be there, so that it can be handed on.
    names: resourceNames(reviews.flatMap(({ object, denied }) => (denied ? [] : [object]))),
    diagnostics: [...diagnostics, ...reviews.flatMap(refusedFields)],
    exitCode,
  };
  return reported(report, options.output);
}

/** Where the refused fields stand; a denial that is about the cluster is about no place in a file. */
function refusedFields({ denied, diagnose }: Review) {
  const hasFields = denied?.denial.roots.some(({ fieldError }) => fieldError !== undefined);
  return denied !== undefined && hasFields ? denialDiagnostics(denied.denial, diagnose) : [];
}

/** Lazy: a result of many refused fields is large, and need not be in memory with the others. */
function* listResults(reviews: readonly Review[]): Generator<object, void, undefined> {
  for (const review of reviews) yield reviewResult(review);
}

const headings = ["OBJECT", "OPERATION", "STAGE", "OUTCOME", "CODE", "ROOTCAUSE"];

function* tables(reviews: readonly Review[]): Generator<string, void, undefined> {
  yield* tableLines(headings, reviews.map(row));
  for (const { object, denied } of reviews) {
    if (denied === undefined || isFieldsError(denied.denial)) continue;
    yield `\n${printable(`${object.kind} ${nameIn(object)}`)}\n`;
    for (const line of denialLines(denied.denial, denied.explanation)) yield `  ${line}\n`;
  }
}

function row({ object, operation, stage, denied }: Review): readonly Cell[] {
  const name = `${object.kind}/${nameIn(object)}`;
  return denied === undefined
    ? [name, operation, stage, "allowed", 200, undefined]
    : [name, operation, stage, "denied", denied.denial.status.code, denied.explanation.root.id];
}

function nameIn({ namespace, name }: Review["object"]): string {
  return `${namespace}/${name || "<none>"}`;
}
