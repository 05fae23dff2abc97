import type { Finding } from "@jobset-ts/admission";
import type { AnsweredReview } from "@jobset-ts/admission/http";

/** One line of the log; its members beyond these are data about the message. */
export interface LogLine {
  /** RFC 3339. */
  readonly time: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly [member: string]: unknown;
}

/** A line that says what happened now. */
export function lineOf(level: LogLine["level"], message: string, data: object = {}): LogLine {
  return { time: new Date().toISOString(), level, message, ...data };
}

/** Writes a line as JSON to standard error; standard output says only that the program is ready. */
export function writeLine(line: LogLine): void {
  console.error(JSON.stringify(line));
}

/** What there is to say of an answer: nothing when the request is allowed because it may be. */
export function lineOfReview(answered: AnsweredReview): LogLine | undefined {
  const { response } = answered;
  const about = { ...requestOf(answered), code: response.response.status.code };
  switch (answered.outcome) {
    case "Allowed":
      return undefined;
    case "Denied": {
      const { status, roots, symptoms, unknown, transient } = answered.denial;
      return lineOf("info", status.message, {
        ...about,
        roots: roots.map(logged),
        symptoms: symptoms.map(logged),
        unknown: unknown.map(logged),
        transient,
      });
    }
    case "Malformed": {
      const { errors } = answered;
      return lineOf("warning", response.response.status.message ?? "", { ...about, errors });
    }
    case "Unanswered":
      return lineOf("error", answered.message, about);
  }
}

/** What was found; what helps against it is a question for `explainDenial`. */
function logged({ outcome: _, statement: __, words: ___, ...found }: Finding): object {
  return found;
}

function requestOf({ webhook, request, outcome }: AnsweredReview): object {
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
