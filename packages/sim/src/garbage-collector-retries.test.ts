import { describe, expect, it } from "vitest";
import { createHistory } from "./history/history.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { simulate } from "./scenario/simulate.ts";

const jobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { name: "train", namespace: "ml" },
  spec: {
    replicatedJobs: [
      {
        name: "workers",
        template: {
          spec: {
            template: { spec: { containers: [{ name: "main", image: "busybox" }] } },
          },
        },
      },
    ],
  },
};

/** A JobSet that is deleted at 5 s, while its webhooks do not respond for a minute. */
const scenario: Scenario = {
  seed: 1,
  objects: [jobSet],
  workload: [],
  actions: [
    {
      at: 5_000,
      request: {
        verb: "delete",
        object: { kind: "JobSet", metadata: { name: "train", namespace: "ml" } },
        propagationPolicy: "Foreground",
      },
    },
  ],
  faults: [{ fault: "WebhookOutage", from: 5_001, until: 65_000 }],
  endsAt: 3_600_000,
};

describe("garbageCollector retries", () => {
  it("the garbage collector retries with back-off if the webhooks are down", () => {
    const refusedAt: number[] = [];
    const { end, isIdle, violations } = simulate(scenario, {
      onTurn: (turn) => {
        const own = createHistory(turn).filter(({ actor }) => actor === "garbage-collector");
        refusedAt.push(...own.filter(({ what }) => what === "Refused").map(({ at }) => at));
      },
    });
    expect(isIdle).toBe(true);
    expect(violations).toEqual([]);
    expect([...end.objects.all()].map(({ kind }) => kind)).toEqual([]);
    const waits = refusedAt.slice(1).map((at, index) => at - (refusedAt[index] ?? 0));
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.length).toBeLessThan(20);
  });
});
