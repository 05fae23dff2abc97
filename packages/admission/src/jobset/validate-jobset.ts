import type { Snapshot } from "@jobset-ts/core";
import type { Validated } from "../verdict.ts";
import type { JobSetAdmissionContext } from "./checked-by-rules.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";
import type { NamingOptions } from "./jobset-view.ts";
import { validateJobSetCreate } from "./validate-jobset-create.ts";
import { validateJobSetDelete } from "./validate-jobset-delete.ts";
import { validateJobSetUpdate } from "./validate-jobset-update.ts";

/** What is asked about a JobSet; the members of an AdmissionReview's request that count. */
export interface JobSetRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  /** The JobSet as it is to be; absent or null on `DELETE`. */
  readonly object?: unknown;
  /** The JobSet as it is; absent or null on `CREATE`. */
  readonly oldObject?: unknown;
}

/** What JobSet's validating webhook answers to a request. */
export function validateJobSet(
  { operation, object, oldObject }: JobSetRequest,
  snapshot: Snapshot,
  context: JobSetAdmissionContext,
  options: NamingOptions = {},
): Validated<JobSetRuleId> {
  switch (operation) {
    case "CREATE":
      return validateJobSetCreate(object, snapshot, context, options);
    case "UPDATE":
      return validateJobSetUpdate(oldObject, object, snapshot, context);
    case "DELETE":
      return validateJobSetDelete(oldObject);
  }
}
