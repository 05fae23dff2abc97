import { eventually } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";

export const timeToLive: Scenario = {
  name: "a finished JobSet and everything that it owns are deleted when its TTL expires",
  events: ["Normal AllJobsCompleted"],
  async play(stage) {
    await stage.create({
      ttlSecondsAfterFinished: 2,
      replicatedJobs: [part("workers", { replicas: 2, command: ["succeed"] })],
    });
    await eventually("the JobSet is gone", async () => (await stage.jobSet()) === undefined);
    await stage.jobs();
    await eventually("its Service is gone", async () => {
      return (await stage.cluster.get("Service", stage.namespace, "train")) === undefined;
    });
  },
};
