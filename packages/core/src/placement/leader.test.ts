import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import { aPod } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { isLeaderPod } from "./leader.ts";

const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");

describe("isLeaderPod", () => {
  it.each([
    ["0", true],
    ["1", false],
    ["00", false],
    ["", false],
    [undefined, false],
  ])("isLeaderPod reads the completion index %j", (index, leads) => {
    const pod = leader.withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: index });
    expect(isLeaderPod(pod)).toBe(leads);
  });

  it("isLeaderPod reads the annotation, not the label", () => {
    const pod = leader
      .withAnnotations({ [JOB_COMPLETION_INDEX_KEY]: "1" })
      .withLabels({ [JOB_COMPLETION_INDEX_KEY]: "0" });
    expect(isLeaderPod(pod)).toBe(false);
  });
});
