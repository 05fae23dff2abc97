import { type PassKey, passId } from "./pass-run.ts";

/** What a manager does next: each turn does one thing. */
export type ManagerTurn =
  /** Lists everything, and begins to work. */
  | { readonly action: "Start" }
  /** Changes of a kind arrive in the caches. */
  | { readonly action: "Deliver"; readonly kind: string }
  /** Begins a pass over an object. */
  | { readonly action: "Reconcile"; readonly key: PassKey }
  /** Calls a program outside again that has not decided yet. */
  | { readonly action: "Poll"; readonly key: PassKey }
  /** A request reaches the API server. */
  | { readonly action: "Send"; readonly number: number }
  /** A reply reaches the manager. */
  | { readonly action: "Receive"; readonly number: number }
  /** Reports the Events that were held up. */
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
