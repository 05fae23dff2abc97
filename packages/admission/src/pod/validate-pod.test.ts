import type { Unvalidated } from "@jobset-ts/api";
import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Quirk, type Snapshot } from "@jobset-ts/core";
import { aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { Denial } from "../denial/denial.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import {
  aFollower,
  aJobSetPod,
  aLeader,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  job,
  named,
  nodeA,
  zone,
} from "./testdata/zone-pods.ts";
import { validatePod } from "./validate-pod.ts";

function getDenial(
  pod: Unvalidated<Pod>,
  snapshot: Snapshot,
  ...quirks: readonly Quirk[]
): Denial<PodCheckId> {
  const result = validatePod(
    createCreationRequest(deepFreeze(pod)),
    snapshot,
    contextWithQuirks(...quirks),
  );
  if (result.allowed) throw new Error("allowed");
  return result.denial;
}

function denialMessage(
  pod: Unvalidated<Pod>,
  snapshot: Snapshot,
  ...quirks: readonly Quirk[]
): string {
  return getDenial(pod, snapshot, ...quirks).status.message;
}

const isAllowed = (pod: Unvalidated<Pod>, snapshot: Snapshot, ...quirks: readonly Quirk[]) =>
  validatePod(createCreationRequest(pod), snapshot, contextWithQuirks(...quirks)).allowed;

const ids = (findings: readonly { readonly id: string }[]) => findings.map(({ id }) => id);

const scheduled = createCluster(aLeader().onNode("node-a"), nodeA);
const createSentFollower = (domain: string) =>
  aFollower().withSpec({ nodeSelector: { [zone]: domain } });

const notSet = "follower pod node selector not set";
const noKey = `follower pod node selector for topology domain not found. missing selector: ${zone}`;
const pending =
  "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error";

describe("a Pod that is admitted", () => {
  it.each([
    ["belongs to no JobSet", aPod("js-rjob-0-1-x").exclusive(zone)],
    ["is placed by node labels", aFollower().withAnnotations({ [NODE_SELECTOR_STRATEGY_KEY]: "" })],
    ["does not request an exclusive domain", aJobSetPod("js-rjob-0-1-x")],
    ["is a leader without affinity terms", aLeader()],
  ])("validatePod admits a Pod that %s", (_, pod) => {
    expect(
      validatePod(createCreationRequest(pod), createSnapshot([]), contextWithQuirks()),
    ).toEqual({
      allowed: true,
    });
  });

  it("validatePod admits a follower that requests its leader's domain", () => {
    expect(isAllowed(createSentFollower("zone-a"), scheduled)).toBe(true);
  });

  it.each(["UPDATE", "DELETE", "CONNECT"] as const)(
    "validatePod admits an update of an existing Pod: %s",
    (operation) => {
      const request = { operation, object: aFollower(), oldObject: aFollower() };
      expect(validatePod(request, createCluster(), contextWithQuirks()).allowed).toBe(true);
    },
  );

  it("validatePod admits the replacement of a leader after the old one failed", () => {
    const failed = aLeader("fffff").onNode("node-b").withStatus({ phase: "Failed" });
    const cluster = createCluster(failed, aLeader().onNode("node-a"), nodeA);
    expect(isAllowed(createSentFollower("zone-a"), cluster)).toBe(true);
  });
});

describe("the denial of a follower", () => {
  it.each([[JOBSET_NAME_KEY], [REPLICATED_JOB_NAME_KEY], [JOB_INDEX_KEY]])(
    "the denial of a follower names the missing label: %s",
    (key) => {
      expect(
        denialMessage(createSentFollower("zone-a").withLabels({ [key]: undefined }), scheduled),
      ).toBe(`pod missing label: ${key}`);
    },
  );

  it("the denial of a follower names the first missing label", () => {
    const pod = aFollower().withLabels({
      [JOB_INDEX_KEY]: undefined,
      [JOBSET_NAME_KEY]: undefined,
    });
    expect(denialMessage(pod, scheduled)).toBe(`pod missing label: ${JOBSET_NAME_KEY}`);
  });

  it.each([
    ["none", 0, []],
    ["a terminating one", 0, [aLeader().onNode("node-a").beingDeleted()]],
    ["a failed one", 0, [aLeader().onNode("node-a").withStatus({ phase: "Failed" })]],
    ["a succeeded one", 0, [aLeader().onNode("node-a").withStatus({ phase: "Succeeded" })]],
    ["two", 2, [aLeader("aaaaa"), aLeader("bbbbb")]],
    ["one in another namespace", 0, [aLeader().inNamespace("ml")]],
    ["one without exclusive placement", 0, [aJobSetPod("js-rjob-0-0-aaaaa")]],
    ["one whose name does not have five parts", 0, [named("js-rjob-0-0", aLeader())]],
  ])("the denial of a follower states the number of leaders: %s", (_, count, pods) => {
    expect(denialMessage(createSentFollower("zone-a"), createCluster(...pods, nodeA))).toBe(
      `expected 1 leader pod (js-rjob-0-0), but got ${count}. this is an expected, transient error`,
    );
  });

  it("the denial of a follower is transient only if the cause behind the number of leaders is", () => {
    const done = createCluster(aLeader().withStatus({ phase: "Succeeded" }));
    const { symptoms, transient } = getDenial(aFollower(), done);
    expect(symptoms[0]).toMatchObject({ id: "one-active-leader", transient: true });
    expect(transient).toBe(false);
  });

  it.each(["Pending", "Running", "Unknown", undefined] as const)(
    "the denial of a follower counts a leader in phase %s",
    (phase) => {
      const leader = aLeader().onNode("node-a").withStatus({ phase });
      expect(isAllowed(createSentFollower("zone-a"), createCluster(leader, nodeA))).toBe(true);
    },
  );

  it("the denial of a follower names the owner of the leader", () => {
    const follower = createSentFollower("zone-a");
    const leader = aLeader().onNode("node-a");
    expect(denialMessage(follower.withoutOwner(), scheduled)).toBe(
      "follower pod has no owner reference",
    );
    expect(denialMessage(follower, createCluster(leader.withoutOwner(), nodeA))).toBe(
      'leader pod "js-rjob-0-0-aaaaa" has no owner reference',
    );
    const earlier = leader.controlledBy(job.withUid("earlier"));
    expect(denialMessage(follower, createCluster(earlier, nodeA))).toBe(
      "follower pod owner UID (js-rjob-0-uid) != leader pod owner UID (earlier)",
    );
    expect(
      denialMessage(follower.withoutOwner(), createCluster(leader.withoutOwner(), nodeA)),
    ).toBe("follower pod has no owner reference");
  });

  it("the denial of a follower refers to a leader without a node, or to the missing part of the follower", () => {
    const reviewWhileLeaderWaits = (leader: Unvalidated<Pod>) =>
      getDenial(aFollower(), createCluster(leader, nodeA)).roots.at(-1);
    expect(reviewWhileLeaderWaits(aLeader().withStatus({ phase: undefined }))).toMatchObject({
      statement: "leader js-rjob-0-0-aaaaa is without a node",
      evidence: [
        { kind: "Field", at: "status.phase" },
        { kind: "Absence", at: "spec.nodeName" },
      ],
    });
    const pending = reviewWhileLeaderWaits(aLeader());
    expect(pending?.statement).toBe("leader js-rjob-0-0-aaaaa is Pending without a node");
    const [root] = getDenial(aFollower(), scheduled).roots;
    expect(root?.objects.map(({ name }) => name)).toEqual(["js-rjob-0-1-bbbbb"]);
  });

  it("the denial of a follower of no Job refers to the follower, other denials also to the leader", () => {
    const pod = (name: string) => ({ apiVersion: "v1", kind: "Pod", namespace: "default", name });
    const [follower, leader] = [pod("js-rjob-0-1-bbbbb"), pod("js-rjob-0-0-aaaaa")];
    const denialReason = (sentPod: Unvalidated<Pod>, snapshot: Snapshot) =>
      getDenial(sentPod, snapshot).roots.find(({ id }) => id === "same-owner")?.objects;
    expect(denialReason(createSentFollower("zone-a").withoutOwner(), scheduled)).toEqual([
      follower,
    ]);
    const ownerless = createCluster(aLeader().onNode("node-a").withoutOwner(), nodeA);
    expect(denialReason(createSentFollower("zone-a"), ownerless)).toEqual([follower, leader]);
  });

  it("the denial of a follower states that its leader has no node", () => {
    expect(denialMessage(createSentFollower("zone-a"), createCluster(aLeader(), nodeA))).toBe(
      pending,
    );
    expect(
      denialMessage(createSentFollower("zone-a"), createCluster(aLeader().onNode(""), nodeA)),
    ).toBe(pending);
  });

  it("the denial of a follower names the problem of its leader's node", () => {
    expect(
      denialMessage(createSentFollower("zone-a"), createCluster(aLeader().onNode("node-a"))),
    ).toBe('nodes "node-a" not found');
    const unlabelled = createCluster(aLeader().onNode("node-a"), aNode("node-a"));
    expect(denialMessage(createSentFollower("zone-a"), unlabelled)).toBe(
      `node does not have topology label: ${zone}`,
    );
  });

  it("the denial of a follower states that it has no node selector although its leader has a node", () => {
    expect(denialMessage(aFollower(), scheduled)).toBe(notSet);
    expect(denialMessage(aFollower().withSpec({ nodeSelector: {} }), scheduled)).toBe(noKey);
    expect(denialMessage(aFollower().withSpec({ nodeSelector: { pool: "p" } }), scheduled)).toBe(
      noKey,
    );
  });

  it("the denial of a follower states that its selector has another domain, and that a retry helps", () => {
    const denial = getDenial(createSentFollower("zone-b"), scheduled);
    expect(denial.status).toEqual({
      message: `follower pod node selector ${zone}=zone-b does not match leader topology domain zone-a`,
      reason: "Forbidden",
      code: 403,
    });
    expect(ids(denial.roots)).toEqual(["leader-domain-selected"]);
    expect(denial.transient).toBe(true);
  });

  it("the denial of a follower does not depend on the leader's completion index", () => {
    const invalidLeader = aLeader()
      .withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "7" })
      .onNode("node-a");
    expect(isAllowed(createSentFollower("zone-a"), createCluster(invalidLeader, nodeA))).toBe(true);
  });
});

describe("upstream's order of checks, FollowerSelectorCheckedFirst", () => {
  const upstream: readonly Quirk[] = [
    "FollowerSelectorCheckedFirst",
    "FollowerSelectorValueUnchecked",
  ];

  it.each([
    ["while the leader is pending", createCluster(aLeader(), nodeA)],
    ["without a leader", createCluster(nodeA)],
    ["while the leader's node is missing", createCluster(aLeader().onNode("node-a"))],
    ["while Pods cannot be read", createSnapshot([nodeA], { readErrors: { Pod: "no" } })],
  ])("FollowerSelectorCheckedFirst reports the missing selector %s", (_, cluster) => {
    expect(denialMessage(aFollower(), cluster, ...upstream)).toBe(notSet);
    expect(
      denialMessage(aFollower().withSpec({ nodeSelector: { pool: "p" } }), cluster, ...upstream),
    ).toBe(noKey);
    expect(denialMessage(aFollower(), cluster)).not.toBe(notSet);
  });

  it("FollowerSelectorCheckedFirst reports the selector before a missing label of the follower", () => {
    const pod = aFollower().withLabels({ [JOB_INDEX_KEY]: undefined });
    expect(denialMessage(pod, scheduled, ...upstream)).toBe(notSet);
    expect(denialMessage(pod, scheduled)).toBe(`pod missing label: ${JOB_INDEX_KEY}`);
  });

  it("FollowerSelectorCheckedFirst does not change the root cause of a denial", () => {
    const cluster = createCluster(aLeader(), nodeA);
    const { status: _shown, ...masked } = getDenial(aFollower(), cluster, ...upstream);
    const { status: _told, ...plain } = getDenial(aFollower(), cluster);
    expect(masked).toEqual(plain);
    expect(ids(masked.roots)).toEqual(["leader-scheduled"]);
    expect(ids(masked.symptoms)).toEqual(["node-selector-set"]);
  });

  it("FollowerSelectorCheckedFirst does not read the leader's node", () => {
    const cluster = createCluster(aLeader().onNode("node-a"));
    expect(isAllowed(createSentFollower("zone-b"), cluster, ...upstream)).toBe(true);
    expect(
      isAllowed(
        createSentFollower("zone-b"),
        createSnapshot([aLeader().onNode("node-a")]),
        ...upstream,
      ),
    ).toBe(true);
  });
});

describe("FollowerSelectorValueUnchecked", () => {
  it("FollowerSelectorValueUnchecked admits a follower with the selector of another domain", () => {
    expect(
      isAllowed(createSentFollower("zone-b"), scheduled, "FollowerSelectorValueUnchecked"),
    ).toBe(true);
    expect(isAllowed(createSentFollower("zone-b"), scheduled)).toBe(false);
    expect(isAllowed(createSentFollower("zone-b"), scheduled, "FollowerSelectorCheckedFirst")).toBe(
      false,
    );
  });

  it("FollowerSelectorValueUnchecked does not disable the check of the leader's node", () => {
    const cluster = createCluster(aLeader().onNode("node-a"));
    expect(
      denialMessage(createSentFollower("zone-b"), cluster, "FollowerSelectorValueUnchecked"),
    ).toBe('nodes "node-a" not found');
  });
});

describe("unread kinds", () => {
  const bound = aLeader().onNode("node-a");

  it("Pods that were not read are not treated as absent", () => {
    const { status, roots, symptoms, unknown } = getDenial(
      createSentFollower("zone-a"),
      createSnapshot([nodeA]),
    );
    expect(status).toEqual({
      message: "objects of kind Pod were not read",
      reason: "InternalError",
      code: 500,
    });
    expect(ids(unknown)).toEqual(["one-active-leader"]);
    expect([...roots, ...symptoms]).toEqual([]);
  });

  it("nodes that were not read are not treated as absent", () => {
    const { status, unknown } = getDenial(createSentFollower("zone-a"), createSnapshot([bound]));
    expect(status).toMatchObject({
      message: "objects of kind Node were not read",
      code: 500,
    });
    expect(ids(unknown)).toEqual(["node-known"]);
  });

  it("the denial has the text of the failed read", () => {
    const timeout = { message: "timed out", reason: "Timeout", code: 504 };
    const read = (kind: string, error: string | typeof timeout) =>
      getDenial(
        createSentFollower("zone-a"),
        createSnapshot([bound], { kinds: ["Pod"], readErrors: { [kind]: error } }),
      );
    expect(read("Pod", timeout).status).toEqual({ status: "Failure", ...timeout });
    expect(read("Node", timeout).status).toEqual({ status: "Failure", ...timeout });
    expect(read("Pod", "no route").status).toEqual({
      message: "no route",
      reason: "Forbidden",
      code: 403,
    });
  });

  it("a denial for a failed read derives the code from the reason if the server sent no code", () => {
    const error = { message: "no", reason: "Unknown" };
    const snapshot = createSnapshot([], { readErrors: { Pod: error } });
    expect(getDenial(createSentFollower("zone-a"), snapshot).status.code).toBe(500);
  });

  it("a certain error is reported before an unread kind", () => {
    const pod = createSentFollower("zone-a").withLabels({ [JOB_INDEX_KEY]: undefined });
    expect(denialMessage(pod, createSnapshot([]))).toBe(`pod missing label: ${JOB_INDEX_KEY}`);
  });
});
