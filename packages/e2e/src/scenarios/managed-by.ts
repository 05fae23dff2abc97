import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { part, type Scenario } from "../scenario.ts";

export const managedElsewhere: Scenario = {
  name: "a JobSet that another controller manages is left alone",
  async play(stage) {
    await stage.create({ managedBy: "example.com/other", replicatedJobs: [part("workers")] });
    await setTimeout(2_000);
    await stage.jobs();
    assert.equal((await stage.jobSet())?.status, undefined);
  },
};
