import type { Objects } from "../api-server/objects.ts";
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
import type { Oracle, Violation } from "./oracle.ts";
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
].flatMap((oracles) => Object.values(oracles).filter(isOracle).map(inOneShape));

function isOracle(exported: unknown): exported is Oracle {
  return typeof exported === "object";
}

/** The same with all members, in one order: every turn asks every oracle, and engines read objects of one shape fastest. */
function inOneShape(oracle: Oracle): Oracle {
  const { name, sentence, holds, memory, onChange, onPlan, onFailedPass, onRefusal, onEvent } =
    oracle;
  const whole = {
    name,
    sentence,
    holds,
    memory,
    onChange,
    onPlan,
    onFailedPass,
    onRefusal,
    onEvent,
  };
  return whole as Oracle;
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

/** What the oracles remember, in their order: a value, as the cluster is. */
export type Remembered = readonly unknown[];

export const NOTHING_REMEMBERED: Remembered = [];

/** What the oracles make of a turn, and of the plans that managers noted in it. */
export function judge(
  oracles: readonly Oracle[],
  remembered: Remembered,
  turn: Advanced,
): { readonly remembered: Remembered; readonly violations: readonly Violation[] } {
  const { cluster, changes, events, refused } = turn;
  const notes = turn.notes as readonly (Planned | FailedPass | LateRequest)[];
  const isIdle = [changes, notes, refused, events].every(({ length }) => length === 0);
  if (isIdle) return { remembered, violations: [] };
  const plans = notes.filter((note): note is Planned => "plan" in note);
  const failedPasses = notes.filter((note): note is FailedPass => "error" in note);
  const isLate = notes.some((note) => "late" in note);
  const violations: Violation[] = [];
  // One for all: a run asks its oracles some thousand times, and most of them have nothing to say or to remember.
  const sight: { readonly objects: Objects; memory: unknown } = {
    objects: cluster.objects,
    memory: undefined,
  };
  const tell = ({ name, sentence, holds }: Oracle, message: string | undefined) => {
    if (message === undefined || (isLate && holds === "FreshCaches")) return;
    violations.push({ oracle: name, sentence, at: cluster.now, message });
  };
  let memories: unknown[] | undefined;
  for (let place = 0; place < oracles.length; place++) {
    const oracle = oracles[place] as Oracle;
    const { onPlan, onFailedPass, onChange, onRefusal, onEvent } = oracle;
    const memory = remembered[place] ?? oracle.memory;
    sight.memory = memory;
    if (onPlan) for (const planned of plans) tell(oracle, onPlan(planned, sight));
    if (onFailedPass) for (const pass of failedPasses) tell(oracle, onFailedPass(pass, sight));
    if (onChange) for (const change of changes) tell(oracle, onChange(change, sight));
    if (onRefusal) for (const refusal of refused) tell(oracle, onRefusal(refusal, sight));
    if (onEvent) for (const event of events) tell(oracle, onEvent(event, sight));
    if (sight.memory !== memory) {
      memories ??= [...remembered];
      memories[place] = sight.memory;
    }
  }
  return { remembered: memories ?? remembered, violations };
}
