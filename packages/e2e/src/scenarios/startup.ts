import assert from "node:assert/strict";
import { part, type Scenario } from "../scenario.ts";

export const dependencies: Scenario = {
  name: "Jobs wait until their dependencies are ready or complete",
  async play(stage) {
    await stage.create({
      replicatedJobs: [
        part("prepare", { command: ["succeed"] }),
        part("server", { dependsOn: [{ name: "prepare", status: "Complete" }] }),
        part("client", { replicas: 2, dependsOn: [{ name: "server", status: "Ready" }] }),
      ],
    });
    const jobs = await stage.jobs("prepare-0", "server-0", "client-0", "client-1");
    const created = new Map<string, number>(
      jobs.map(({ metadata }) => [metadata.name, Date.parse(metadata.creationTimestamp)]),
    );
    const at = (name: string) => created.get(`train-${name}`) ?? Number.NaN;
    assert.ok(
      at("prepare-0") <= at("server-0") && at("server-0") <= at("client-0"),
      "out of order",
    );
    await stage.waitForCounts("client", { ready: 2 });
    await stage.waitForCounts("prepare", { succeeded: 1 });
  },
};

export const inOrderStartup: Scenario = {
  name: "ReplicatedJobs start in the order of the spec",
  events: ["Normal InOrderStartupPolicyInProgress", "Normal InOrderStartupPolicyCompleted"],
  async play(stage) {
    await stage.create({
      startupPolicy: { startupPolicyOrder: "InOrder" },
      replicatedJobs: [part("first"), part("second", { replicas: 2 }), part("third")],
    });
    await stage.jobs("first-0", "second-0", "second-1", "third-0");
    await stage.condition("StartupPolicyCompleted");
    await stage.waitForCounts("third", { ready: 1 });
  },
};
