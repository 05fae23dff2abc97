/** Why nodes cannot take a Pod, by the part of the scheduler that says so. */
export type RefusalClass =
  | "insufficient"
  | "domain-occupied"
  | "pod-affinity"
  | "selector-mismatch"
  | "taint"
  | "cordoned"
  | "volume"
  | "topology-spread"
  | "ports"
  | "devices"
  | "no-nodes"
  | "other";

/** One reason out of a message of the scheduler's. */
export interface NodeRefusal {
  readonly class: RefusalClass;
  /** The resource that is insufficient; only for `insufficient`. */
  readonly resource?: string;
  /** How many nodes it is about. A node may have several reasons. */
  readonly count: number;
  /** In the scheduler's words, without the count. */
  readonly text: string;
}

/** What the scheduler says of a Pod that no node can take. */
export interface SchedulerMessage {
  /** How many nodes there are; absent when the message does not say. */
  readonly nodeCount?: number;
  /** Every reason given, in the order of the message, which means nothing. */
  readonly refusals: readonly NodeRefusal[];
  /** What follows the reasons, about preemption and the like, as it is. */
  readonly afterwards: string;
  /** Whether the end is missing, as of an Event's message of more than a kilobyte. */
  readonly isTruncated: boolean;
}

/**
 * Reads why no node can take a Pod.
 *
 * @param message - of the condition `PodScheduled` or of the Event `FailedScheduling`
 * @returns at least one reason for any text: what is not understood is of class `other`
 * @see Kubernetes scheduler `framework.FitError`
 */
export function parseSchedulerMessage(message: string): SchedulerMessage {
  const text = message.trim();
  const isTruncated = text.endsWith(" ...");
  if (text.startsWith("no nodes available to schedule pods")) {
    const refusal = { class: "no-nodes", count: 0, text } as const;
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
    .filter(({ text: said }) => said !== "");
  return {
    nodeCount,
    refusals: refusals.length > 0 ? refusals : parseFreeText(text),
    afterwards: end === -1 ? "" : body.slice(end + 2),
    isTruncated,
  };
}

/** A reason without a count comes from before the filters, and is about all nodes. */
function createRefusal(reason: string, nodeCount: number): NodeRefusal {
  const counted = /^(\d+) /.exec(reason);
  const text = counted === null ? reason : reason.slice(counted[0].length);
  return { ...createClass(text), count: counted === null ? nodeCount : Number(counted[1]), text };
}

function parseFreeText(text: string): readonly NodeRefusal[] {
  const short = [...text.matchAll(/\binsufficient (\S+)/gi)];
  if (short.length === 0) return [{ ...createClass(text), count: 0, text }];
  return short.map(([said, word]) => {
    const resource = parseResource(word ?? "");
    return { class: "insufficient", resource, count: 0, text: said };
  });
}

function createClass(text: string): Pick<NodeRefusal, "class" | "resource"> {
  const short = /^insufficient (\S+)/i.exec(text);
  if (short !== null) return { class: "insufficient", resource: parseResource(short[1] ?? "") };
  if (text.startsWith("Too many pods")) return { class: "insufficient", resource: "pods" };
  const known = classPrefixes.find(([beginning]) => text.startsWith(beginning));
  if (known !== undefined) return { class: known[1] };
  const lower = text.toLowerCase();
  if (lower.includes("volume")) return { class: "volume" };
  const isOfDevices =
    lower.includes("resourceclaim") ||
    lower.includes("resource claim") ||
    lower.includes("cannot allocate all claims");
  return { class: isOfDevices ? "devices" : "other" };
}

const classPrefixes: readonly (readonly [string, RefusalClass])[] = [
  ["node(s) had untolerated taint", "taint"],
  ["node(s) had taint", "taint"],
  ["node(s) didn't match Pod's node affinity/selector", "selector-mismatch"],
  ["node(s) didn't match pod affinity rules", "pod-affinity"],
  ["node(s) didn't match pod anti-affinity rules", "domain-occupied"],
  ["node(s) didn't satisfy existing pods anti-affinity rules", "domain-occupied"],
  ["node(s) were unschedulable", "cordoned"],
  ["node(s) didn't match pod topology spread constraints", "topology-spread"],
  ["node(s) didn't have free ports for the requested pod ports", "ports"],
];

/** A resource's name may have dots in it, but does not end in one. */
function parseResource(word: string): string {
  let end = word.length;
  while (end > 0 && ".,".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
