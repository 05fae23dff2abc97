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

/** The laws that apply to every controller. They read requests, changes, rejections and Events, not plans. */
export const foreignControllerLaws: {
  readonly safetyLaws: readonly SafetyLaw[];
  readonly livenessLaws: readonly LivenessLaw[];
} = {
  safetyLaws: safetyLaws.filter(isUniversal),
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
  const subscriptions = createSubscriptions(laws);
  const changesOfKind = createChangeSubscriptions(laws);
  return (remembered, turn) => {
    const { changes, events, notes, rejectedRequests } = turn;
    const isEventful = changes.length + notes.length + rejectedRequests.length + events.length > 0;
    if (!isEventful || laws.length === 0) return { remembered, violations: [] };
    const evaluation = new TurnEvaluation(laws, remembered, turn);
    for (const note of getPassNotes(turn)) judgeNote(note, subscriptions, evaluation);
    for (const change of changes) {
      evaluation.evaluate(changesOfKind(getChangedObject(change).kind ?? ""), change);
    }
    for (const one of rejectedRequests) evaluation.evaluate(subscriptions.onRejection, one);
    for (const event of events) evaluation.evaluate(subscriptions.onEvent, event);
    return evaluation.end();
  };
}

/** The handlers of the laws by what they read, except changes. */
interface Subscriptions {
  readonly onPlan: readonly Subscription<PlanNote>[];
  readonly onRequest: readonly Subscription<RequestNote>[];
  readonly onFailedPass: readonly Subscription<FailedPassNote>[];
  readonly onRejection: readonly Subscription<RejectedRequest>[];
  readonly onEvent: readonly Subscription<RecordedEvent>[];
}

function createSubscriptions(laws: readonly SafetyLaw[]): Subscriptions {
  return {
    onPlan: listSubscriptions<PlanNote>(laws, (law) => law.onPlan),
    onRequest: listSubscriptions<RequestNote>(laws, (law) => law.onRequest),
    onFailedPass: listSubscriptions<FailedPassNote>(laws, (law) => law.onFailedPass),
    onRejection: listSubscriptions<RejectedRequest>(laws, (law) => law.onRejection),
    onEvent: listSubscriptions<RecordedEvent>(laws, (law) => law.onEvent),
  };
}

function listSubscriptions<Question>(
  laws: readonly SafetyLaw[],
  getEvaluate: (law: SafetyLaw) => Subscription<Question>["evaluate"] | undefined,
): readonly Subscription<Question>[] {
  return laws.flatMap((law, place) => {
    const evaluate = getEvaluate(law);
    return evaluate === undefined ? [] : [{ law, place, evaluate }];
  });
}

/** Returns a function that returns the handlers for changes of a kind, and remembers them. */
function createChangeSubscriptions(
  laws: readonly SafetyLaw[],
): (kind: string) => readonly Subscription<Change>[] {
  const onChange = listSubscriptions<Change>(laws, (law) => law.onChange);
  const ofKind = new Map<string, readonly Subscription<Change>[]>();
  return (kind) => {
    let subscriptions = ofKind.get(kind);
    if (subscriptions === undefined) {
      subscriptions = onChange.filter(({ law: { kinds } }) => kinds?.includes(kind) ?? true);
      ofKind.set(kind, subscriptions);
    }
    return subscriptions;
  };
}

function judgeNote(note: PassNote, subscriptions: Subscriptions, evaluation: TurnEvaluation): void {
  switch (note.kind) {
    case "PlanNote":
      evaluation.evaluateController(subscriptions.onPlan, note, subscriptions.onFailedPass);
      break;
    case "RequestNote":
      evaluation.evaluateController(subscriptions.onRequest, note, subscriptions.onFailedPass);
      break;
    case "FailedPassNote":
      evaluation.evaluate(subscriptions.onFailedPass, note);
      break;
    case "FaultNote":
      if (note.rejectedRequest !== undefined)
        evaluation.evaluate(subscriptions.onRejection, note.rejectedRequest);
      break;
    case "LateRequestNote":
      // This note concerns no subject. Handlers for the whole turn are called elsewhere.
      break;
    default:
      note satisfies never;
  }
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
