import { compareBytes } from "@jobset-ts/api/text";
import type { Objects } from "../api-server/objects.ts";
import {
  type FailedPassNote,
  getPassNotes,
  type PassNote,
  type PlanNote,
  type RequestNote,
} from "../jobset-controller/pass-note.ts";
import type { RecordedEvent, RejectedRequest, StepResult } from "../kernel/advance.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import * as admission from "./admission-laws.ts";
import * as childJobs from "./child-job-laws.ts";
import * as childObjects from "./child-object-laws.ts";
import * as events from "./event-laws.ts";
import * as failures from "./failure-laws.ts";
import * as finishLiveness from "./finish-liveness-laws.ts";
import {
  inPlaceAttemptsIncreaseByOne,
  inPlaceAttemptsReachAllPods,
} from "./in-place-restart-laws.ts";
import type { LawContext, LawStatement, LawViolation, SafetyLaw } from "./law.ts";
import type { LivenessLaw } from "./liveness-law.ts";
import * as liveness from "./liveness-laws.ts";
import * as placement from "./placement-laws.ts";
import * as planner from "./planner-laws.ts";
import * as podLiveness from "./pod-liveness-laws.ts";
import { quotaIsReleasedAfterPodsStop } from "./queue-laws.ts";
import * as rejectionEvents from "./rejection-event-laws.ts";
import * as requests from "./request-laws.ts";
import * as restarts from "./restart-laws.ts";
import * as startup from "./startup-laws.ts";
import * as status from "./status-laws.ts";
import * as suspension from "./suspension-laws.ts";

/**
 * All safety laws in the order of their reports: by subject, then by name.
 *
 * @example safetyLaws.map(({ name }) => name).includes("terminalStateIsFinal") // => true
 */
export const safetyLaws: readonly SafetyLaw[] = [
  [restarts],
  [
    {
      inPlaceAttemptsReachAllPods,
      inPlaceAttemptsIncreaseByOne,
      quotaIsReleasedAfterPodsStop,
    },
  ],
  [failures],
  [childJobs, childObjects],
  [suspension],
  [startup],
  [status],
  [events, rejectionEvents],
  [placement],
  [admission],
  [planner],
  [requests],
].flatMap((modules) => sortByName<SafetyLaw>(...modules));

/** Returns the laws of some modules by name. The order of a module's exports depends on its loader. */
function sortByName<Any extends SafetyLaw | LivenessLaw>(
  ...modules: readonly Readonly<Record<string, unknown>>[]
): readonly Any[] {
  return modules
    .flatMap((module) => Object.entries(module))
    .sort(([one], [other]) => compareBytes(one, other))
    .map(([, exported]) => exported)
    .filter((exported): exported is Any => typeof exported === "object");
}

/**
 * All liveness laws in the order of their reports: by subject, then by name.
 *
 * @example livenessLaws.map(({ name }) => name).includes("jobsGetTheirPods") // => true
 */
export const livenessLaws: readonly LivenessLaw[] = [
  ...sortByName<LivenessLaw>(liveness, finishLiveness),
  ...sortByName<LivenessLaw>(podLiveness),
];

/**
 * The laws that apply to every controller and do not need its plan. They read requests, changes, rejections and
 * Events.
 */
export const foreignControllerLaws: {
  readonly safetyLaws: readonly SafetyLaw[];
  readonly livenessLaws: readonly LivenessLaw[];
} = {
  safetyLaws: safetyLaws.filter(
    (law) =>
      isUniversal(law) &&
      (law.onRequest ?? law.onChange ?? law.onRejection ?? law.onEvent) !== undefined,
  ),
  livenessLaws: livenessLaws.filter(isUniversal),
};

function isUniversal({ appliesTo = "EveryController" }: LawStatement): boolean {
  return appliesTo === "EveryController";
}

/** The memories of the laws, in the order of the laws. An immutable value, like the cluster. */
export type LawMemories = readonly unknown[];

export const NO_MEMORIES: LawMemories = [];

/** The result of evaluating the laws for a turn. */
export interface JudgeResult {
  readonly remembered: LawMemories;
  readonly violations: readonly LawViolation[];
}

/** A handler of a law, with the index of the law. */
interface Subscription<Question> {
  readonly law: SafetyLaw;
  readonly place: number;
  readonly evaluate: (question: Question, context: LawContext<unknown>) => string | undefined;
}

/**
 * Evaluates laws for each turn. Each law gets only the changes, plans and requests that it reads, because most turns
 * concern few laws.
 */
export function createJudge(
  laws: readonly SafetyLaw[],
): (remembered: LawMemories, turn: StepResult) => JudgeResult {
  const listSubscriptions = <Question>(
    getEvaluate: (law: SafetyLaw) => Subscription<Question>["evaluate"] | undefined,
  ) =>
    laws.flatMap((law, place): readonly Subscription<Question>[] => {
      const evaluate = getEvaluate(law);
      return evaluate === undefined ? [] : [{ law, place, evaluate }];
    });
  const onPlan = listSubscriptions<PlanNote>((law) => law.onPlan);
  const onRequest = listSubscriptions<RequestNote>((law) => law.onRequest);
  const onFailedPass = listSubscriptions<FailedPassNote>((law) => law.onFailedPass);
  const onRefusal = listSubscriptions<RejectedRequest>((law) => law.onRejection);
  const onEvent = listSubscriptions<RecordedEvent>((law) => law.onEvent);
  const onChange = listSubscriptions<Change>((law) => law.onChange);
  const ofKind = new Map<string, readonly Subscription<Change>[]>();
  const changeSubscriptions = (kind: string) => {
    let subscriptions = ofKind.get(kind);
    if (subscriptions === undefined) {
      subscriptions = onChange.filter(({ law: { kinds } }) => kinds?.includes(kind) ?? true);
      ofKind.set(kind, subscriptions);
    }
    return subscriptions;
  };

  const judgeNote = (note: PassNote, evaluation: TurnEvaluation): void => {
    switch (note.kind) {
      case "PlanNote":
        evaluation.evaluateController(onPlan, note, onFailedPass);
        break;
      case "RequestNote":
        evaluation.evaluateController(onRequest, note, onFailedPass);
        break;
      case "FailedPassNote":
        evaluation.evaluate(onFailedPass, note);
        break;
      case "FaultNote":
        if (note.rejectedRequest !== undefined)
          evaluation.evaluate(onRefusal, note.rejectedRequest);
        break;
      case "LateRequestNote":
        // This note concerns no subject. Handlers for the whole turn are called elsewhere.
        break;
      default:
        note satisfies never;
    }
  };

  return (remembered, turn) => {
    const { changes, events, notes, rejectedRequests } = turn;
    const isEventful = changes.length + notes.length + rejectedRequests.length + events.length > 0;
    if (!isEventful || laws.length === 0) return { remembered, violations: [] };
    const evaluation = new TurnEvaluation(laws, remembered, turn);
    for (const note of getPassNotes(turn)) judgeNote(note, evaluation);
    for (const change of changes) {
      evaluation.evaluate(changeSubscriptions(getChangedObject(change).kind ?? ""), change);
    }
    for (const refusal of rejectedRequests) evaluation.evaluate(onRefusal, refusal);
    for (const event of events) evaluation.evaluate(onEvent, event);
    return evaluation.end();
  };
}

/** The evaluation of one turn. */
class TurnEvaluation {
  readonly #turn: StepResult;
  readonly #isLate: boolean;
  readonly #before: LawMemories;
  /** A copy of the memories, from the first one that changes. */
  #remembered: LawMemories;
  /** The violations, each with the index of its law. */
  readonly #found: { readonly place: number; readonly violation: LawViolation }[] = [];
  /**
   * One context for all handlers, because a run calls them thousands of times and most have nothing to report or
   * remember.
   */
  readonly #sight: { readonly objects: Objects; memory: unknown };

  constructor(laws: readonly SafetyLaw[], remembered: LawMemories, turn: StepResult) {
    this.#turn = turn;
    this.#isLate = getPassNotes(turn).some(({ kind }) => kind === "LateRequestNote");
    this.#before = remembered.length > 0 ? remembered : laws.map(({ memory }) => memory);
    this.#remembered = this.#before;
    this.#sight = { objects: turn.cluster.objects, memory: undefined };
  }

  evaluate<Question>(subscriptions: readonly Subscription<Question>[], question: Question): void {
    const context = this.#sight;
    for (const { law, place, evaluate } of subscriptions) {
      const memory = this.#remembered[place];
      context.memory = memory;
      const message = evaluate(question, context);
      if (context.memory !== memory) this.#remember(place, context.memory);
      if (message !== undefined) this.#addViolation(law, place, message);
    }
  }

  /**
   * The same context for values from a controller, which may be so malformed that a law cannot read
   * them.
   */
  evaluateController<Question>(
    subscriptions: readonly Subscription<Question>[],
    question: Question,
    onFailedPass: readonly Subscription<FailedPassNote>[],
  ): void {
    try {
      this.evaluate(subscriptions, question);
    } catch (error) {
      this.evaluate(onFailedPass, { kind: "FailedPassNote", error });
    }
  }

  /** Violations are reported in the order of the laws. */
  end(): JudgeResult {
    if (this.#found.length === 0) return { remembered: this.#remembered, violations: [] };
    const found = this.#found.sort((one, other) => one.place - other.place);
    return { remembered: this.#remembered, violations: found.map(({ violation }) => violation) };
  }

  #remember(place: number, memory: unknown): void {
    const own = this.#remembered === this.#before ? [...this.#before] : this.#remembered;
    (own as unknown[])[place] = memory;
    this.#remembered = own;
  }

  #addViolation({ name, sentence, validUnder }: SafetyLaw, place: number, message: string): void {
    if (this.#isLate && validUnder === "FreshCaches") return;
    const violation = { law: name, sentence, at: this.#turn.cluster.now, message };
    this.#found.push({ place, violation });
  }
}
