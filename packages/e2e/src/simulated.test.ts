import { expect, it } from "vitest";
import type { Cluster } from "./cluster.ts";
import { reportedEvents } from "./final-state.ts";
import { addNode } from "./kubelet.ts";
import { Stage } from "./scenario.ts";
import { scenarios } from "./scenarios/index.ts";
import { SimulatedCluster } from "./testing/simulated-cluster.ts";

/** It asks for admission policies, which the simulated API server does not have. */
const needsPolicies = scenarios.filter(({ name }) => name.startsWith("a Job that is refused"));
const stories = scenarios.filter((story) => !needsPolicies.includes(story));

it("all stories but one can be told in the simulator", () => {
  expect([stories.length, needsPolicies.length]).toEqual([scenarios.length - 1, 1]);
});

it.concurrent.each(stories)(
  "in the simulator: $name",
  async ({ gates = [], events = [], play }) => {
    const simulated = new SimulatedCluster(gates);
    // Stories call nothing else of a cluster.
    const cluster = simulated as unknown as Cluster;
    await addNode(cluster, "general", { pool: "general", zone: "a" }, 10_000);
    const kubectl = () => Promise.reject(new Error("there is no kubectl here"));
    await play(new Stage({ cluster, kubectl }, "story"));
    expect(simulated.comesToRest()).toBe(true);
    expect(await reportedEvents(cluster, "story")).toEqual([...events].sort());
  },
);
