import type { Observed } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { aPod } from "@jobset-ts/testing";
import { broken } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLeaderPod, isPlacementTrigger } from "./leader.ts";

const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");

describe("isLeaderPod", () => {
  it.each([
    ["0", true],
    ["1", false],
    ["00", false],
    ["", false],
    [undefined, false],
  ])("reads the completion index %j", (index, leads) => {
    const pod = leader.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: index });
    expect(isLeaderPod(pod)).toBe(leads);
  });

  it("reads the annotation, not the label", () => {
    const pod = leader
      .withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "1" })
      .withLabels({ [JOB_COMPLETION_INDEX_KEY]: "0" });
    expect(isLeaderPod(pod)).toBe(false);
  });
});

describe("isPlacementTrigger", () => {
  it("is a leader under exclusive placement on a node", () => {
    expect(isPlacementTrigger(leader)).toBe(true);
  });

  it.each([
    ["a follower", aPod("train-workers-0-1-aaaaa").exclusive("rack").onNode("n1")],
    ["a leader that is not on a node yet", leader.onNode("")],
    ["a leader of a Job that shares its nodes", aPod("train-workers-0-0-aaaaa").onNode("n1")],
    ["a leader that is being deleted", leader.beingDeleted()],
  ])("is not %s", (_, pod) => {
    expect(isPlacementTrigger(pod)).toBe(false);
  });

  it.each(["Failed", "Succeeded"] as const)("is also a leader that has %s", (phase) => {
    expect(isPlacementTrigger(leader.withStatus({ phase }))).toBe(true);
  });

  it("answers for anything", () => {
    fc.assert(
      fc.property(broken(fc.constant(leader)), (value) => {
        expect(typeof isPlacementTrigger(value as Observed<Pod>)).toBe("boolean");
      }),
    );
  });
});
