import { eventually } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";

export const elasticScaling: Scenario = {
  name: "a running JobSet is scaled up and down",
  gates: ["ElasticJobSet"],
  async play(stage) {
    await stage.create({ replicatedJobs: [part("workers", { replicas: 2, pods: 2 })] });
    await stage.waitForCounts("workers", { ready: 2 });
    for (const pods of [4, 1]) {
      const { spec } = await stage.jobSetWith("the JobSet exists", () => true);
      const [workers] = spec.replicatedJobs;
      const { template } = workers;
      const jobSpec = { ...template.spec, parallelism: pods, completions: pods };
      await stage.edit({
        replicatedJobs: [{ ...workers, template: { ...template, spec: jobSpec } }],
      });
      await eventually(`both Jobs have ${pods} Pods`, async () => {
        const jobs = await stage.jobs("workers-0", "workers-1");
        const areScaled = jobs.every(
          ({ spec, status }) =>
            spec.parallelism === pods && spec.completions === pods && status.active === pods,
        );
        return areScaled && (await stage.pods()).length === 2 * pods;
      });
    }
    await stage.waitForCounts("workers", { ready: 2 });
  },
};
