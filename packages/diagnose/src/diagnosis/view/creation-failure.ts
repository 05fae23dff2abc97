/** The problem that a denied follower reports. Only `Selector` and `SelectorKey` are always consequences. */
export type DenialClass =
  | "Selector"
  | "SelectorKey"
  | "LeaderCount"
  | "Owner"
  | "LeaderUnscheduled"
  | "TopologyLabel"
  | "NodeNotFound"
  | "PodLabel";

/** The reason why an object could not be created, from an Event. */
export type CreationFailure =
  /** JobSet's webhooks denied a follower. */
  | { readonly cause: "FollowerDenied"; readonly denial: DenialClass; readonly message: string }
  /** A webhook did not respond. */
  | { readonly cause: "WebhookUnavailable"; readonly webhook: string; readonly message: string }
  /** Any other reason, such as quota, policy or an invalid object. */
  | { readonly cause: "Rejected"; readonly message: string };

/**
 * Parses the message of an Event `FailedCreate` about a Job.
 *
 * @returns `message` without the common prefix; for a follower's denial, only the webhook's message
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

/** Returns the webhook that could not be called, from any message of a failed creation. */
export function unavailableWebhook(
  message: string,
): Extract<CreationFailure, { cause: "WebhookUnavailable" }> | undefined {
  const failed = /failed calling webhook "([^"]*)"/.exec(message);
  if (failed === null) return undefined;
  const rest = dropPrefix(message.slice(failed.index + failed[0].length), ": ");
  // An Event about several Jobs has one line for each.
  const [error = ""] = dropPrefix(rest, "failed to call webhook: ").split("\n", 1);
  return { cause: "WebhookUnavailable", webhook: failed[1] ?? "", message: error };
}

/** Returns the problem in the denial of a follower. `undefined` if the message is not from JobSet. */
function getDenialClass(words: string): DenialClass | undefined {
  const isNodeNotFound =
    (words.startsWith('nodes "') || words.startsWith('Node "')) &&
    / not found(?: \(root cause: |$)/.test(words);
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

/** Reports whether a denial is only a consequence. The selector is missing whenever the leader cannot be followed. */
export function isConsequence(denial: DenialClass): boolean {
  return denial === "Selector" || denial === "SelectorKey";
}

/**
 * Parses the lines of an Event `JobCreationFailed`, by Job.
 *
 * @param eventMessage - one line per Job, in any order; lines before the first are about all Jobs, under an empty name
 */
export function jobCreationErrors(eventMessage: string): ReadonlyMap<string, string> {
  const errors = new Map<string, string>();
  let job = "";
  for (const line of eventMessage.split("\n")) {
    const named = /^job "([^"]*)" creation failed with error: /.exec(line);
    job = named?.[1] ?? job;
    const before = named === null ? errors.get(job) : undefined;
    // A line without a name continues a multi-line error.
    errors.set(job, before === undefined ? line.slice(named?.[0].length) : `${before}\n${line}`);
  }
  return errors;
}

function dropPrefix(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}
