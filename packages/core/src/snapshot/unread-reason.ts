import type { Snapshot } from "./snapshot.ts";

/**
 * Returns why a decision that depends on a kind is impossible, for the author of the snapshot. `undefined` if the kind
 * was read, even without objects of it.
 */
export function unreadReason(snapshot: Snapshot, kind: string): string | undefined {
  const reading = snapshot.kindStatus(kind);
  switch (reading.outcome) {
    case "Read":
      return undefined;
    case "Failed":
      return reading.message;
    case "NotRead":
      return `${reading.message}; { kinds: ["${kind}"] } means that there are none`;
  }
}
