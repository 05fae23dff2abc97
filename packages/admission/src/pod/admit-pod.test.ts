import { aNode } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { admitPod } from "./admit-pod.ts";
import {
  aFollower,
  aJobSetPod,
  aLeader,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  nodeA,
  zone,
} from "./testdata/zone-pods.ts";

const context = contextWithQuirks();
const pending = createCluster(aLeader(), nodeA);
const inZoneA = createCluster(aLeader().onNode("node-a"), nodeA);
const inZoneB = createCluster(
  aLeader().onNode("node-b"),
  aNode("node-b").withLabels({ [zone]: "zone-b" }),
);
const clusterWithoutDomain = createCluster(aLeader().onNode("node-a"), aNode("node-a"));

describe("a Pod admitted by both webhooks", () => {
  it("a Pod admitted by both webhooks has the changes and decisions of the first one", () => {
    const admitted = admitPod(createCreationRequest(deepFreeze(aFollower())), inZoneA, context);
    expect(admitted).toMatchObject({
      allowed: true,
      pod: { spec: { nodeSelector: { [zone]: "zone-a" } } },
      decisions: [{ rule: "DomainSelected" }],
    });
  });

  it("a Pod admitted by both webhooks is unchanged if no change is required", () => {
    const pod = aJobSetPod("js-rjob-0-1-x");
    const admitted = admitPod(createCreationRequest(pod), createCluster(), context);
    expect(admitted).toMatchObject({ allowed: true, decisions: [{ rule: "NotExclusive" }] });
    expect(admitted.allowed && admitted.pod).toBe(pod);
  });
});

describe("a denied Pod", () => {
  it("a Pod denied by the first webhook is not sent to the second", () => {
    const options = { validateSnapshot: inZoneA };
    const rejected = admitPod(
      createCreationRequest(aFollower()),
      clusterWithoutDomain,
      context,
      options,
    );
    expect(rejected).toMatchObject({
      allowed: false,
      stage: "mutate",
      denial: { roots: [{ id: "topology-label-missing" }] },
      decisions: [],
    });
  });

  it("a denial by the second webhook reports what the first did not set, and why", () => {
    expect(admitPod(createCreationRequest(aFollower()), pending, context)).toMatchObject({
      allowed: false,
      stage: "validate",
      denial: { status: { code: 403, message: expect.stringMatching(/^leader pod not yet/) } },
      decisions: [{ rule: "LeaderNotScheduled", findings: expect.anything() }],
    });
  });
});

describe("a cluster that changes between the webhooks", () => {
  const validateIn = (validateSnapshot: typeof pending) => ({ validateSnapshot });

  it("a cluster that changes between the webhooks is seen by the second one only", () => {
    expect(
      admitPod(createCreationRequest(aFollower()), pending, context, validateIn(inZoneA)),
    ).toMatchObject({
      stage: "validate",
      denial: { status: { message: "follower pod node selector not set" } },
    });
    expect(
      admitPod(createCreationRequest(aFollower()), inZoneA, context, validateIn(inZoneB)),
    ).toMatchObject({
      stage: "validate",
      denial: { roots: [{ id: "leader-domain-selected" }] },
    });
    expect(
      admitPod(createCreationRequest(aFollower()), inZoneA, context, validateIn(inZoneA)).allowed,
    ).toBe(true);
  });
});

describe("a request that does not create a Pod", () => {
  it.each(["UPDATE", "DELETE"] as const)(
    "admitPod admits a request that creates no Pod: %s",
    (operation) => {
      expect(admitPod({ operation, object: aFollower() }, pending, context).allowed).toBe(true);
    },
  );
});
