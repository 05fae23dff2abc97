import { toDiagnostics } from "../admission/denial-diagnostics.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { escapeLine } from "../output/escape.ts";
import { formatReport, formatResourceNames } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { formatDenial, isFieldsError } from "./reviews/denial-lines.ts";
import type { Review } from "./reviews/review.ts";
import { type AdmitOptions, reviewObjects } from "./reviews/review-objects.ts";
import { toReviewResult } from "./reviews/review-result.ts";

/** Prints whether a cluster would admit the objects of some files, and the reasons for denials. */
export async function admit(options: AdmitOptions, files: FilesAndCluster): Promise<CommandResult> {
  const { reviews, diagnostics, exitCode } = await reviewObjects(options, files);
  const report = {
    items: listResults(reviews),
    table: formatTables(reviews),
    // The admitted objects, so that users can pass on their names.
    names: formatResourceNames(reviews.flatMap(({ object, denied }) => (denied ? [] : [object]))),
    diagnostics: [...diagnostics, ...reviews.flatMap(listDeniedFields)],
    exitCode,
  };
  return formatReport(report, options.output);
}

/** Returns the positions of denied fields. A denial that is about the cluster has no position in a file. */
function listDeniedFields({ denied, diagnose }: Review) {
  const hasFields = denied?.denial.roots.some(({ fieldError }) => fieldError !== undefined);
  return denied !== undefined && hasFields ? toDiagnostics(denied.denial, diagnose) : [];
}

/**
 * Lazy, because the result of many denied fields is large and must not be in memory together with the other
 * results.
 */
function* listResults(reviews: readonly Review[]): Generator<object, void, undefined> {
  for (const review of reviews) yield toReviewResult(review);
}

const headings = ["OBJECT", "OPERATION", "STAGE", "OUTCOME", "CODE", "ROOTCAUSE"];

function* formatTables(reviews: readonly Review[]): Generator<string, void, undefined> {
  yield* formatTable(headings, reviews.map(formatRow));
  for (const { object, denied } of reviews) {
    if (denied === undefined || isFieldsError(denied.denial)) continue;
    yield `\n${escapeLine(`${object.kind} ${formatName(object)}`)}\n`;
    for (const line of formatDenial(denied.denial, denied.explanation)) yield `  ${line}\n`;
  }
}

function formatRow({ object, operation, stage, denied }: Review): readonly Cell[] {
  const name = `${object.kind}/${formatName(object)}`;
  return denied === undefined
    ? [name, operation, stage, "allowed", 200, undefined]
    : [name, operation, stage, "denied", denied.denial.status.code, denied.explanation.root.id];
}

function formatName({ namespace, name }: Review["object"]): string {
  return `${namespace}/${name || "<none>"}`;
}
