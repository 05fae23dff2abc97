import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, ran } from "./testing.ts";

const billion = {
  "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w", 1_000_000_000)}`),
};
const at = "js.yaml:8:5: spec.replicatedJobs[0].replicas";

describe("a JobSet of a billion Jobs", () => {
  it.each([
    [
      "names",
      ["-f", "js.yaml"],
      `${at}: 1000000000 Jobs are more than the 200000 that are listed\n`,
    ],
    [
      "simulate",
      ["-f", "js.yaml"],
      `${at}: 1000000000 Jobs are more than the 10000 that a simulation can hold\n`,
    ],
    [
      "explore",
      ["-f", "js.yaml"],
      `${at}: 1000000000 Jobs are more than the 10000 that a simulation can hold\n`,
    ],
  ])("jobset %s refuses it, and names the field and the number", async (command, args, error) => {
    const refused = await ran([command, ...args], { files: billion });
    expect(refused).toEqual({ exitCode: 1, out: "", error });
  });

  it("jobset replay refuses a scenario with it", async () => {
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "train", namespace: "ml" },
      spec: {
        replicatedJobs: [
          {
            name: "w",
            replicas: 1_000_000_000,
            template: {
              spec: {
                template: {
                  spec: {
                    restartPolicy: "Never",
                    containers: [{ name: "main", image: "example.com/train" }],
                  },
                },
              },
            },
          },
        ],
      },
    };
    const scenario = {
      seed: 1,
      objects: [jobSet],
      workload: [],
      actions: [],
      faults: [],
      endsAt: 9,
    };
    const files = { "s.json": JSON.stringify(scenario) };
    const { exitCode, out, error } = await ran(["replay", "s.json"], { files });
    expect([exitCode, out]).toEqual([1, ""]);
    expect(error).toContain(
      "JobSet train: spec.replicatedJobs[0].replicas: 1000000000 Jobs are more than the 10000",
    );
  });

  it("jobset explain says in one finding how many Jobs it requests", async () => {
    const stored = billion["js.yaml"].replace("  name: train\n", "  name: train\n  uid: u-1\n");
    const { exitCode, out } = await ran(["explain", "-f", "js.yaml"], {
      files: { "js.yaml": stored },
    });
    expect(exitCode).toBe(0);
    expect(out.match(/requests 1000000000 Jobs/g)).toHaveLength(1);
    expect(out).toContain(
      "JobSet requests 1000000000 Jobs, and no controller can create more than 200000",
    );
    expect(out.length).toBeLessThan(2_000);
  });
});
