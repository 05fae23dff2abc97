import assert from "node:assert/strict";
import { eventually } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";

export const suspension: Scenario = {
  name: "a suspended JobSet is edited and resumed with the edit",
  events: ["Normal SuspendedJobs", "Normal ResumeJobs"],
  async play(stage) {
    const replicatedJobs = [part("driver"), part("workers", { replicas: 2 })];
    await stage.create({ suspend: true, replicatedJobs });
    await stage.condition("Suspended");
    for (const { spec } of await stage.jobs("driver-0", "workers-0", "workers-1")) {
      assert.equal(spec.suspend, true);
    }
    assert.deepEqual(await stage.pods(), []);

    const edited = replicatedJobs.map((one) => structuredClone(one));
    for (const { template } of edited) {
      const { spec } = template.spec.template;
      Object.assign(spec.nodeSelector, { zone: "a" });
      Object.assign(spec, { tolerations: [{ key: "reserved", operator: "Exists" }] });
    }
    // The defaults are immutable and are kept.
    const { spec } = await stage.jobSetWith("the JobSet exists", () => true);
    const merged = spec.replicatedJobs.map((stored: (typeof edited)[number], index: number) => {
      const podSpec = { ...stored.template.spec.template.spec, ...mutable(edited[index]) };
      const jobSpec = {
        ...stored.template.spec,
        template: { ...stored.template.spec.template, spec: podSpec },
      };
      return { ...stored, template: { ...stored.template, spec: jobSpec } };
    });
    await stage.edit({ replicatedJobs: merged });
    await stage.edit({ suspend: false });

    await stage.condition("Suspended", "False");
    await stage.waitForCounts("workers", { ready: 2 });
    const pods = await eventually("there are 3 Pods", async () => {
      const found = await stage.pods();
      return found.length === 3 && found;
    });
    for (const { spec } of pods) {
      assert.deepEqual(spec.nodeSelector, { pool: "general", zone: "a" });
      assert.ok(spec.tolerations.some(({ key }: { key: string }) => key === "reserved"));
    }
    await stage.waitForCounts("driver", { ready: 1 });
  },
};

function mutable(replicatedJob: ReturnType<typeof part> | undefined) {
  const { nodeSelector, tolerations } = replicatedJob?.template.spec.template.spec ?? {};
  return { nodeSelector, tolerations };
}
