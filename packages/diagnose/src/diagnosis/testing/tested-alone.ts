import type { FindingId } from "../checks/finding-ids.ts";

/** The findings that generated clusters do not contain. Each has tests with a minimal cluster beside its check. */
export const testedAlone: ReadonlySet<FindingId> = new Set<FindingId>([
  "controller-not-running",
  "owner-suspended",
  "quota-not-reserved",
  "sidecar-running",
]);
