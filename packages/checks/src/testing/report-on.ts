import type { CheckDependencies } from "../check.ts";
import { findMasking, type MaskingReport } from "../masking/find-masking.ts";
import type { MaskingOptions } from "../masking/masking.ts";

/** Returns the report of `findMasking`, which must accept the checks and the order. */
export function reportOn(
  checks: readonly CheckDependencies[],
  order: readonly string[],
  options?: MaskingOptions,
): MaskingReport {
  const report = findMasking(checks, order, options);
  if (!report.ok) throw new Error(report.message);
  return report;
}
