import assert from "node:assert/strict";
import { part, type Scenario } from "../scenario.ts";

export const managedElsewhere: Scenario = {
  name: "a JobSet that another controller manages is ignored",
  async play(stage) {
    await stage.create({ managedBy: "example.com/other", replicatedJobs: [part("workers")] });
    await stage.passes();
    await stage.jobs();
    assert.equal((await stage.jobSet())?.status, undefined);
  },
};
