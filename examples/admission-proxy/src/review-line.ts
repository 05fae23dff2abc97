import type { Finding } from "@jobset-ts/admission";
import type { ReviewEvent } from "@jobset-ts/admission/http";
import { type LogLine, logLine } from "@jobset-ts/controller-runtime";

/** Formats the log line of a response. Returns undefined for a request that is admitted without warnings. */
export function formatReviewLine(answered: ReviewEvent): LogLine | undefined {
  const { response } = answered;
  const about = { ...createRequest(answered), code: response.response.status.code };
  switch (answered.outcome) {
    case "Allowed":
      return undefined;
    case "Denied": {
      const { status, roots, symptoms, unknown, transient } = answered.denial;
      return logLine("info", status.message, {
        ...about,
        roots: roots.map(toLogEntry),
        symptoms: symptoms.map(toLogEntry),
        unknown: unknown.map(toLogEntry),
        transient,
      });
    }
    case "Malformed": {
      const { errors } = answered;
      return logLine("warning", response.response.status.message ?? "", { ...about, errors });
    }
    case "Unanswered":
      return logLine("error", answered.message, about);
  }
}

/** Keeps the facts of a finding. For advice, use `explainDenial`. */
function toLogEntry({ outcome: _, statement: __, texts: ___, ...found }: Finding): object {
  return found;
}

function createRequest({ webhook, request, outcome }: ReviewEvent): object {
  const webhookName = `${webhook.stage} ${webhook.kind}`;
  if (request === undefined) return { webhook: webhookName, outcome };
  const { uid, operation, namespace, name } = request;
  return {
    webhook: webhookName,
    outcome,
    uid,
    operation,
    namespace,
    name: name || getPrefix(request.object),
  };
}

/** The Pods of a Job have no name before they are stored. */
function getPrefix(object: unknown): unknown {
  return (object as { metadata?: { generateName?: unknown } } | null)?.metadata?.generateName;
}
