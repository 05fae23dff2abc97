import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";
import { describe, expect, it } from "vitest";
import { numberCases } from "../../testing/src/testing/ignores-numbers.ts";
import { withNumericFields } from "../../testing/src/testing/large-numbers.ts";
import { runs } from "../../testing/src/testing/runs.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "./testing.ts";

const billion = {
  "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w", 1_000_000_000)}`),
};
const at = "js.yaml:8:5: spec.replicatedJobs[0].replicas";

describe("a JobSet with a billion Jobs", () => {
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
  ])(
    "jobset %s rejects a billion Jobs with the field and the number",
    async (command, args, error) => {
      const rejected = await runCommand([command, ...args], { files: billion });
      expect(rejected).toEqual({ exitCode: 1, out: "", error });
    },
  );

  it("jobset replay rejects a scenario with a billion Jobs", async () => {
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
    const { exitCode, out, error } = await runCommand(["replay", "s.json"], { files });
    expect([exitCode, out]).toEqual([1, ""]);
    expect(error).toContain(
      "JobSet train: spec.replicatedJobs[0].replicas: 1000000000 Jobs are more than the 10000",
    );
  });

  it("jobset explain reports a billion requested Jobs in one finding", async () => {
    const stored = billion["js.yaml"].replace("  name: train\n", "  name: train\n  uid: u-1\n");
    const { exitCode, out } = await runCommand(["explain", "-f", "js.yaml"], {
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

/** A stored JobSet with all numeric fields, and its Job. */
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

const measureCpuMs = () => process.cpuUsage().user / 1000;

/** The number of runs with small numbers, for a meaningful average. */
const SMALL_RUNS = 3;

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
    [["explain", "-f", "js.json", "--requested-kinds", "Job,Pod,Node,Service,Event"]],
    [["top", "-f", "js.json"]],
    [["verify", "-f", "js.json"]],
    [["census", "-f", "js.json", "--requested-kinds", "Pod"]],
    [["what-if", "-f", "js.json", "train", "--fail", "train-w-0"]],
    [["simulate", "-f", "js.json"]],
  ])("the cost of %j does not grow with a number in the input", async (args) => {
    const run = async (objects: unknown) => {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      const files = { "js.json": JSON.stringify(list), "small.json": small };
      const before = measureCpuMs();
      const { exitCode, out, error } = await runCommand(args, { files });
      return { ms: measureCpuMs() - before, exitCode, length: out.length + error.length };
    };
    const small = JSON.stringify({ apiVersion: "v1", kind: "List", items: stored });
    let [smallMs, largeMs] = [0, 0];
    for (let time = 0; time < SMALL_RUNS; time += 1) {
      const { ms, exitCode } = await run(stored);
      // Equal numbers violate an invariant, which verify reports.
      expect(exitCode).toBe(args[0] === "verify" ? 1 : 0);
      smallMs += ms / SMALL_RUNS;
    }
    // The tests of each package try all numbers in each field. The long tier tries this number in each field.
    const cases = numberCases(stored)
      .filter(({ text }) => /^2147483647/.test(text))
      .filter((_, at) => at % runs(3, 1) === 0);
    for (const { text, value } of cases) {
      const { ms, exitCode, length } = await run(value);
      largeMs += ms;
      expect({ text, isKnown: exitCode < 3, isShort: length < 300_000 }).toEqual({
        text,
        isKnown: true,
        isShort: true,
      });
    }
    expect(largeMs).toBeLessThan(10 * smallMs * cases.length + 200);
  });
});

const times = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at));

/** JobSets with lists of this length. */
const longLists = {
  "a chain of dependsOn": (length: number) => ({
    replicatedJobs: times(length, (at) => ({
      ...replicatedJob(`r${at}`, 1),
      ...(at > 0 && { dependsOn: [{ name: `r${at - 1}`, status: "Ready" }] }),
    })),
  }),
  "startup in order": (length: number) => ({
    startupPolicy: { startupPolicyOrder: "InOrder" },
    successPolicy: {
      operator: "All",
      targetReplicatedJobs: times(length, (at) => `r${at}`),
    },
    replicatedJobs: times(length, (at) => replicatedJob(`r${at}`, 1)),
  }),
  "many containers and rules": (length: number) => ({
    failurePolicy: {
      rules: times(Math.min(length, 20), (at) => ({
        name: `rule${at}`,
        action: "FailJobSet",
        onJobFailureReasons: ["BackoffLimitExceeded"],
        targetReplicatedJobs: ["w"],
      })),
    },
    replicatedJobs: [replicatedJob("w", length)],
  }),
};

function replicatedJob(name: string, containers: number) {
  return {
    name,
    replicas: 1,
    template: {
      spec: {
        template: {
          spec: {
            restartPolicy: "Never",
            containers: times(containers, (at) => ({
              name: `c${at}`,
              image: "example.com/train",
              env: [{ name: "A", value: "1" }],
            })),
          },
        },
      },
    },
  };
}

describe("the cost of a command for a JobSet with long lists", () => {
  const commands = [
    ["render", "-f", "js.json", "-o", "name"],
    ["names", "-f", "js.json"],
    ["kueue", "podsets", "-f", "js.json"],
    ["admit", "-f", "js.json", "--old", "js.json"],
    ["diff", "js.json", "js.json"],
    ["plan", "-f", "js.json"],
    ["explain", "-f", "js.json", "--requested-kinds", "Job,Pod,Node,Service,Event"],
    ["top", "-f", "js.json"],
    ["verify", "-f", "js.json"],
  ];
  const cases = Object.entries(longLists).flatMap(([lists, specOf]) =>
    commands.map((args) => [lists, args, specOf] as const),
  );

  it.each(cases)("the cost grows no faster than %s: %j", async (_, args, specOf) => {
    const filesFor = (length: number) => {
      const jobSet = {
        apiVersion: JOBSET_API_VERSION,
        kind: "JobSet",
        metadata: { name: "train", namespace: "ml", uid: "u-1" },
        spec: specOf(length),
      };
      return { "js.json": JSON.stringify(jobSet) };
    };
    const measureMs = async (files: Readonly<Record<string, string>>) => {
      const before = measureCpuMs();
      expect((await runCommand(args, { files })).exitCode).toBe(0);
      return measureCpuMs() - before;
    };
    const small = filesFor(25);
    const few = Math.min(await measureMs(small), await measureMs(small));
    // The long list has sixteen times as many elements. A comparison of all pairs would take 256 times as long.
    const limit = 64 * Math.max(few, 1);
    const large = filesFor(400);
    let many = await measureMs(large);
    // One run on a busy machine can be slow by chance.
    if (many >= limit) many = await measureMs(large);
    expect(many).toBeLessThan(limit);
  });
});
