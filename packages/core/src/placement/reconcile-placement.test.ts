import type { Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_KEY_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type APod, aJob, aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { createContext } from "../context.ts";
import type { PlacementPlan } from "../plan/plan.ts";
import { UPSTREAM_QUIRKS } from "../quirks.ts";
import { createSnapshot, type SnapshotOptions } from "../snapshot/snapshot.ts";
import { reconcilePlacement } from "./reconcile-placement.ts";

const now = "2026-02-07T06:56:19Z";
const defaultContext = createContext({ now });
const upstream = createContext({ now, quirks: UPSTREAM_QUIRKS });

const job = "train-workers-0";
const leader = aPod(`${job}-0-aaaaa`).exclusive("rack").onNode("n1");
const node = aNode("n1").withLabels({ rack: "r1" });

/** A follower of that leader that selects a domain, or none. */
function aFollower(index: number, domain?: string): APod {
  const pod = aPod(`${job}-${index}-bbbbb`).exclusive("rack");
  return domain === undefined ? pod : pod.withSpec({ nodeSelector: { rack: domain } });
}

function planFor(
  objects: readonly Unvalidated<KubernetesObject>[],
  settings: SnapshotOptions & {
    readonly leader?: APod;
    readonly context?: typeof defaultContext;
  } = {},
): PlacementPlan {
  const { leader: observed = leader, context = defaultContext, ...options } = settings;
  return reconcilePlacement(
    createSnapshot(objects, { kinds: "all", ...options }),
    observed,
    context,
  );
}

const listEffects = ({ steps }: PlacementPlan) =>
  steps.flatMap(({ effects }) => effects.map(({ verb, target }) => `${verb} ${target.name}`));
const getRule = ({ decisions }: PlacementPlan) => decisions[0]?.rule;

describe("a leader whose followers agree with it", () => {
  it("reconcilePlacement ignores a leader without followers", () => {
    const plan = planFor([leader, node]);
    expect(plan).toMatchObject({ steps: [], warnings: [] });
    expect(plan.error).toBeUndefined();
    expect(getRule(plan)).toBe("NoFollowers");
  });

  it("reconcilePlacement deletes nothing if all followers declare the leader's domain", () => {
    const plan = planFor([leader, node, aFollower(1, "r1"), aFollower(2, "r1")]);
    expect(listEffects(plan)).toEqual([]);
    expect(getRule(plan)).toBe("FollowersAgree");
  });

  it("reconcilePlacement compares the domain that a follower selects, not the one in which it runs", () => {
    const elsewhere = aNode("n2").withLabels({ rack: "r2" });
    const plan = planFor([leader, node, elsewhere, aFollower(1, "r1").onNode("n2")]);
    expect(getRule(plan)).toBe("FollowersAgree");
  });

  it("reconcilePlacement treats the domain as empty if the leader's node is gone", () => {
    expect(getRule(planFor([leader, aFollower(1, "")]))).toBe("FollowersAgree");
  });

  it("reconcilePlacement treats the domain as empty if the leader has no node", () => {
    const waiting = leader.onNode("");
    const nameless = aNode("").withLabels({ rack: "r1" });
    const plan = planFor([waiting, node, nameless, aFollower(1, "")], { leader: waiting });
    expect(getRule(plan)).toBe("FollowersAgree");
  });
});

describe("a leader with a follower that is sent elsewhere", () => {
  const followers = [aFollower(1, "r1"), aFollower(2, "r2"), aFollower(3, "r1")];
  const plan = planFor([leader, node, ...followers]);

  it("a misplaced follower leads to the deletion of all followers, each marked first", () => {
    expect(listEffects(plan)).toEqual([
      "updateStatus train-workers-0-1-bbbbb",
      "delete train-workers-0-1-bbbbb",
      "updateStatus train-workers-0-2-bbbbb",
      "delete train-workers-0-2-bbbbb",
      "updateStatus train-workers-0-3-bbbbb",
      "delete train-workers-0-3-bbbbb",
    ]);
  });

  it("the decision names the misplaced follower, its domain and the leader's domain", () => {
    expect(plan.decisions).toEqual([
      {
        phase: "placement",
        rule: "ExclusivePlacementViolation",
        object: { kind: "Pod", name: "train-workers-0-2-bbbbb" },
        message:
          'its node selector selects domain "r2", but its leader train-workers-0-0-aaaaa is in "r1", so all followers are deleted',
      },
    ]);
  });

  it("reconcilePlacement deletes up to 50 Pods concurrently, each independently", () => {
    expect(plan.steps).toMatchObject([
      { phase: "placement", concurrency: 50, onError: "Continue" },
    ]);
  });

  it("reconcilePlacement adds the condition to the observed ones and deletes in the background", () => {
    const ready = { type: "Ready", status: "True", lastTransitionTime: new Date(now) } as const;
    const observed = { ...aFollower(1), status: { phase: "Running", conditions: [ready] } };
    const { kind: _, apiVersion: __, ...listed } = observed;
    const target = {
      apiVersion: "v1",
      kind: "Pod",
      namespace: "default",
      name: "train-workers-0-1-bbbbb",
    };
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "ExclusivePlacementViolation",
      message: "Pod violated JobSet exclusive placement policy",
      lastTransitionTime: now,
    };
    const conditions = [{ type: "Ready", status: "True", lastTransitionTime: now }, condition];
    const list = { apiVersion: "v1", kind: "PodList", items: [leader, listed] };
    expect(planFor([list as never, node]).steps[0]?.effects).toEqual([
      {
        verb: "updateStatus",
        target,
        object: { ...observed, status: { phase: "Running", conditions } },
        changes: [
          { path: ["status", "conditions", { type: "DisruptionTarget" }], value: condition },
        ],
      },
      {
        verb: "delete",
        target,
        propagationPolicy: "Background",
        onNotFound: "Succeed",
        uid: "train-workers-0-1-bbbbb-uid",
      },
    ]);
  });

  it("reconcilePlacement does not change the status of a follower that is being disrupted already", () => {
    const preempted = aFollower(1).withStatus({
      conditions: [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }],
    });
    expect(listEffects(planFor([leader, node, preempted]))).toEqual([
      "delete train-workers-0-1-bbbbb",
    ]);
  });

  it.each([
    ["is being deleted", aFollower(2).beingDeleted()],
    ["has failed", aFollower(2).withStatus({ phase: "Failed" })],
    ["has succeeded", aFollower(2).withStatus({ phase: "Succeeded" })],
  ])("reconcilePlacement treats a follower that %s like any other", (_, ended) => {
    expect(listEffects(planFor([leader, node, ended]))).toEqual([
      "updateStatus train-workers-0-2-bbbbb",
      "delete train-workers-0-2-bbbbb",
    ]);
  });

  it("the plan names the leader", () => {
    expect(plan.leader).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      namespace: "default",
      name: "train-workers-0-0-aaaaa",
    });
  });
});

describe("a follower that may run anywhere", () => {
  it.each([
    ["has no node selector", aFollower(1)],
    [
      "selects nodes by other labels only",
      aFollower(1).withSpec({ nodeSelector: { disk: "ssd" } }),
    ],
  ])("a follower without a domain counts as misplaced when it %s", (_, follower) => {
    const plan = planFor([leader, node, follower]);
    expect(getRule(plan)).toBe("ExclusivePlacementViolation");
    expect(plan.decisions[0]?.message).toContain("selects any domain");
  });
});

describe("Pods that are not the leader's followers", () => {
  const violator = aFollower(1, "r2");

  it.each([
    [
      "another leader of the same Job",
      violator.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "0" }),
    ],
    ["a Pod of another namespace", violator.inNamespace("ml")],
    ["a Pod with another job key", violator.withLabels({ [JOB_KEY_KEY]: "other" })],
    ["a Pod without a job key", violator.withLabels({ [JOB_KEY_KEY]: undefined })],
    [
      "a Pod that shares its node",
      violator.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: undefined }),
    ],
  ])("Pods that are not followers are ignored: %s", (_, stranger) => {
    const plan = planFor([leader, node, stranger]);
    expect(getRule(plan)).toBe("NoFollowers");
    expect(plan.warnings).toEqual([]);
  });

  it.each([
    ["that another Job controls", violator.controlledBy(aJob(job).withUid("earlier"))],
    ["that has no controller", violator.withoutOwner()],
  ])(
    "Pods that are not followers are ignored and reported: a Pod with the leader's job key %s",
    (_, stranger) => {
      const plan = planFor([leader, node, stranger, aFollower(2, "r2")]);
      expect(listEffects(plan)).toEqual([
        "updateStatus train-workers-0-2-bbbbb",
        "delete train-workers-0-2-bbbbb",
      ]);
      expect(plan.warnings).toEqual([
        "Pod train-workers-0-1-bbbbb has the job key of train-workers-0-0-aaaaa but another owner; it is not changed",
      ]);
    },
  );
});

describe("a leader", () => {
  const violator = aFollower(1, "r2");

  it("reconcilePlacement deletes nothing if the leader is gone", () => {
    const plan = planFor([node, violator]);
    expect(plan.error).toBeUndefined();
    expect(listEffects(plan)).toEqual([]);
    expect(getRule(plan)).toBe("LeaderGone");
  });

  it("reconcilePlacement reads the leader from the snapshot, not the one that triggered it", () => {
    const moved = leader.onNode("n2");
    const plan = planFor([moved, node, aNode("n2").withLabels({ rack: "r2" }), violator]);
    expect(getRule(plan)).toBe("FollowersAgree");
  });

  it("reconcilePlacement does not check again whether the leader triggers a reconcile", () => {
    const terminating = leader.beingDeleted();
    expect(getRule(planFor([terminating, node, violator]))).toBe("ExclusivePlacementViolation");
  });

  it("a former leader that is no longer a leader is a follower like the others", () => {
    const follower = leader.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "1" });
    expect(listEffects(planFor([follower, node]))).toEqual([
      "updateStatus train-workers-0-0-aaaaa",
      "delete train-workers-0-0-aaaaa",
    ]);
  });
});

describe("obstacles", () => {
  const violator = aFollower(1, "r2");

  function getPlanError(...args: Parameters<typeof planFor>): PlacementPlan["error"] {
    const plan = planFor(...args);
    expect(plan.steps).toEqual([]);
    expect(getRule(plan)).toBe("Refused");
    return plan.error;
  }

  it("reconcilePlacement fails without a job key on the leader", () => {
    const keyless = leader.withLabels({ [JOB_KEY_KEY]: undefined });
    expect(getPlanError([keyless, node, violator])).toEqual({
      phase: "placement",
      message: 'job key label not found on leader pod: "train-workers-0-0-aaaaa"',
      object: { kind: "Pod", name: "train-workers-0-0-aaaaa" },
    });
  });

  it("reconcilePlacement ignores a leader without a controller", () => {
    expect(getPlanError([leader.withoutOwner(), node, violator])?.message).toBe(
      'leader pod "train-workers-0-0-aaaaa" has no controller owner',
    );
  });

  it("reconcilePlacement fails if Pods cannot be read", () => {
    expect(getPlanError([leader, node, violator], { readErrors: { Pod: "too busy" } })).toEqual({
      phase: "placement",
      message: "too busy",
      object: { kind: "Pod", name: "" },
    });
  });

  it.each(["Pod", "Node"])("reconcilePlacement fails if a kind was not read: %s", (kind) => {
    const [objects, kinds] = kind === "Pod" ? [[], ["Node"]] : [[leader], ["Pod"]];
    const error = getPlanError(objects, { leader, kinds });
    expect(error?.message).toBe(
      `objects of kind ${kind} were not read; { kinds: ["${kind}"] } means that there are none`,
    );
  });

  it("a problem with the leader is reported before a failed read of Pods", () => {
    const keyless = leader.withLabels({ [JOB_KEY_KEY]: undefined });
    const error = getPlanError([], { leader: keyless, readErrors: { Pod: "too busy" } });
    expect(error?.message).toContain("job key label not found");
  });

  it("reconcilePlacement fails if nodes cannot be read, even without followers", () => {
    expect(getPlanError([leader], { readErrors: { Node: "too busy" } })).toEqual({
      phase: "placement",
      message: "too busy",
      object: { kind: "Node", name: "n1" },
    });
  });

  it("reconcilePlacement fails if nodes cannot be read, even if the leader has none", () => {
    const waiting = leader.onNode("");
    const objects = [waiting, aFollower(1, "")];
    expect(getPlanError(objects, { leader: waiting, readErrors: { Node: "no" } })).toEqual({
      phase: "placement",
      message: "no",
      object: { kind: "Node", name: "" },
    });
  });

  it("reconcilePlacement fails if the node lacks the topology label, even without followers", () => {
    expect(getPlanError([leader, aNode("n1")])).toEqual({
      phase: "placement",
      message: "node does not have topology label: rack",
      object: { kind: "Node", name: "n1" },
    });
  });

  it("reconcilePlacement fails if the leader lost its topology key", () => {
    const shared = leader.withAnnotations({ [EXCLUSIVE_TOPOLOGY_KEY]: undefined });
    expect(getPlanError([shared, node])?.message).toBe("node does not have topology label: ");
  });

  it("reconcilePlacement fails if the leader's node is gone while a follower selects a domain", () => {
    expect(getPlanError([leader, violator])).toEqual({
      phase: "placement",
      message: "leader topology is unknown (node not found)",
      object: { kind: "Node", name: "n1" },
    });
  });

  it("reconcilePlacement fails if the leader has no node while a follower selects a domain", () => {
    expect(getPlanError([leader.onNode(""), violator])?.object).toEqual({
      kind: "Pod",
      name: "train-workers-0-0-aaaaa",
    });
  });

  it("an empty topology label is reported like a missing node", () => {
    const unnamed = aNode("n1").withLabels({ rack: "" });
    expect(getPlanError([leader, unnamed, violator])?.message).toBe(
      "leader topology is unknown (node not found)",
    );
  });

  it("a failure still reports Pods of other owners", () => {
    const stranger = violator.withoutOwner();
    expect(planFor([leader, aNode("n1"), stranger]).warnings).toHaveLength(1);
  });
});

describe("a leader that has ended", () => {
  // The replacement of the leader is on n2, and so are the followers.
  const replacement = aPod(`${job}-0-ccccc`).exclusive("rack").onNode("n2");
  const others = [replacement, node, aNode("n2").withLabels({ rack: "r2" }), aFollower(1, "r2")];

  it.each(["Failed", "Succeeded"] as const)(
    "a leader no longer binds its followers after it has %s",
    (phase) => {
      const ended = leader.withStatus({ phase });
      const plan = planFor([ended, ...others]);
      expect(listEffects(plan)).toEqual([]);
      expect(getRule(plan)).toBe("LeaderEnded");
    },
  );

  it.each(["Failed", "Succeeded"] as const)(
    "upstream deletes healthy followers of a finished leader: %s",
    (phase) => {
      const ended = leader.withStatus({ phase });
      const context = createContext({ now, quirks: ["DeadLeaderEnforces"] });
      expect(listEffects(planFor([ended, ...others], { context }))).toEqual([
        "updateStatus train-workers-0-1-bbbbb",
        "delete train-workers-0-1-bbbbb",
      ]);
    },
  );

  it("a finished leader leaves its followers to its successor", () => {
    expect(getRule(planFor([leader, ...others], { leader: replacement }))).toBe("FollowersAgree");
  });
});

describe("a Job that is placed by node labels", () => {
  const placeByNodeLabels = (pod: APod) =>
    pod.withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "true" });
  const its = { leader: placeByNodeLabels(leader), follower: placeByNodeLabels(aFollower(1)) };

  it("followers of a Job that is placed by node labels are kept, because they declare no domain", () => {
    const plan = planFor([its.leader, node, its.follower]);
    expect(listEffects(plan)).toEqual([]);
    expect(getRule(plan)).toBe("NodeSelectorStrategy");
  });

  it("a Job that is placed by node labels needs no topology label on its nodes", () => {
    expect(planFor([its.leader, aNode("n1"), its.follower]).error).toBeUndefined();
  });

  it("upstream deletes the followers of a Job that is placed by node labels with each change of its leader", () => {
    const context = createContext({ now, quirks: ["NodeSelectorFollowersRepaired"] });
    expect(listEffects(planFor([its.leader, node, its.follower], { context }))).toEqual([
      "updateStatus train-workers-0-1-bbbbb",
      "delete train-workers-0-1-bbbbb",
    ]);
  });

  it("upstream fails for a Job that is placed by node labels if its nodes have no topology label", () => {
    const plan = planFor([its.leader, aNode("n1"), its.follower], { context: upstream });
    expect(plan.error?.message).toBe("node does not have topology label: rack");
  });

  it("a follower that is placed by node labels is kept even if its leader is not", () => {
    const plan = planFor([leader, node, its.follower, aFollower(2, "r2")]);
    expect(listEffects(plan)).toEqual([
      "updateStatus train-workers-0-2-bbbbb",
      "delete train-workers-0-2-bbbbb",
    ]);
  });
});

describe("situations that clusters get into", () => {
  it("reconcilePlacement deletes leftovers that select the leader's former domain", () => {
    const moved = leader.onNode("n2");
    const world = [moved, node, aNode("n2").withLabels({ rack: "r2" }), aFollower(1, "r1")];
    expect(getRule(planFor(world, { leader: moved }))).toBe("ExclusivePlacementViolation");
  });

  it("reconcilePlacement deletes followers that cannot be scheduled because another Job took their domain", () => {
    const rebound = aPod(`${job}-0-ccccc`).exclusive("rack").onNode("n2");
    const unschedulable = aFollower(1, "r1").withStatus({
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable" }],
    });
    const world = [rebound, node, aNode("n2").withLabels({ rack: "r2" }), unschedulable];
    expect(listEffects(planFor(world, { leader: rebound }))).toContain(
      "delete train-workers-0-1-bbbbb",
    );
  });

  it("reconcilePlacement waits while the leader's node is gone", () => {
    const plan = planFor([leader, aFollower(1, "r1")]);
    expect(listEffects(plan)).toEqual([]);
    expect(plan.error?.message).toBe("leader topology is unknown (node not found)");
  });

  it("reconcilePlacement notices a relabelled node in the next reconcile", () => {
    const relabelled = node.withLabels({ rack: "r9" });
    const plan = planFor([leader, relabelled, aFollower(1, "r1")]);
    expect(getRule(plan)).toBe("ExclusivePlacementViolation");
  });

  it("reconcilePlacement keeps the Pods of the previous Job despite the same job key", () => {
    const previous = aFollower(1, "r2").controlledBy(aJob(job).withUid("previous")).beingDeleted();
    const plan = planFor([leader, node, previous]);
    expect(listEffects(plan)).toEqual([]);
    expect(plan.warnings).toHaveLength(1);
  });
});

it("reconcilePlacement does not change its input, which may be frozen", () => {
  const objects = deepFreeze([leader, node, aFollower(1, "r2"), aFollower(2).withoutOwner()]);
  const once = planFor(objects);
  expect(planFor(objects)).toEqual(once);
  expect(listEffects(once)).toHaveLength(2);
});
