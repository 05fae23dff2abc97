import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import type { Advanced } from "../kernel/advance.ts";
import type { FailedPass, LateRequest, Planned } from "../manager/manager.ts";
import * as admission from "./admission-oracles.ts";
import type { LivenessOracle } from "./awaiting.ts";
import * as events from "./event-oracles.ts";
import * as failures from "./failure-oracles.ts";
import * as generations from "./generation-oracles.ts";
import * as histories from "./history-oracles.ts";
import { attemptsInPlaceAreReachedByAll } from "./in-place-oracles.ts";
import * as liveness from "./liveness-oracles.ts";
import type { Oracle, Sight, Violation } from "./oracle.ts";
import * as placement from "./placement-oracles.ts";
import * as planner from "./planner-oracles.ts";
import * as podLiveness from "./pod-liveness-oracles.ts";
import { quotaIsGivenBackOnceNothingRuns } from "./queue-oracles.ts";
import * as requests from "./request-oracles.ts";
import * as restarts from "./restart-oracles.ts";
import * as startup from "./startup-oracles.ts";
import * as status from "./status-oracles.ts";
import * as suspension from "./suspension-oracles.ts";

/**
 * All that holds of every history, in the order in which it is told.
 *
 * @example safetyOracles.map(({ name }) => name).includes("theEndIsFinal") // => true
 */
export const safetyOracles: readonly Oracle[] = [
  restarts,
  { attemptsInPlaceAreReachedByAll, quotaIsGivenBackOnceNothingRuns },
  failures,
  generations,
  suspension,
  startup,
  status,
  events,
  placement,
  admission,
  planner,
  requests,
  histories,
].flatMap((oracles) => Object.values(oracles).filter(isOracle));

function isOracle(exported: unknown): exported is Oracle {
  return typeof exported === "object";
}

/**
 * All that has to come about, in the order in which it is told.
 *
 * @example livenessOracles.map(({ name }) => name).includes("jobsGetTheirPods") // => true
 */
export const livenessOracles: readonly LivenessOracle[] = [
  ...Object.values(liveness),
  ...Object.values(podLiveness),
];

/** What the oracles remember, by name: a value, as the cluster is. */
export type Remembered = Trie<unknown>;

export const NOTHING_REMEMBERED: Remembered = emptyTrie();

/** What the oracles make of a turn, and of the plans that managers noted in it. */
export function judge(
  oracles: readonly Oracle[],
  remembered: Remembered,
  turn: Advanced,
): { readonly remembered: Remembered; readonly violations: readonly Violation[] } {
  const { cluster, changes, events, refused } = turn;
  const notes = turn.notes as readonly (Planned | FailedPass | LateRequest)[];
  const plans = notes.filter((note): note is Planned => "plan" in note);
  const failedPasses = notes.filter((note): note is FailedPass => "error" in note);
  const isLate = notes.some((note) => "late" in note);
  const violations: Violation[] = [];
  let memories = remembered;
  for (const oracle of oracles) {
    const { name, sentence, holds, onChange, onPlan, onFailedPass, onEvent, onRefusal } = oracle;
    // Most turns are about one thing, which most oracles do not look at.
    const isAsked =
      (onChange && changes.length > 0) ||
      (onPlan && plans.length > 0) ||
      (onFailedPass && failedPasses.length > 0) ||
      (onRefusal && refused.length > 0) ||
      (onEvent && events.length > 0);
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
        if (message !== undefined && !(isLate && holds === "FreshCaches")) {
          violations.push({ oracle: name, sentence, at: cluster.now, message });
        }
      }
    };
    ask(plans, onPlan);
    ask(failedPasses, onFailedPass);
    ask(changes, onChange);
    ask(refused, onRefusal);
    ask(events, onEvent);
    if (sight.memory !== before) memories = memories.set(name, sight.memory);
  }
  return { remembered: memories, violations };
}
