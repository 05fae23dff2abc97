import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { type Quirk, type Snapshot, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { aNode } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { mutatePod } from "./mutate-pod.ts";
import {
  aFollower,
  aLeader,
  contextWithQuirks,
  createCluster,
  createCreationRequest,
  nodeA,
  zone,
} from "./testdata/zone-pods.ts";
import { validatePod } from "./validate-pod.ts";

/**
 * Returns the denial of a follower if the cluster has one state for the mutating webhook and another for the
 * validating one.
 */
function admissionResult(
  pod: Unvalidated<Pod>,
  { first, second }: { readonly first: Snapshot; readonly second: Snapshot },
  ...quirks: readonly Quirk[]
): string {
  const mutated = mutatePod(createCreationRequest(pod), first, contextWithQuirks(...quirks));
  if (!mutated.allowed) return mutated.denial.status.message;
  const result = validatePod(
    createCreationRequest(mutated.object),
    second,
    contextWithQuirks(...quirks),
  );
  return result.allowed ? "let in" : result.denial.status.message;
}

const pending = createCluster(aLeader(), nodeA);
const inZoneA = createCluster(aLeader().onNode("node-a"), nodeA);
const nodeB = aNode("node-b").withLabels({ [zone]: "zone-b" });
const inZoneB = createCluster(aLeader().onNode("node-b"), nodeB);
const createSentFollower = (domain: string) =>
  aFollower().withSpec({ nodeSelector: { [zone]: domain } });

describe("a leader that gets its node between the two webhooks", () => {
  const change = { first: pending, second: inZoneA };

  it("if the leader gets its node between the two webhooks, the root cause is the missing selector of the follower", () => {
    expect(admissionResult(aFollower(), change)).toBe("follower pod node selector not set");
    expect(admissionResult(aFollower(), { first: inZoneA, second: inZoneA })).toBe("let in");
  });

  it("if the leader gets its node between the two webhooks, the follower's own selector is compared with the leader's domain", () => {
    expect(admissionResult(createSentFollower("zone-a"), change)).toBe("let in");
    expect(admissionResult(createSentFollower("zone-b"), change)).toBe(
      `follower pod node selector ${zone}=zone-b does not match leader topology domain zone-a`,
    );
    expect(admissionResult(createSentFollower("zone-b"), change, ...UPSTREAM_QUIRKS)).toBe(
      "let in",
    );
  });
});

describe("a leader that is deleted between the two webhooks", () => {
  it.each([
    ["by default", []],
    ["in upstream's order", [...UPSTREAM_QUIRKS]],
  ])("the denial of a follower with a selector reports %s", (_, quirks) => {
    expect(
      admissionResult(aFollower(), { first: inZoneA, second: createCluster(nodeA) }, ...quirks),
    ).toBe("expected 1 leader pod (js-rjob-0-0), but got 0. this is an expected, transient error");
    expect(admissionResult(aFollower(), { first: inZoneA, second: pending }, ...quirks)).toMatch(
      /^leader pod not yet scheduled/,
    );
  });
});

describe("a leader that moves between the two webhooks", () => {
  const move = { first: inZoneA, second: inZoneB };

  it("if the leader moves between the two webhooks, the follower is denied, and its next attempt gets the new domain", () => {
    expect(admissionResult(aFollower(), move)).toBe(
      `follower pod node selector ${zone}=zone-a does not match leader topology domain zone-b`,
    );
    expect(admissionResult(aFollower(), { first: inZoneB, second: inZoneB })).toBe("let in");
  });

  it("if the leader moves between the two webhooks, upstream admits the follower into the old domain", () => {
    expect(admissionResult(aFollower(), move, ...UPSTREAM_QUIRKS)).toBe("let in");
  });
});
