import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import type { Advanced } from "../kernel/advance.ts";
import type { Planned } from "../manager/manager.ts";
import * as generations from "./generation-oracles.ts";
import * as histories from "./history-oracles.ts";
import { attemptsInPlaceAreReachedByAll } from "./in-place-oracles.ts";
import type { Oracle, Sight, Violation } from "./oracle.ts";
import * as placement from "./placement-oracles.ts";
import * as planner from "./planner-oracles.ts";
import { quotaIsGivenBackOnceNothingRuns } from "./queue-oracles.ts";
import * as requests from "./request-oracles.ts";
import * as restarts from "./restart-oracles.ts";
import * as status from "./status-oracles.ts";

/**
 * All that holds of every history, in the order in which it is told.
 *
 * @example safetyOracles.map(({ name }) => name).includes("theEndIsFinal") // => true
 */
export const safetyOracles: readonly Oracle[] = [
  restarts,
  { attemptsInPlaceAreReachedByAll, quotaIsGivenBackOnceNothingRuns },
  generations,
  status,
  placement,
  planner,
  requests,
  histories,
].flatMap((oracles) => Object.values(oracles) as readonly Oracle[]);

/** What the oracles remember, by name: a value, as the cluster is. */
export type Remembered = Trie<unknown>;

export const NOTHING_REMEMBERED: Remembered = emptyTrie();

/** What the oracles make of a turn, and of the plans that managers noted in it. */
export function judge(
  oracles: readonly Oracle[],
  remembered: Remembered,
  turn: Advanced,
): { readonly remembered: Remembered; readonly violations: readonly Violation[] } {
  const { cluster, changes, events, notes, refused } = turn;
  const violations: Violation[] = [];
  let memories = remembered;
  for (const oracle of oracles) {
    const { name, sentence, onChange, onPlan, onEvent, onRefusal } = oracle;
    const isAsked =
      (onPlan !== undefined && notes.length > 0) ||
      (onChange !== undefined && changes.length > 0) ||
      (onRefusal !== undefined && refused.length > 0) ||
      (onEvent !== undefined && events.length > 0);
    if (!isAsked) continue;
    const before = memories.get(name) ?? oracle.memory;
    const sight: Sight<unknown> = { objects: cluster.objects, memory: before };
    const ask = <Item>(
      items: readonly Item[],
      question: ((item: Item, sight: Sight<unknown>) => string | undefined) | undefined,
    ) => {
      if (question === undefined) return;
      for (const item of items) {
        const message = question(item, sight);
        if (message !== undefined) {
          violations.push({ oracle: name, sentence, at: cluster.now, message });
        }
      }
    };
    ask(notes as readonly Planned[], onPlan);
    ask(changes, onChange);
    ask(refused, onRefusal);
    ask(events, onEvent);
    if (sight.memory !== before) memories = memories.set(name, sight.memory);
  }
  return { remembered: memories, violations };
}
