import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type Fault, faultNames } from "@jobset-ts/sim";
import { parseScenarioFinding } from "@jobset-ts/sim/schema";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import type { Explorer, Task } from "./explore/blocks.ts";
import { type ExploreEnvironment, type ExploreOptions, explore } from "./explore.ts";

const files = { "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("workers")}`) };

describe("jobset explore", () => {
  it("explore prints statistics if it finds nothing", async () => {
    const args = ["explore", "-f", "js.yaml", "--runs", "50", "--faults", "Crash,Race"];
    const { out, error, exitCode } = await runCommand(args, { files });
    expect([exitCode, out]).toEqual([0, ""]);
    expect(error).toMatch(
      /^jobset: note: 50 scenarios, 50 of them became idle, \d+ states, 0 with a violation$/m,
    );
  });

  it("explore rejects a JobSet before the run if the API server would reject its Jobs", async () => {
    const rejected = files["js.yaml"].replace(
      /( +)containers:/,
      "$1restartPolicy: Always\n$1containers:",
    );
    const world = { files: { "js.yaml": rejected } };
    for (const command of ["explore", "simulate"]) {
      const { out, error, exitCode } = await runCommand([command, "-f", "js.yaml"], world);
      expect([out, exitCode]).toEqual(["", 1]);
      expect(error).toMatch(
        /^js\.yaml:\d+:\d+: spec\.replicatedJobs\[0\]\.template\.spec\.template\.spec\.restartPolicy: the API server rejects Job train-workers-0: Required value: valid values: "OnFailure", "Never"\n$/,
      );
    }
  });

  it("explore divides the scenarios among shards, and uses the shard of a Pod of an Indexed Job", async () => {
    const blocks: number[] = [];
    const start = (): Explorer => ({
      explore: async (block, take) => {
        blocks.push(block);
        take({ simulated: 50, idle: 50, states: [], failures: [] });
        return true;
      },
      stop: () => {},
    });
    const world = { files, threads: { count: 1, start } };
    const args = ["explore", "-f", "js.yaml", "--runs", "100"];
    const first = await runCommand([...args, "--shard", "0/2"], world);
    const env = { JOB_COMPLETION_INDEX: "1", JOBSET_SHARDS: "2" };
    const second = await runCommand(args, { ...world, env });
    expect(blocks).toEqual([0, 1]);
    const counts = [first, second].map(({ error }) => Number(/(\d+) scenarios/.exec(error)?.[1]));
    expect(counts).toEqual([50, 50]);
  });

  it("explore warns about a shard without a block", async () => {
    const { error, exitCode } = await runCommand(["explore", "--runs", "50", "--shard", "7/8"]);
    expect(exitCode).toBe(0);
    expect(error).toMatch(/^jobset: warning: the shard 7\/8 contains no scenarios, /m);
  });

  it("explore rejects more threads than any machine has cores", async () => {
    const { error, exitCode } = await runCommand(["explore", "--jobs", "1025"]);
    expect(exitCode).toBe(2);
    expect(error).toMatch(/'1025' is invalid\. The value must be a whole number from 1 to 1024\./);
  });

  it("explore lists the faults in its help", async () => {
    const { out } = await runCommand(["explore", "--help"]);
    const named = /^Faults:\n((?: {2}.*\n)+)/m.exec(out)?.[1] ?? "";
    expect(named.match(/\w+/g)).toEqual([...faultNames]);
    expect(out.split("\n").filter((line) => line.length > 130)).toEqual([]);
  });

  it("explore rejects an invalid shard in the environment", async () => {
    const env = { JOB_COMPLETION_INDEX: "8", JOBSET_SHARDS: "8" };
    const { error, exitCode } = await runCommand(["explore", "--random"], { env });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/invalid shard "8\/8" from JOB_COMPLETION_INDEX and JOBSET_SHARDS/);
  });

  it("explore simulates random JobSets without a file, or with --random", async () => {
    const args = ["explore", "--runs", "50"];
    const { error } = await runCommand(args);
    expect(error).toMatch(/^jobset: note: 50 scenarios, \d+ of them became idle/);
    // A task and a block determine the scenarios, so the second run does not have to simulate them.
    const tasks: Task[] = [];
    const start = (task: Task): Explorer => {
      tasks.push(task);
      return {
        explore: async (_, take) => {
          take({ simulated: 50, idle: 50, states: [], failures: [] });
          return true;
        },
        stop: () => {},
      };
    };
    const threads = { count: 1, start };
    const unnamed = await runCommand(args, { threads });
    const random = await runCommand([...args, "--random"], { threads });
    expect(unnamed).toEqual(random);
    expect(tasks).toEqual([{ exploration: { seed: 1 }, quirks: "none" }, tasks[0]]);
  });

  it("explore rejects files together with --random, and unknown faults", async () => {
    const both = await runCommand(["explore", "-f", "js.yaml", "--random"], { files });
    expect([both.exitCode, both.out]).toEqual([2, ""]);
    expect(both.error).toMatch(/'--random' cannot be used with option '-f, --filename <file>'/);
    const { error, exitCode } = await runCommand(["explore", "--random", "--faults", "Meteor"]);
    expect(exitCode).toBe(2);
    expect(error).toMatch(/Faults are HoldBack, Relist/);
  });
});

describe("explore with findings", () => {
  const scenario = { seed: 1, objects: [], workload: [], actions: [], faults: [], endsAt: 0 };
  const failures = ["aIsB", "cIsD"].map((law) => {
    const violation = { law, sentence: "", at: 0, message: "it is not" };
    return { scenario, violation };
  });
  const report = { simulated: 50, idle: 50, states: [], failures };
  const options = {
    runs: 50,
    seed: 1,
    from: 0,
    keepGoing: true,
    quirks: "none",
    finding: "out/finding.json",
  } as Partial<ExploreOptions> as ExploreOptions;

  function createExploreEnvironment(
    writeFile: ExploreEnvironment["writeFile"],
  ): ExploreEnvironment {
    const thread: Explorer = {
      explore: async (_, take) => {
        take(report);
        return true;
      },
      stop: () => {},
    };
    return {
      now: () => 0,
      threads: { count: 1, start: () => thread },
      writeFile,
    } as Partial<ExploreEnvironment> as ExploreEnvironment;
  }

  it("explore writes each finding to its own file in the same folder, in the format of replay", async () => {
    const written = new Map<string, string>();
    const result = await explore(
      options,
      createExploreEnvironment(async (path, text) => void written.set(path, text)),
    );
    expect(result.exitCode).toBe(1);
    expect([...written.keys()]).toEqual(["out/finding.json", "out/cIsD-finding.json"]);
    const parsed = [...written.values()].map((text) => parseScenarioFinding(JSON.parse(text)));
    expect(parsed.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it("explore shrinks findings while it continues, so that they are small if the user stops it", async () => {
    const file = new URL("../../../../docs/findings/upstream/null-patch.json", import.meta.url);
    const { scenario, law, message } = JSON.parse(readFileSync(file, "utf8"));
    const violation = { law, sentence: "", at: 0, message };
    const faults: readonly Fault[] = [{ fault: "LoseReply", request: 1 }];
    const large = { scenario: { ...scenario, faults }, violation };
    let interrupt: (by: "SIGINT") => void = () => {};
    const interrupted = new Promise<"SIGINT">((resolve) => {
      interrupt = resolve;
    });
    const thread: Explorer = {
      explore: async (_, take) => {
        take({ ...report, failures: [large] });
        // The test tries more turns than there are scenarios.
        for (let turn = 0; turn < 600; turn++) await setImmediate();
        interrupt("SIGINT");
        return false;
      },
      stop: () => {},
    };
    const written: string[] = [];
    const world = createExploreEnvironment(async (_, text) => void written.push(text));
    await explore(
      { ...options, quirks: "upstream" },
      { ...world, threads: { count: 1, start: () => thread }, interrupted },
    );
    const [{ scenario: small, law: broken }] = written.map((text) => JSON.parse(text));
    expect([broken, small.faults, written.length]).toEqual([law, [], 1]);
  });

  it("explore prints a finding that cannot be written", async () => {
    const result = await explore(
      options,
      createExploreEnvironment(async () => {
        throw new Error("the disk is full");
      }),
    );
    expect(result.diagnostics).toContainEqual({
      severity: "error",
      file: "out/finding.json",
      message: "cannot be written: the disk is full; the finding is printed after its timeline",
    });
    expect(JSON.parse([...result.output][1] ?? "")).toMatchObject({ law: "aIsB", scenario });
  });
});

describe("explore on a signal", () => {
  it.each([
    ["SIGINT", 0],
    ["SIGTERM", 143],
  ] as const)(
    "explore exits on %s with %i, and prints the results and how to continue",
    async (signal, code) => {
      let interrupt: (by: typeof signal) => void = () => {};
      const interrupted = new Promise<typeof signal>((resolve) => {
        interrupt = resolve;
      });
      let end: (isComplete: boolean) => void = () => {};
      const thread: Explorer = {
        explore: (_, take) => {
          take({ simulated: 1, idle: 1, states: [], failures: [] });
          interrupt(signal);
          return new Promise((resolve) => {
            end = resolve;
          });
        },
        stop: () => end(false),
      };
      const options = { runs: 100, seed: 7, from: 0, quirks: "none" };
      const { diagnostics, exitCode } = await explore(
        options as Partial<ExploreOptions> as ExploreOptions,
        {
          now: () => 0,
          threads: { count: 1, start: () => thread },
          interrupted,
        } as Partial<ExploreEnvironment> as ExploreEnvironment,
      );
      expect(exitCode).toBe(code);
      expect(diagnostics.map(({ message }) => message)).toEqual([
        "1 scenario, 1 of them became idle, 0 states, 0 with a violation",
        "stopped early; to continue, run the same command with --seed 7 --from 0 --runs 100",
      ]);
    },
  );
});

describe("jobset replay", () => {
  const scenario = `{
  "seed": 1,
  "objects": [
    {
      "apiVersion": "jobset.x-k8s.io/v1alpha2",
      "kind": "JobSet",
      "metadata": { "name": "train", "namespace": "ml" },
      "spec": { "replicatedJobs": [] }
    }
  ],
  "workload": [],
  "actions": [],
  "faults": [{ "fault": "LoseReply", "request": 1 }],
  "endsAt": 60000
}`;

  it("replay runs a scenario", async () => {
    const { out, exitCode } = await runCommand(["replay", "s.json"], {
      files: { "s.json": scenario },
    });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/created JobSet train/);
    expect(out).toMatch(/FAULT LoseReply: the response to request 1 gets lost/);
  });

  it("replay shows a finding about the final state with a run without faults, unless the final state is the same", async () => {
    const node = {
      kind: "Node",
      metadata: { name: "node-0" },
      status: {
        allocatable: { cpu: "4", memory: "8Gi", pods: "9" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    };
    const containers = [{ name: "main", image: "busybox" }];
    const pod = { spec: { restartPolicy: "Never", containers } };
    const one = { name: "w", template: { spec: { backoffLimit: 0, template: pod } } };
    const jobSet = {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "train", namespace: "ml" },
      spec: { failurePolicy: { maxRestarts: 1 }, replicatedJobs: [one] },
    };
    const findingWith = (faults: readonly Fault[]) =>
      JSON.stringify({
        scenario: {
          seed: 1,
          objects: [node, jobSet],
          workload: [{ runMs: 20_000 }],
          actions: [],
          faults,
          endsAt: 600_000,
        },
        quirks: "none",
        law: "endsAsWithoutFaults",
        message: "it ended otherwise",
      });
    const files = {
      "kill.json": findingWith([{ fault: "KillContainers", job: "train-w-0", at: 5_000 }]),
      "lose.json": findingWith([{ fault: "LoseReply", request: 1 }]),
    };
    const killed = await runCommand(["replay", "kill.json"], { files });
    expect(killed.exitCode).toBe(1);
    const counts = (restarts: number) =>
      `JobSet ml/train: Completed, ${restarts} restarts, ${restarts} counted`;
    const message = new RegExp(
      `endsAsWithoutFaults: the final state has .*${counts(1)}.* instead of .*${counts(0)}`,
    );
    expect(killed.out).toMatch(new RegExp(`VIOLATION ${message.source}`));
    expect(killed.error).toMatch(new RegExp(`^jobset: ${message.source}`, "m"));
    const page = await runCommand(["replay", "kill.json", "-o", "html"], { files });
    expect(page.exitCode).toBe(1);
    expect(page.out).toMatch(/<h1>Finding: endsAsWithoutFaults<\/h1>/);
    expect(page.out).toMatch(/<p class="broken">Broken: endsAsWithoutFaults: the final state has /);
    const replayed = await runCommand(["replay", "lose.json"], { files });
    expect([replayed.exitCode, replayed.error]).toEqual([0, ""]);
    expect(replayed.out).toMatch(/FAULT LoseReply: the response to request 1 gets lost/);
  });

  it("replay rejects a file with the line and the field", async () => {
    const bad = scenario
      .replace('"request": 1', '"request": 0')
      .replace('"seed": 1', '"seed": "1"');
    const { error, out, exitCode } = await runCommand(["replay", "s.json"], {
      files: { "s.json": bad },
    });
    expect([out, exitCode]).toEqual(["", 2]);
    expect(error).toMatch(/^s\.json:2:3: seed: /m);
    expect(error).toMatch(/^s\.json:13:38: faults\[0\]\.request: /m);
  });

  it("replay rejects a scenario with a duplicate key or a value that is not an object, with its position", async () => {
    const files = {
      "s.json": scenario.replace('"seed": 1', '"seed": 1,\n  "seed": 2'),
      "n.json": "[]",
    };
    const twice = await runCommand(["replay", "s.json"], { files });
    expect([twice.out, twice.exitCode]).toEqual(["", 2]);
    expect(twice.error).toBe(
      "s.json:3:3: seed: Duplicate value: the key was already set in line 2\n",
    );
    const { error, exitCode } = await runCommand(["replay", "n.json"], { files });
    expect([error, exitCode]).toEqual([
      'n.json:1:1: Invalid value: "array": must be of type object: "array"\n',
      2,
    ]);
  });

  it("replay rejects a Kubernetes object, and names the command that simulates a JobSet", async () => {
    const { error, out, exitCode } = await runCommand(["replay", "js.yaml"], { files });
    expect([out, exitCode]).toEqual(["", 2]);
    expect(error).toMatch(
      /^js\.yaml:1:1: expected a finding or a scenario, not a JobSet; use jobset simulate -f for a JobSet$/m,
    );
  });

  it("replay rejects a JobSet that a cluster would deny, with its field", async () => {
    const bad = scenario.replace('"replicatedJobs": []', '"replicatedJobs": [{ "name": "A" }]');
    const { error, exitCode } = await runCommand(["replay", "s.json"], {
      files: { "s.json": bad },
    });
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^s\.json:8:\d+: objects\[0\]\.spec\.replicatedJobs/m);
  });

  it("replay reports unknown fields of a scenario with the suggested field, and rejects it", async () => {
    const bad = scenario
      .replace('"faults": [{ "fault"', '"fautls": [],\n  "faults": [{ "requests": 1, "fault"')
      .replace('"LoseReply"', '"LooseReply"');
    const { error, exitCode } = await runCommand(["replay", "s.json"], {
      files: { "s.json": bad },
    });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/^s\.json:\d+:3: fautls: .*unknown field \(Did you mean faults\?\)$/m);
    expect(error).toMatch(/"LooseReply": supported values: .* \(Did you mean LoseReply\?\)$/m);
    const one = bad.replace('"LooseReply"', '"LoseReply"');
    expect((await runCommand(["replay", "s.json"], { files: { "s.json": one } })).error).toMatch(
      /faults\[0\]\.requests: .*unknown field \(Did you mean request\?\)$/m,
    );
  });

  it("replay warns about unknown fields of JobSets and requests of a scenario, and runs it", async () => {
    const request = `{ "verb": "patch", "object": { "kind": "JobSet", "metadata": { "name": "train", "namespace": "ml" }, "spec": { "suspended": true } } }`;
    const invalidScenario = scenario
      .replace('"replicatedJobs": []', '"replicatedjob": []')
      .replace('"actions": []', `"actions": [{ "at": 5, "request": ${request} }]`);
    const { error, exitCode } = await runCommand(["replay", "s.json"], {
      files: { "s.json": invalidScenario },
    });
    expect(exitCode).toBe(0);
    expect(error).toContain(
      "s.json:8:17: warning: objects[0].spec.replicatedjob: unknown field, dropped (Did you mean replicatedJobs?)\n",
    );
    expect(error).toContain(
      "warning: actions[0].request.object.spec.suspended: unknown field, dropped (Did you mean suspend?)\n",
    );
  });

  it("replay notes that the run violates another law than the finding names", async () => {
    const url = new URL("../../../../docs/findings/shared-service.json", import.meta.url);
    const finding = readFileSync(url, "utf8");
    const files = {
      "right.json": finding,
      "wrong.json": finding.replace('"servicesAndClaimsExist"', '"idleControllersHaveEmptyPlans"'),
    };
    const note =
      "note: the finding is about the law idleControllersHaveEmptyPlans, but this run satisfies it";
    expect((await runCommand(["replay", "right.json"], { files })).error).not.toContain(
      "note: the finding",
    );
    expect((await runCommand(["replay", "wrong.json"], { files })).error).toContain(note);
  });
});
