import type { AnsweredReview } from "@jobset-ts/admission";
import { type LogLine, logLine } from "@jobset-ts/controller-runtime";

/** What there is to say of an answer: nothing when the request is allowed because it may be. */
export function lineOfReview(answered: AnsweredReview): LogLine | undefined {
  const { response, verdict } = answered;
  const about = { ...requestOf(answered), code: response.response.status.code };
  switch (verdict.outcome) {
    case "Allowed":
      return undefined;
    case "Denied": {
      const { status, roots, symptoms, unknown, transient } = verdict.denial;
      return logLine("info", status.message, { ...about, roots, symptoms, unknown, transient });
    }
    case "Malformed": {
      const { errors } = verdict;
      return logLine("warning", response.response.status.message ?? "", { ...about, errors });
    }
    case "Unanswered":
      return logLine("error", verdict.message, about);
  }
}

function requestOf({ webhook, request, verdict }: AnsweredReview): object {
  const { outcome } = verdict;
  const webhookName = `${webhook.stage} ${webhook.kind}`;
  if (request === undefined) return { webhook: webhookName, outcome };
  const { uid, operation, namespace, name } = request;
  return {
    webhook: webhookName,
    outcome,
    uid,
    operation,
    namespace,
    name: name || prefixOf(request.object),
  };
}

/** Pods of a Job have no name before they are stored. */
function prefixOf(object: unknown): unknown {
  return (object as { metadata?: { generateName?: unknown } } | null)?.metadata?.generateName;
}
