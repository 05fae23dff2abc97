import {
  type CheckDependencies,
  type CheckEvaluation,
  type CheckSet,
  defineChecks,
  evaluateChecks,
} from "@jobset-ts/admission/checks";
import fc from "fast-check";

/** A webhook as seen from outside: the message with which it denies a state, or `undefined` when it admits it. */
export type Admission<State> = (
  state: State,
) => string | undefined | PromiseLike<string | undefined>;

/** One of the conditions that a webhook checks, told apart from how the webhook does it. */
export interface CheckedCondition<State, Id extends string = string> extends CheckDependencies<Id> {
  /** Whether it holds; asked only in states in which all that it `needs` holds. */
  holds(state: State): boolean;
  /** The messages by which the webhook reports that it does not hold; several checks may share one. */
  readonly messages: readonly CheckMessage[];
}

/** The whole message, a pattern that is found in it, or a test of it. */
export type CheckMessage = string | RegExp | ((message: string) => boolean);

/** What there is to know about a webhook; see {@link denialsNameRootCauses}. */
export interface WebhookUnderTest<State, Id extends string = string> {
  readonly states: fc.Arbitrary<State>;
  readonly checks: readonly CheckedCondition<State, Id>[];
}

/**
 * A denial names a root cause: a check that does not hold while all its causes do. It reports no symptom of a cause
 * that fails as well, nothing that holds, and nothing in words that belong to no check.
 *
 * Which states are denied is another question: one that is admitted is never a counterexample.
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

/** What is wrong with a denial, a line each; empty when nothing is. */
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
  // Unlike `test`, `search` neither reads nor moves the place at which a global pattern goes on.
  return expected instanceof RegExp ? message.search(expected) !== -1 : expected(message);
}
