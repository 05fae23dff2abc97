import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Admission, type CheckedCondition, denialsNameRootCauses } from "./root-causes.ts";

/** A follower Pod in a request, and the existing leaders. */
interface Follower {
  readonly owner: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly leaders: readonly { readonly owner: string; readonly nodeName: string }[];
}

const states: fc.Arbitrary<Follower> = fc.record(
  {
    owner: fc.constantFrom("u1", "u2"),
    nodeSelector: fc.constantFrom<Readonly<Record<string, string>>>({}, { zone: "a" }),
    leaders: fc.array(
      fc.record({ owner: fc.constantFrom("u1", "u2"), nodeName: fc.constantFrom("", "node-a") }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ["owner", "leaders"] },
);

const checks: readonly CheckedCondition<Follower>[] = [
  {
    id: "leader-found",
    causes: [],
    holds: ({ leaders }) => leaders.length === 1,
    messages: [/^expected 1 leader pod, but got \d+$/g],
  },
  {
    id: "owner-shared",
    causes: ["leader-found"],
    needs: ["leader-found"],
    holds: ({ owner, leaders }) => leaders[0]?.owner === owner,
    messages: [(message) => message.startsWith("follower pod owner")],
  },
  {
    id: "leader-scheduled",
    causes: ["owner-shared"],
    needs: ["owner-shared"],
    holds: ({ leaders }) => leaders[0]?.nodeName !== "",
    messages: ["leader pod not yet scheduled"],
  },
  {
    id: "selector-set",
    causes: ["leader-scheduled"],
    holds: ({ nodeSelector }) => nodeSelector !== undefined,
    messages: ["follower pod node selector not set"],
  },
  {
    id: "selector-key-set",
    causes: ["selector-set"],
    needs: ["selector-set"],
    holds: ({ nodeSelector }) => nodeSelector?.zone !== undefined,
    messages: ["missing selector: zone"],
  },
];

/** The parts of a webhook. Each one denies the Pod or leaves the decision to the next one. */
const requireSelector: Admission<Follower> = ({ nodeSelector }) => {
  if (nodeSelector === undefined) return "follower pod node selector not set";
  return nodeSelector.zone === undefined ? "missing selector: zone" : undefined;
};
const requireLeader: Admission<Follower> = ({ owner, leaders }) => {
  const [leader] = leaders;
  if (leader === undefined || leaders.length > 1) {
    return `expected 1 leader pod, but got ${leaders.length}`;
  }
  if (leader.owner !== owner) return `follower pod owner ${owner} != ${leader.owner}`;
  return leader.nodeName === "" ? "leader pod not yet scheduled" : undefined;
};

function admitInOrder(...parts: readonly Admission<Follower>[]): Admission<Follower> {
  return async (state) => {
    for (const part of parts) {
      const message = await part(state);
      if (message !== undefined) return message;
    }
    return undefined;
  };
}

/** Returns the report of the property about a webhook. */
async function check(subject: Admission<Follower>) {
  const property = denialsNameRootCauses(subject, { states, checks });
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed: 7 });
  const text = errorInstance instanceof Error ? errorInstance.message : "";
  return { failed, state: counterexample?.[0], text };
}

describe("denialsNameRootCauses", () => {
  it("denialsNameRootCauses accepts a webhook that checks the leader first", async () => {
    expect(await check(admitInOrder(requireLeader, requireSelector))).toMatchObject({
      failed: false,
    });
  });

  it("denialsNameRootCauses finds the state in which a webhook reports the selector instead of the leader", async () => {
    const { failed, state, text } = await check(admitInOrder(requireSelector, requireLeader));
    expect(failed).toBe(true);
    expect(state).toEqual({ owner: "u1", leaders: [] });
    expect(text.split("\n")).toEqual([
      "a symptom is reported while its cause fails as well",
      "  reported   selector-set",
      "  caused by  leader-found",
      '  message    "follower pod node selector not set"',
      '  state      {"owner":"u1","leaders":[]}',
    ]);
  });

  it("denialsNameRootCauses accepts a synchronous webhook", async () => {
    expect((await check(requireSelector)).text).toContain("a symptom is reported");
    expect(await check(requireLeader)).toMatchObject({ failed: false });
    expect(await check(() => undefined)).toMatchObject({ failed: false });
  });

  it("denialsNameRootCauses reports a message that does not belong to a check", async () => {
    const { text } = await check(admitInOrder(requireLeader, () => "computer says no"));
    expect(text).toContain(
      'the message does not belong to a check\n  message    "computer says no"',
    );
  });

  it("denialsNameRootCauses reports a denial by a check that passes or has no meaning", async () => {
    const { text } = await check(admitInOrder(requireLeader, () => "leader pod not yet scheduled"));
    expect(text).toContain("the reported check does not fail\n  reported   leader-scheduled\n");
    const { state, text: blocked } = await check(({ leaders }) =>
      leaders.length === 0 ? "leader pod not yet scheduled" : undefined,
    );
    expect(state).toMatchObject({ leaders: [] });
    expect(blocked).toContain("the reported check does not fail");
    expect(blocked).toContain("  roots      leader-found\n");
  });

  it("denialsNameRootCauses accepts a message of two checks if one of them is a root cause", async () => {
    const shared = checks.map((check) => ({ ...check, messages: ["no"] }));
    const webhook: Admission<Follower> = async (state) =>
      (await admitInOrder(requireSelector, requireLeader)(state)) && "no";
    const property = denialsNameRootCauses(webhook, { states, checks: shared });
    expect(await fc.check(property, { seed: 7 })).toMatchObject({ failed: false });
  });

  it("denialsNameRootCauses reports a condition that cannot be evaluated", async () => {
    const invalidChecks = checks.map((check) =>
      check.id === "leader-found"
        ? {
            ...check,
            holds: () => {
              throw new Error("no leaders at all");
            },
          }
        : check,
    );
    const property = denialsNameRootCauses(requireSelector, { states, checks: invalidChecks });
    const { errorInstance } = await fc.check(property, { seed: 7 });
    expect(String(errorInstance)).toContain(
      'whether leader-found holds is unknown: check "leader-found" threw: no leaders at all',
    );
  });

  it("denialsNameRootCauses rejects contradictory checks before it runs", () => {
    const [first] = checks;
    expect(() =>
      denialsNameRootCauses(requireSelector, {
        states,
        checks: first === undefined ? [] : [first, first],
      }),
    ).toThrow(new TypeError('check "leader-found" is listed twice'));
  });
});
