import { nameOf, textOf } from "@jobset-ts/api/kubernetes";
import type { Patch } from "immer";
import type { Stored } from "../api-server/objects.ts";
import { patchesBetween } from "../api-server/stored-values.ts";
import type { Advanced } from "../kernel/advance.ts";
import { BEGINNING } from "../kernel/cluster.ts";
import { type Change, objectOf } from "../kernel/component.ts";
import type { Violation } from "../oracles/oracle.ts";
import { stateText } from "./object-state.ts";

/**
 * Something that happened in a run, at milliseconds since its beginning.
 *
 * @example
 * const entry: HistoryEntry = { at: 1500, actor: "user", what: "Created", kind: "JobSet", namespace: "ml", name: "train", text: "running" };
 * entry.what // => "Created"
 */
export interface HistoryEntry {
  readonly at: number;
  /** Who did it. */
  readonly actor: string;
  readonly what: "Created" | "Changed" | "Deleted" | "Event" | "Refused" | "Fault" | "Broken";
  /** Empty of a fault and of what is broken; these have the name of the fault or the oracle. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** How the object stands now, the reason and message of an Event, why it was refused, what goes wrong, or what is broken. */
  readonly text: string;
  /** Of a write: the cluster's revision by it. */
  readonly revision?: number;
  /** Of a write: whether the object stands otherwise than before, not only in what nobody looks at. */
  readonly isTelling?: boolean;
  /** Of a fault: whether there was nothing that it could happen to. */
  readonly isUnmet?: boolean;
  /** Of a change: what leads from the object before to the one after, and back. */
  readonly patches?: () => {
    readonly patches: readonly Patch[];
    readonly inverse: readonly Patch[];
  };
}

/**
 * What happened in a turn, in order: its writes, what was refused, and Events.
 *
 * @example
 * const seen: string[] = [];
 * play(randomScenario(1), { onTurn: (turn) => seen.push(...historyOf(turn).map(({ what }) => what)) });
 * seen[0] // => "Created"
 */
export function historyOf(turn: Advanced): readonly HistoryEntry[] {
  return [
    ...turn.changes.map(entryOfChange),
    ...turn.refused.map(({ at, actor, request, refusal }) => ({
      at: at - BEGINNING,
      actor,
      what: "Refused" as const,
      kind: request.object.kind,
      namespace: textOf(request.object.metadata?.namespace),
      name: textOf(request.object.metadata?.name ?? request.object.metadata?.generateName),
      text: `${request.verb}: ${refusal.message}`,
    })),
    ...turn.events.map(({ at, actor, about, reason, message }) => ({
      at: at - BEGINNING,
      actor,
      what: "Event" as const,
      kind: textOf(about.kind),
      namespace: textOf(about.metadata.namespace),
      name: nameOf(about),
      text: `${reason}: ${message}`,
    })),
  ];
}

/**
 * A violation as the end of a history.
 *
 * @example entryOfViolation({ oracle: "theEndIsFinal", sentence: "", at: 0, message: "it has both completed and failed" }).what // => "Broken"
 */
export function entryOfViolation({ at, oracle, message }: Violation): HistoryEntry {
  return {
    at: at - BEGINNING,
    actor: "",
    what: "Broken",
    kind: "",
    namespace: "",
    name: oracle,
    text: message,
  };
}

const WHAT = { Added: "Created", Modified: "Changed", Deleted: "Deleted" } as const;

function entryOfChange(change: Change): HistoryEntry {
  const { verb, at, actor, before, after, revision } = change;
  const { kind, metadata } = objectOf(change);
  const [was, is] = [before, after].map((object) =>
    object === undefined ? "" : stateText(object),
  );
  return {
    at: at - BEGINNING,
    actor,
    what: WHAT[verb],
    kind,
    namespace: textOf(metadata.namespace),
    name: textOf(metadata.name),
    text: is ?? "",
    revision,
    isTelling: verb !== "Modified" || was !== is,
    patches: () => patchesBetween(before ?? ({} as Stored), after ?? ({} as Stored)),
  };
}

/** Whether an entry is an action of a user, and not one of those at the start, which only set the scene. */
export function isAction({ actor, at }: HistoryEntry): boolean {
  return actor === "user" && at > 0;
}
