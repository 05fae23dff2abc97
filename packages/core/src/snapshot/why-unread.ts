import type { Snapshot } from "./snapshot.ts";

/**
 * Why nothing can be decided that depends on a kind, for whoever handed the snapshot in; `undefined` when the kind was
 * read, be there any of it or none.
 */
export function whyUnread(snapshot: Snapshot, kind: string): string | undefined {
  const reading = snapshot.kindStatus(kind);
  switch (reading.outcome) {
    case "Read":
      return undefined;
    case "Failed":
      return reading.message;
    case "NotRead":
      return `${reading.message}; { kinds: ["${kind}"] } says that there are none`;
  }
}
