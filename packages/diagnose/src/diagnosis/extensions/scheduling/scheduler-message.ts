/** The reason why nodes reject a Pod, by scheduler plugin. */
export type RefusalClass =
  | "Insufficient"
  | "DomainOccupied"
  | "PodAffinity"
  | "SelectorMismatch"
  | "Taint"
  | "Cordoned"
  | "Volume"
  | "TopologySpread"
  | "Ports"
  | "Devices"
  | "NoNodes"
  | "Other";

/** One reason in a scheduler message. */
export interface NodeRefusal {
  readonly class: RefusalClass;
  /** The insufficient resource. Only for `insufficient`. */
  readonly resource?: string;
  /** The number of nodes. A node may have several reasons. */
  readonly count: number;
  /** The scheduler's text without the count. */
  readonly text: string;
}

/** The parsed scheduler message for a Pod that no node accepts. */
export interface SchedulerMessage {
  /** The number of nodes. Absent if the message does not contain it. */
  readonly nodeCount?: number;
  /** All reasons in message order, which has no meaning. */
  readonly refusals: readonly NodeRefusal[];
  /** The text after the reasons, for example about preemption. */
  readonly afterwards: string;
  /** Whether the end is missing, as in an Event message of more than 1 KB. */
  readonly isTruncated: boolean;
}

/**
 * Parses the scheduler's message about a Pod that no node accepts.
 *
 * @param message - the message of the condition `PodScheduled` or of the Event `FailedScheduling`
 * @returns at least one reason for any text; an unknown reason has class `Other`
 * @see Kubernetes scheduler `framework.FitError`
 */
export function parseSchedulerMessage(message: string): SchedulerMessage {
  const text = message.trim();
  const isTruncated = text.endsWith(" ...");
  if (text.startsWith("no nodes available to schedule pods")) {
    const refusal = { class: "NoNodes", count: 0, text } as const;
    return { nodeCount: 0, refusals: [refusal], afterwards: "", isTruncated };
  }
  const head = /^0\/(\d+) nodes are available: /.exec(text);
  if (head === null) return { refusals: parseFreeText(text), afterwards: "", isTruncated };

  const nodeCount = Number(head[1]);
  const body = text.slice(head[0].length);
  const end = body.search(
    /\. (?:preemption: |no new claims to deallocate|still not schedulable|not found)/,
  );
  const reasons = (end === -1 ? body : body.slice(0, end)).replace(/\.$/, "");
  const refusals = reasons
    .split(/, (?=\d+ )/)
    .map((reason) => createRefusal(reason, nodeCount))
    .filter((refusal) => refusal.text !== "");
  return {
    nodeCount,
    refusals: refusals.length > 0 ? refusals : parseFreeText(text),
    afterwards: end === -1 ? "" : body.slice(end + 2),
    isTruncated,
  };
}

/** A reason without a count comes from before the filters and applies to all nodes. */
function createRefusal(reason: string, nodeCount: number): NodeRefusal {
  const counted = /^(\d+) /.exec(reason);
  const text = counted === null ? reason : reason.slice(counted[0].length);
  return { ...createClass(text), count: counted === null ? nodeCount : Number(counted[1]), text };
}

function parseFreeText(text: string): readonly NodeRefusal[] {
  const short = [...text.matchAll(/\binsufficient (\S+)/gi)];
  if (short.length === 0) return [{ ...createClass(text), count: 0, text }];
  return short.map(([text, word]) => {
    const resource = parseResource(word ?? "");
    return { class: "Insufficient", resource, count: 0, text };
  });
}

function createClass(text: string): Pick<NodeRefusal, "class" | "resource"> {
  const short = /^insufficient (\S+)/i.exec(text);
  if (short !== null) return { class: "Insufficient", resource: parseResource(short[1] ?? "") };
  if (text.startsWith("Too many pods")) return { class: "Insufficient", resource: "pods" };
  const known = classPrefixes.find(([beginning]) => text.startsWith(beginning));
  if (known !== undefined) return { class: known[1] };
  const lower = text.toLowerCase();
  if (lower.includes("volume")) return { class: "Volume" };
  const isOfDevices =
    lower.includes("resourceclaim") ||
    lower.includes("resource claim") ||
    lower.includes("cannot allocate all claims");
  return { class: isOfDevices ? "Devices" : "Other" };
}

const classPrefixes: readonly (readonly [string, RefusalClass])[] = [
  ["node(s) had untolerated taint", "Taint"],
  ["node(s) had taint", "Taint"],
  ["node(s) didn't match Pod's node affinity/selector", "SelectorMismatch"],
  ["node(s) didn't match pod affinity rules", "PodAffinity"],
  ["node(s) didn't match pod anti-affinity rules", "DomainOccupied"],
  ["node(s) didn't satisfy existing pods anti-affinity rules", "DomainOccupied"],
  ["node(s) were unschedulable", "Cordoned"],
  ["node(s) didn't match pod topology spread constraints", "TopologySpread"],
  ["node(s) didn't have free ports for the requested pod ports", "Ports"],
];

/** A resource name may contain dots but does not end with one. */
function parseResource(word: string): string {
  let end = word.length;
  while (end > 0 && ".,".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
