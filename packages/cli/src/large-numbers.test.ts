import { JOBSET_API_VERSION } from "@jobset-ts/api";
import { numberCases, withNumericFields } from "@jobset-ts/testing/totality";
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

/** A JobSet with a numeric field wherever there may be one, and its Job, as a cluster stores them. */
const stored = withNumericFields([
  {
    apiVersion: JOBSET_API_VERSION,
    kind: "JobSet",
    metadata: { name: "train", namespace: "ml", uid: "u-1", generation: 1 },
    spec: {
      coordinator: { replicatedJob: "w", jobIndex: 0, podIndex: 0 },
      replicatedJobs: [
        {
          name: "w",
          template: {
            spec: {
              completionMode: "Indexed",
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
    status: { replicatedJobsStatus: [{ name: "w" }], conditions: [] },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: "train-w-0",
      namespace: "ml",
      uid: "u-2",
      labels: {
        "jobset.sigs.k8s.io/jobset-name": "train",
        "jobset.sigs.k8s.io/replicatedjob-name": "w",
        "jobset.sigs.k8s.io/job-index": "0",
        "jobset.sigs.k8s.io/restart-attempt": "1",
      },
    },
    spec: { template: { spec: { containers: [] } } },
    status: { active: 1, ready: 1, succeeded: 1, failed: 1 },
  },
]);

const cpuMs = () => process.cpuUsage().user / 1000;

describe("the cost of a command", () => {
  it.each([
    [["render", "-f", "js.json", "-o", "name"]],
    [["names", "-f", "js.json"]],
    [["names", "-f", "js.json", "--budget"]],
    [["cost", "-f", "js.json"]],
    [["kueue", "podsets", "-f", "js.json"]],
    [["plan", "-f", "js.json"]],
    [["status", "-f", "js.json"]],
    [["admit", "-f", "js.json"]],
    [["admit", "-f", "js.json", "--old", "small.json"]],
    [["diff", "small.json", "js.json"]],
    [["explain", "-f", "js.json", "--asked", "Job,Pod,Node,Service,Event"]],
    [["top", "-f", "js.json"]],
    [["verify", "-f", "js.json"]],
    [["census", "-f", "js.json", "--asked", "Pod"]],
    [["what-if", "-f", "js.json", "train", "--fail", "train-w-0"]],
    [["simulate", "-f", "js.json"]],
  ])("of %j does not grow with a number in the input", async (args) => {
    const run = async (objects: unknown) => {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      const files = { "js.json": JSON.stringify(list), "small.json": small };
      const before = cpuMs();
      const { exitCode, out, error } = await ran(args, { files });
      return { ms: cpuMs() - before, exitCode, length: out.length + error.length };
    };
    const small = JSON.stringify({ apiVersion: "v1", kind: "List", items: stored });
    let [smallMs, largeMs] = [0, 0];
    for (const { text, value } of numberCases(stored)) {
      const small = await run(stored);
      // Numbers that are all the same break an invariant, which verify reports.
      expect(small.exitCode).toBe(args[0] === "verify" ? 1 : 0);
      smallMs += small.ms;
      const { ms, exitCode, length } = await run(value);
      largeMs += ms;
      expect({ text, isKnown: exitCode < 3, isShort: length < 300_000 }).toEqual({
        text,
        isKnown: true,
        isShort: true,
      });
    }
    expect(largeMs).toBeLessThan(10 * smallMs + 200);
  });
});
