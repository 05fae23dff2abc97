import {
  type CheckDependencies,
  type CheckEvaluation,
  type CheckSet,
  defineChecks,
  evaluateChecks,
} from "@jobset-ts/admission/checks";
import fc from "fast-check";

/** A black-box webhook. It returns the message of a denial, or `undefined` if it admits the state. */
export type Admission<State> = (
  state: State,
) => string | undefined | PromiseLike<string | undefined>;

/** A condition that a webhook checks, independent of the webhook's code. */
export interface CheckedCondition<State, Id extends string = string> extends CheckDependencies<Id> {
  /** Returns whether the condition holds. Called only in states in which all conditions in `needs` hold. */
  holds(state: State): boolean;
  /** The messages with which the webhook reports the condition. Several checks may share a message. */
  readonly messages: readonly CheckMessage[];
}

/** The whole message, a pattern in it, or a predicate. */
export type CheckMessage = string | RegExp | ((message: string) => boolean);

/** The description of a webhook, see {@link denialsNameRootCauses}. */
export interface WebhookUnderTest<State, Id extends string = string> {
  readonly states: fc.Arbitrary<State>;
  readonly checks: readonly CheckedCondition<State, Id>[];
}

/**
 * A denial names a root cause: a failing check whose causes all pass. It never reports a symptom of another failing
 * check, a passing check, or a message that belongs to no check.
 *
 * The property does not check which states are denied. An admitted state is never a counterexample.
 *
 * @returns an asynchronous property, so `await fc.assert(…)`
 * @throws TypeError when the checks contradict each other, see `defineChecks`
 * @example
 * import fc from "fast-check";
 * const checks = [
 *   { id: "node", causes: [], holds: ({ node }) => node !== "", messages: ["no node"] },
 *   { id: "selector", causes: ["node"], holds: ({ selector }) => selector, messages: ["no selector"] },
 * ];
 * const states = fc.record({ node: fc.constantFrom("", "a"), selector: fc.boolean() });
 * const webhook = ({ node, selector }) => (!selector ? "no selector" : node === "" ? "no node" : undefined);
 * const found = await fc.check(denialsNameRootCauses(webhook, { states, checks }), { seed: 1 });
 * found.counterexample // => [{ node: "", selector: false }]
 */
export function denialsNameRootCauses<State, Id extends string>(
  subject: Admission<State>,
  { states, checks }: WebhookUnderTest<State, Id>,
): fc.IAsyncProperty<[State]> {
  const set = defineChecks(checks.map(asCheck));
  return fc.asyncProperty(states, async (state) => {
    const message = await subject(state);
    if (message === undefined || message === null) return;
    const faults = listFaults(message, state, set, checks);
    if (faults.length === 0) return;
    throw new Error([...faults, `  state      ${fc.stringify(state)}`].join("\n"));
  });
}

/** Returns the errors of a denial, one line each. */
function listFaults<State, Id extends string>(
  message: string,
  state: State,
  set: CheckSet<State, Id>,
  checks: readonly CheckedCondition<State, Id>[],
): readonly string[] {
  const denial = `  message    ${fc.stringify(message)}`;
  const evaluation = evaluateChecks(set, state);
  const [unanswered] = evaluation.unknown;
  if (unanswered !== undefined) {
    return [`whether ${unanswered.id} holds is unknown: ${unanswered.message}`, denial];
  }
  const reported = checks.filter(({ messages }) => messages.some((one) => isOneOf(one, message)));
  if (reported.length === 0) return ["the message does not belong to a check", denial];
  const ids = reported.map(({ id }) => id);
  if (evaluation.roots.some(({ id }) => ids.includes(id))) return [];
  return [...takeHead(evaluation, ids), denial];
}

function takeHead<Id extends string>(
  { symptoms, roots }: CheckEvaluation<Id>,
  reported: readonly Id[],
): readonly string[] {
  const symptom = symptoms.find(({ id }) => reported.includes(id));
  if (symptom === undefined) {
    return [
      "the reported check does not fail",
      `  reported   ${reported.join(", ")}`,
      `  roots      ${roots.map(({ id }) => id).join(", ") || "none: every check holds"}`,
    ];
  }
  return [
    "a symptom is reported while its cause fails as well",
    `  reported   ${symptom.id}`,
    `  caused by  ${symptom.causedBy.join(", ")}`,
  ];
}

function asCheck<State, Id extends string>(condition: CheckedCondition<State, Id>) {
  const { id, causes, needs } = condition;
  return {
    id,
    causes,
    needs,
    run: (state: State) =>
      condition.holds(state)
        ? ({ outcome: "Pass" } as const)
        : ({ outcome: "Fail", message: id, transient: false } as const),
  };
}

function isOneOf(expected: CheckMessage, message: string): boolean {
  if (typeof expected === "string") return expected === message;
  // Unlike `test`, `search` does not depend on the `lastIndex` of a global pattern.
  return expected instanceof RegExp ? message.search(expected) !== -1 : expected(message);
}
