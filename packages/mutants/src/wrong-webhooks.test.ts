import { describe, expect, it } from "vitest";
import { wrongJobSetWebhooks } from "./wrong-jobset-webhooks.ts";
import { wrongPodWebhooks } from "./wrong-pod-webhooks.ts";
import { examineWrongWebhooks } from "./wrong-webhooks.ts";

const all = [...wrongPodWebhooks, ...wrongJobSetWebhooks];

describe("a wrong webhook is caught on each seed", () => {
  it.each([
    "admits a follower whose leader's node lacks the topology label",
    "lets template.spec.template.spec.affinity change",
    "checks only the first of templates of the claim policies, says claimsCanBeMounted",
    "checks only the first of backoffLimit of ReplicatedJobs that restart in place",
    "checks only the first of the completion mode of ReplicatedJobs under exclusive placement",
    "checks all but the last of the elements of targetReplicatedJobs",
  ])("if it %s", async (what) => {
    const index = all.findIndex((one) => one.what === what);
    expect(index).not.toBe(-1);
    for await (const { caught, runs } of examineWrongWebhooks(3, (one) => one === index)) {
      expect(caught).toBe(3);
      expect(runs).toBeLessThanOrEqual(100);
    }
  });

  it("every wrong webhook has another name", () => {
    expect(new Set(all.map(({ what }) => what)).size).toBe(all.length);
  });
});
