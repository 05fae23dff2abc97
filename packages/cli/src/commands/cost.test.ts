import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const files = {
  "train.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w", 3)}`),
  "empty.yaml": aJobSetFile(),
};
const elastic = ["--feature-gates", "ElasticJobSet=true"];

interface Cost {
  readonly operation: string;
  readonly minSeconds: number;
  readonly writes: readonly { verb: string; resource: string; count: number }[];
}

async function costs(...args: readonly string[]): Promise<Readonly<Record<string, Cost>>> {
  const { out } = await runCommand(["cost", "-f", "train.yaml", "-o", "json", ...args], { files });
  const { items } = JSON.parse(out) as { readonly items: readonly Cost[] };
  return Object.fromEntries(items.map((item) => [item.operation, item]));
}

const countItems = (cost: Cost | undefined, verb: string, resource: string) =>
  cost?.writes.find((one) => one.verb === verb && one.resource === resource)?.count;

describe("jobset cost", () => {
  it("cost prints the cost of each operation, then the writes by component", async () => {
    const { exitCode, out, error } = await runCommand(["cost", "-f", "train.yaml"], { files });
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error:
        "jobset: note: scale: the feature gate ElasticJobSet is disabled; use --feature-gates ElasticJobSet=true to enable it\n",
    });
    const [summary = "", details = ""] = out.split("\n\n");
    expect(summary).toMatch(/^JOBSET +OPERATION +WRITES +BYTES +PASSES +LEASTSECONDS\n/);
    const operations = summary.split("\n").slice(1);
    expect(operations.map((line) => line.split(/ +/)[1])).toEqual([
      "create",
      "restart",
      "suspend",
      "resume",
      "scale",
      "delete",
    ]);
    expect(details).toMatch(/^default\/train +create +JobSetController +create +jobs +3 +\d+$/m);
    expect(details).toMatch(/^default\/train +restart +JobController +create +pods +6 +\d+$/m);
  });

  it("cost uses the rate limit of the controller's client", async () => {
    expect((await costs()).create?.minSeconds).toBe(0);
    const slow = await costs("--qps", "0.5", "--burst", "1");
    const { writes = [], minSeconds } = slow.create ?? {};
    const limited = writes.filter(({ resource }) => resource !== "pods" && resource !== "events");
    const count = limited.reduce((sum, one) => sum + one.count, 0);
    expect(minSeconds).toBe((count - 1) / 0.5);
  });

  it("cost scales to twice as many Pods by default", async () => {
    expect(countItems((await costs(...elastic)).scale, "create", "pods")).toBe(6);
    const { scale } = await costs(...elastic, "--scale", "w=3");
    expect(countItems(scale, "create", "pods")).toBe(3);
  });

  it("cost reports an operation that is impossible for a JobSet, and prints the others", async () => {
    const { exitCode, out, error } = await runCommand(["cost", "-f", "empty.yaml", ...elastic], {
      files,
    });
    expect(exitCode).toBe(1);
    expect(error).toBe("empty.yaml:1:1: restart: the JobSet has no Job that can fail\n");
    expect(out).toMatch(/^default\/train +restart +<none>/m);
    expect(out).toMatch(/^default\/train +create +\d/m);
  });

  it.each([
    ["--qps", "fast"],
    ["--burst", "-1"],
    ["--scale", "w"],
    ["--scale", "w=x"],
  ])("cost rejects %s %s", async (option, value) => {
    const { exitCode, error } = await runCommand(["cost", "-f", "train.yaml", option, value], {
      files,
    });
    expect(exitCode).toBe(2);
    expect(error).toContain("is invalid");
  });

  it("cost rejects a scale for a ReplicatedJob that no JobSet has", async () => {
    const args = ["cost", "-f", "train.yaml", ...elastic, "--scale"];
    expect(await runCommand([...args, "wrk=3"], { files })).toEqual({
      exitCode: 1,
      out: "",
      error: 'jobset: --scale: no JobSet has a ReplicatedJob "wrk"\n',
    });
  });
});
