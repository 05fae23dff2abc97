import { JOB_COMPLETION_INDEX_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import { getName, type KubernetesObject, type Pod } from "@jobset-ts/api/kubernetes";
import { type APod, aJob, aNode, aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placements } from "../../../testing/src/arbitraries/arbitrary-placements.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createContext } from "../context.ts";
import { NO_QUIRKS, type Quirk, UPSTREAM_QUIRKS } from "../quirks.ts";
import { createSnapshot, type SnapshotOptions } from "../snapshot/snapshot.ts";
import { leaderForPod } from "./leader-for-pod.ts";
import { reconcilePlacement } from "./reconcile-placement.ts";

const now = "2026-02-07T06:56:19Z";
const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");
const node = aNode("n1").withLabels({ rack: "r1" });
const follower = aPod("train-workers-0-1-bbbbb").exclusive("rack");
const misplaced = follower.withSpec({ nodeSelector: { rack: "r2" } });

function leaderFor(
  pod: APod,
  others: readonly KubernetesObject[] = [leader, node],
  { quirks = [], ...options }: SnapshotOptions & { readonly quirks?: Iterable<Quirk> } = {},
): string | undefined {
  const snapshot = createSnapshot([pod, ...others], { kinds: "all", ...options });
  const found = leaderForPod(snapshot, pod, createContext({ now, quirks: new Set(quirks) }));
  return found && getName(found);
}

describe.each([
  ["by default", NO_QUIRKS],
  ["as upstream", UPSTREAM_QUIRKS],
])("a leader that changes, %s", (_, quirks) => {
  it("leaderForPod returns a leader under exclusive placement that is on a node", () => {
    expect(leaderFor(leader, [], { quirks })).toBe("train-workers-0-0-aaaaa");
  });

  it.each(["Failed", "Succeeded"] as const)(
    "leaderForPod also returns a leader that has %s",
    (phase) => {
      expect(leaderFor(leader.withStatus({ phase }), [], { quirks })).toBe(
        "train-workers-0-0-aaaaa",
      );
    },
  );

  it.each([
    ["is not on a node yet", leader.onNode("")],
    ["belongs to a Job without exclusive placement", aPod("train-workers-0-0-aaaaa").onNode("n1")],
    ["is being deleted", leader.beingDeleted()],
  ])("leaderForPod returns nothing for a leader that %s", (_, pod) => {
    expect(leaderFor(pod, [node], { quirks })).toBeUndefined();
  });
});

describe("a follower that changes", () => {
  it.each([
    ["selects another domain", misplaced],
    ["selects no domain", follower],
    ["selects another domain and has finished", misplaced.withStatus({ phase: "Failed" })],
  ])("leaderForPod returns the leader of a follower that %s", (_, pod) => {
    expect(leaderFor(pod)).toBe("train-workers-0-0-aaaaa");
  });

  it("leaderForPod returns the leader of a follower if the leader's domain is unknown", () => {
    expect(leaderFor(misplaced, [leader])).toBe("train-workers-0-0-aaaaa");
    expect(leaderFor(misplaced, [leader, aNode("n1")])).toBe("train-workers-0-0-aaaaa");
    const unread = { readErrors: { Node: "timeout" } };
    expect(leaderFor(misplaced, [leader], unread)).toBe("train-workers-0-0-aaaaa");
  });

  it("leaderForPod returns nothing for a follower with the quirk LateFollowersUnseen", () => {
    expect(leaderFor(misplaced, undefined, { quirks: ["LateFollowersUnseen"] })).toBeUndefined();
  });

  it.each([
    ["selects its leader's domain", follower.withSpec({ nodeSelector: { rack: "r1" } })],
    ["is being deleted", misplaced.beingDeleted()],
    [
      "has no exclusive placement",
      aPod("train-workers-0-1-bbbbb").withSpec({ nodeSelector: { rack: "r2" } }),
    ],
    ["is placed by node labels", misplaced.withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "" })],
    ["is in another namespace", misplaced.inNamespace("ml")],
    [
      "belongs to an earlier Job",
      misplaced.controlledBy(aJob("train-workers-0").withUid("earlier")),
    ],
    ["has no owner", misplaced.withoutOwner()],
    ["belongs to another Job", aPod("train-workers-1-1-bbbbb").exclusive("rack")],
  ])("leaderForPod returns nothing for a follower that %s", (_, pod) => {
    expect(leaderFor(pod)).toBeUndefined();
  });

  it.each([
    ["has no node", leader.onNode("")],
    ["is being deleted", leader.beingDeleted()],
    ["has finished", leader.withStatus({ phase: "Succeeded" })],
    ["is not a leader", leader.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "1" })],
  ])("leaderForPod returns nothing for a follower whose leader %s", (_, changed) => {
    expect(leaderFor(misplaced, [changed, node])).toBeUndefined();
  });

  it("leaderForPod returns the leader that replaced another one", () => {
    const ended = leader.withStatus({ phase: "Failed" });
    const { metadata } = leader;
    const next: Pod = { ...leader, metadata: { ...metadata, name: "train-workers-0-0-ccccc" } };
    expect(leaderFor(misplaced, [ended, next, node])).toBe("train-workers-0-0-ccccc");
  });
});

it("leaderForPod returns a leader exactly for a follower that placement repair would delete", () => {
  const ours = placements().filter(({ context }) => context.quirks.size === 0);
  fc.assert(
    fc.property(ours, ({ leader, pods, nodes, context }) => {
      const snapshot = createSnapshot([leader, ...pods, ...nodes], { kinds: "all" });
      const plan = reconcilePlacement(snapshot, leader, context);
      const followers = pods.filter(
        (pod) => leaderForPod(snapshot, pod, context) === snapshot.pod("default", getName(leader)),
      );
      const rules = plan.decisions.map(({ rule }) => rule);
      if (rules.includes("ExclusivePlacementViolation")) {
        expect(followers.map(getName)).toContain(plan.decisions[0]?.object.name);
      } else if (!rules.includes("Refused")) {
        expect(followers).toEqual([]);
      }
    }),
    { numRuns: runs(150) },
  );
});
