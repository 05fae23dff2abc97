/** What a refused follower says is wrong; only `Selector` and `SelectorKey` are always consequences. */
export type DenialClass =
  | "Selector"
  | "SelectorKey"
  | "LeaderCount"
  | "Owner"
  | "LeaderUnscheduled"
  | "TopologyLabel"
  | "NodeNotFound"
  | "PodLabel";

/** Why an object could not be created, as an Event tells it. */
export type CreationFailure =
  /** JobSet's webhooks refused a follower. */
  | { readonly cause: "FollowerDenied"; readonly denial: DenialClass; readonly message: string }
  /** A webhook did not answer. */
  | { readonly cause: "WebhookUnavailable"; readonly webhook: string; readonly message: string }
  /** Anything else: quota, policy, an invalid object. */
  | { readonly cause: "Rejected"; readonly message: string };

/**
 * Reads the message of an Event `FailedCreate` about a Job.
 *
 * @returns `message` without what every such Event begins with; of a follower's denial, the webhook's words alone
 */
export function getCreationFailure(eventMessage: string): CreationFailure {
  const message = dropPrefix(eventMessage, "Error creating: ");
  const unavailable = unavailableWebhook(message);
  if (unavailable !== undefined) return unavailable;
  const denied = /^admission webhook "[^"]*" denied the request: /.exec(message);
  if (denied !== null) {
    const words = message.slice(denied[0].length);
    const denial = getDenialClass(words);
    if (denial !== undefined) return { cause: "FollowerDenied", denial, message: words };
  }
  return { cause: "Rejected", message };
}

/** The webhook that could not be called, in any message of a failed creation. */
export function unavailableWebhook(
  message: string,
): Extract<CreationFailure, { cause: "WebhookUnavailable" }> | undefined {
  const failed = /failed calling webhook "([^"]*)"/.exec(message);
  if (failed === null) return undefined;
  const rest = dropPrefix(message.slice(failed.index + failed[0].length), ": ");
  const error = dropPrefix(rest, "failed to call webhook: ");
  return { cause: "WebhookUnavailable", webhook: failed[1] ?? "", message: error };
}

/** What a denial of a follower says is wrong; `undefined` for words that are none of JobSet's. */
function getDenialClass(words: string): DenialClass | undefined {
  const isNodeNotFound =
    (words.startsWith('nodes "') || words.startsWith('Node "')) && words.endsWith(" not found");
  if (isNodeNotFound) return "NodeNotFound";
  return messagePrefixes.find(([beginning]) => words.startsWith(beginning))?.[1];
}

const messagePrefixes: readonly (readonly [string, DenialClass])[] = [
  ["follower pod node selector not set", "Selector"],
  ["follower pod node selector for topology domain not found. missing selector: ", "SelectorKey"],
  ["expected 1 leader pod (", "LeaderCount"],
  ["follower pod owner UID (", "Owner"],
  ["follower pod has no owner reference", "Owner"],
  ['leader pod "', "Owner"],
  ["leader pod not yet scheduled", "LeaderUnscheduled"],
  ["node does not have topology label: ", "TopologyLabel"],
  ["pod missing label: ", "PodLabel"],
];

/** Whether a denial says nothing about the cause: the selector is missing whenever the leader cannot be followed. */
export function isConsequence(denial: DenialClass): boolean {
  return denial === "Selector" || denial === "SelectorKey";
}

/**
 * The lines of an Event `JobCreationFailed`, by Job.
 *
 * @param eventMessage - one line per Job, in any order; other lines are passed over
 */
export function jobCreationErrors(eventMessage: string): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  let job: string | undefined;
  for (const line of eventMessage.split("\n")) {
    const named = /^job "([^"]*)" creation failed with error: /.exec(line);
    if (named !== null) {
      job = named[1] ?? "";
      errors.set(job, line.slice(named[0].length));
    } else if (job !== undefined) {
      // A line that continues a multi-line error.
      errors.set(job, `${errors.get(job) ?? ""}\n${line}`);
    }
  }
  return errors;
}

function dropPrefix(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}
