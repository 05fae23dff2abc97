import assert from "node:assert/strict";
import { getRejectionMessage, part, type Scenario } from "../../scenario.ts";
import { deniedJobSet } from "./messages.ts";

const JOBSET_CONTROLLER = "jobset.sigs.k8s.io/jobset-controller";

export const managedBy: readonly Scenario[] = [
  {
    name: "managedBy JobSet's controller: same behavior as without managedBy",
    async play(stage) {
      await stage.create({ managedBy: JOBSET_CONTROLLER, replicatedJobs: [part("workers")] });
      await stage.jobs("workers-0");
      await stage.waitForCounts("workers", { ready: 0 });
    },
  },
  {
    name: "managedBy another controller: nothing is created, and the status is not changed",
    async play(stage) {
      const jobSet = await stage.create({
        managedBy: "example.com/other",
        suspend: true,
        replicatedJobs: [part("workers")],
      });
      const status = { restarts: 5, replicatedJobsStatus: [] };
      await stage.cluster.patch(jobSet, { status }, "status");
      await stage.edit({ suspend: false });
      await stage.expectUnchanged(() => stage.jobNames(), []);
      assert.deepEqual((await stage.jobSet()).status, status);
      assert.equal(await stage.cluster.get("Service", stage.namespace, "train"), undefined);
      await stage.events();
    },
  },
  ...[JOBSET_CONTROLLER, null].map(
    (value): Scenario => ({
      name: `managedBy is immutable, including the value ${value ?? "none"}`,
      async play(stage) {
        const jobSet = await stage.create({
          managedBy: "example.com/other",
          replicatedJobs: [part("workers")],
        });
        assert.equal(
          await getRejectionMessage(stage.cluster.patch(jobSet, { spec: { managedBy: value } })),
          deniedJobSet(
            `spec.managedBy: Invalid value: ${JSON.stringify(value)}: field is immutable`,
          ),
        );
      },
    }),
  ),
];
