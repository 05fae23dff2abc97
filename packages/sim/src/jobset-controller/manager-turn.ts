import { type PassKey, passId } from "./pass-run.ts";

/** The next action of a manager. Each turn does one thing. */
export type ManagerTurn =
  /** Lists everything and starts to reconcile. */
  | { readonly action: "Start" }
  /** Delivers the changes of a kind to the caches. */
  | { readonly action: "Deliver"; readonly kind: string }
  /** Starts a pass over an object. */
  | { readonly action: "Reconcile"; readonly key: PassKey }
  /** Polls an external program that has not decided yet. */
  | { readonly action: "Poll"; readonly key: PassKey }
  /** Sends a request to the API server. */
  | { readonly action: "Send"; readonly number: number }
  /** Receives a reply. */
  | { readonly action: "Receive"; readonly number: number }
  /** Reports the delayed Events. */
  | { readonly action: "ReportEvents" };

/** Returns the key of a turn in the queue: a key has one turn at a time. */
export function getTurnKey(turn: ManagerTurn): string {
  switch (turn.action) {
    case "Start":
    case "ReportEvents":
      return turn.action;
    case "Deliver":
      return `Deliver ${turn.kind}`;
    case "Reconcile":
    case "Poll":
      return `${turn.action} ${passId(turn.key)}`;
    case "Send":
    case "Receive":
      return `${turn.action} ${turn.number}`;
  }
}
