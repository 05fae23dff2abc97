import type { FieldError } from "@jobset-ts/api/errors";
import { JOBSET_GROUP, JOBSET_KIND } from "@jobset-ts/api/keys";
import { omittedSuffix, truncateText } from "@jobset-ts/api/text";
import { type ApiStatus, invalidStatus, type StatusCause } from "../api-status.ts";
import type { Denial } from "../denial/denial.ts";
import { type ExplanationStep, explainDenial } from "../denial/explain-denial.ts";
import { immutabilityRuleIds, listImmutableChanges } from "../jobset/immutable-changes.ts";
import type { AdmissionContext } from "../webhook-shape.ts";
import type { AdmissionRequest } from "./admission-request.ts";

/** The details of a denial that a client and the audit log get in addition to upstream's text. */
export interface ExplainedDenial {
  readonly status: ApiStatus;
  /** The IDs of the findings, for the audit log. The API server prefixes the keys with the name of the webhook. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The maximum number of root causes in a message. The others are counted. */
const MAX_ROOTS = 3;
/** The maximum size of a message with its root causes, in bytes. */
const MAX_MESSAGE_BYTES = 36 * 1024;
/** The maximum size of one root cause, in bytes. */
const MAX_ROOT_BYTES = 1024;

/**
 * Adds the root causes to the status of a denial: after upstream's message, and in `details.causes`. For an update of
 * immutable fields, the status names each changed field instead of showing the whole list.
 *
 * @param request - the denied request; redacted if the denial is
 */
export function explainedDenial(
  denial: Denial,
  request: AdmissionRequest,
  context: AdmissionContext,
): ExplainedDenial {
  const { chain } = explainDenial(denial);
  const steps = chain.filter(({ id }) => id !== "denied");
  const roots = steps.filter(({ causedBy }) => causedBy.length === 0);
  const status = withChangedFields(denial, request, context);
  return {
    status: withRoots(status, roots),
    auditAnnotations: {
      "root-causes": joinIds(roots.map(({ id }) => id)),
      findings: joinIds(steps.map(({ id }) => id)),
    },
  };
}

/** IDs are short words, and a denial can have hundreds of equal ones. */
function joinIds(ids: readonly string[]): string {
  return [...new Set(ids)].join(",");
}

function withRoots(status: ApiStatus, roots: readonly ExplanationStep[]): ApiStatus {
  const { message, details } = status;
  // A message about invalid fields contains its root causes.
  if (details?.causes !== undefined && details.causes.length > 0) return status;
  const texts = [...new Set(roots.map(({ text }) => truncateText(text, MAX_ROOT_BYTES)))];
  const news = texts.filter((text) => !message.includes(text.replace(/^unknown: /, "")));
  const shown = news.slice(0, MAX_ROOTS).join("; ");
  const more = news.length > MAX_ROOTS ? ` ${omittedSuffix(news.length - MAX_ROOTS)}` : "";
  return {
    ...status,
    message:
      shown === ""
        ? message
        : truncateText(`${message} (root cause: ${shown}${more})`, MAX_MESSAGE_BYTES),
    ...(roots.length > 0 && {
      details: { ...details, causes: roots.slice(0, MAX_CAUSES).map(toCause) },
    }),
  };
}

const MAX_CAUSES = 20;

function toCause({ id, text, evidence: [first] }: ExplanationStep): StatusCause {
  const field = first?.kind === "Field" ? first.at : undefined;
  return { reason: id, message: truncateText(text, MAX_ROOT_BYTES), field: field ?? "" };
}

/** Replaces errors that show a whole immutable list by one error for each changed field. */
function withChangedFields(
  { status, roots, symptoms, omitted = 0 }: Denial,
  request: AdmissionRequest,
  context: AdmissionContext,
): ApiStatus {
  const replaced = new Set(
    [...roots, ...symptoms]
      .filter(({ id }) => immutabilityRuleIds.has(id))
      .map(({ fieldError }) => fieldError?.field),
  );
  const { causes = [], name = "" } = status.details ?? {};
  if (replaced.size === 0 || causes.length === 0) return status;
  let more = omitted;
  const errors = causes.flatMap(({ reason, message, field }): readonly FieldError[] => {
    const error = { type: reason as FieldError["type"], field, body: message };
    if (!replaced.has(field) || !message.endsWith("field is immutable")) return [error];
    const changes = listImmutableChanges(field, request, context);
    more += changes.omitted;
    return changes.errors.length > 0 ? changes.errors : [error];
  });
  return invalidStatus({ group: JOBSET_GROUP, kind: JOBSET_KIND, name }, errors, more);
}
