import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Cluster } from "./cluster.ts";
import { readFinalState, reportedEvents } from "./final-state.ts";
import { addNode } from "./kubelet.ts";
import { readRecordedOutcomes } from "./recorded-outcomes.ts";
import { Stage } from "./scenario.ts";
import { scenarios } from "./scenarios/index.ts";
import { SimulatedCluster } from "./testing/simulated-cluster.ts";

/** This story needs admission policies, which the simulated API server does not have. */
const needsPolicies = scenarios.filter(({ name }) => name.startsWith("a Job whose creation fails"));
const stories = scenarios.filter((story) => !needsPolicies.includes(story));

/** These outcomes differ because the control plane has no volume controller, so Pods wait for volumes. */
const needsVolumes = ["a JobSet creates Jobs with a Service, PVCs, DNS names and a coordinator"];
const recorded = readRecordedOutcomes(fileURLToPath(new URL("../../..", import.meta.url)));

it("all stories but one run in the simulator", () => {
  expect([stories.length, needsPolicies.length]).toEqual([scenarios.length - 1, 1]);
});

it("the outcome of each story on a real control plane is recorded", () => {
  expect(Object.keys(recorded)).toEqual(scenarios.map(({ name }) => name).sort());
});

it.concurrent.each(stories)(
  "in the simulator: $name",
  async ({ name, gates = [], events = [], play }) => {
    const simulated = new SimulatedCluster(gates);
    // Stories use no other methods of a cluster.
    const cluster = simulated as unknown as Cluster;
    await addNode(cluster, "general", { pool: "general", zone: "a" }, 10_000);
    const kubectl = () => Promise.reject(new Error("kubectl is not available here"));
    await play(new Stage({ cluster, kubectl }, "story"));
    expect(simulated.runUntilIdle()).toBe(true);
    expect(await reportedEvents(cluster, "story")).toEqual([...events].sort());
    const ending = await readFinalState(cluster, "story");
    if (needsVolumes.includes(name))
      expect(withoutPods(ending)).toEqual(withoutPods(recorded[name]));
    else expect(ending).toEqual(recorded[name]);
  },
);

/** Returns an outcome without the Pods and the JobSet's counts of them. */
function withoutPods(lines: readonly string[] = []): readonly string[] {
  return lines.map((line) => line.replace(/"(phase|ready)":("\w+"|\d+)/g, ""));
}
