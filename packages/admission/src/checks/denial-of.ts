import { boundedText } from "@jobset-ts/api/text";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";
import { MAX_NAME_BYTES } from "../short-key.ts";
import type { Denial, Finding } from "../verdict.ts";
import type { CheckEvaluation } from "./evaluate-checks.ts";

/** How a refusal is worded; see {@link denialOf}. */
export interface DenialWording<Id extends string = string> {
  /** The finding that the client is told; by default the evaluation's own, which is never a known symptom. */
  readonly reported?: Finding<Id>;
  /** What the client is told of it; by default its message, with 403 `Forbidden`. */
  readonly statusOf?: (reported: Finding<Id>) => ApiStatus;
}

/**
 * The refusal that follows from an evaluation, or `undefined` when every check passes. A missing fact refuses as well:
 * who cannot see whether a request is right does not let it through.
 *
 * Whatever is reported, roots, symptoms and missing facts are told as they are.
 *
 * @example
 * const run = () => ({ outcome: "Fail", message: "no node", transient: true });
 * const evaluation = evaluateChecks(checkSet([{ id: "leader-scheduled", causes: [], run }]), {});
 * denialOf(evaluation).status // => { message: "no node", reason: "Forbidden", code: 403 }
 */
export function denialOf<Id extends string>(
  evaluation: CheckEvaluation<Id>,
  {
    reported = evaluation.reported,
    statusOf = ({ message }) => forbiddenStatus(message),
  }: DenialWording<Id> = {},
): Denial<Id> | undefined {
  if (evaluation.reported === undefined || reported === undefined) return undefined;
  const { roots, symptoms, unknown } = evaluation;
  const transient = [...roots, ...unknown].every((finding) => finding.transient);
  return { status: inShort(statusOf(reported)), roots, symptoms, unknown, transient };
}

const MAX_MESSAGE_BYTES = 16 * 1024;

function inShort(status: ApiStatus): ApiStatus {
  const { message, details } = status;
  const { name } = details ?? {};
  return {
    ...status,
    message: boundedText(message, MAX_MESSAGE_BYTES),
    ...(name !== undefined && { details: { ...details, name: boundedText(name, MAX_NAME_BYTES) } }),
  };
}
