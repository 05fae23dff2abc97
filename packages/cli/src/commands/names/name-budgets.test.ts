import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../../testing.ts";

const jobSet = (name: string, replicatedJob: string) =>
  aJobSetFile(`replicatedJobs:\n${aReplicatedJob(replicatedJob, 12)}`).replace(
    "name: train",
    `name: ${name}`,
  );
const files = { "two.yaml": `${jobSet("train", "big-w")}---\n${jobSet("train-big", "w")}` };

describe("jobset names --budget", () => {
  it("names --budget prints the characters left, the limits, and collisions", async () => {
    const args = ["names", "-f", "two.yaml", "train-big", "--budget"];
    const { exitCode, out, error } = await runCommand(args, { files });
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    const [left, names = "", taken] = out.split("\n\n");
    expect(left).toMatch(/^JOBSET +LEFTFORJOBSETNAME\ndefault\/train-big +\d+$/);
    expect(names).toMatch(/^JOBSET +USE +REPLICATEDJOB +NAME +BYTES +LIMIT +LEFT +BEYOND +WHY\n/);
    expect(names).toMatch(
      /^default\/train-big +Job +w +train-big-w-11 +14 +63 +49 +Refused +JobSet's /m,
    );
    const room = [...names.matchAll(/ (?<left>\d+) +(?:Refused|Stuck|Unresolvable|Cut) /g)].map(
      ({ groups }) => Number(groups?.left),
    );
    expect(room.length).toBeGreaterThan(5);
    expect(room).toEqual(room.toSorted((a, b) => a - b));
    expect(taken).toBe(
      "JOBSET              KIND   NAME            COUNT   TAKEN-BY\n" +
        "default/train-big   Job    train-big-w-0   12      train\n",
    );
  });

  it("names --budget prints the whole budget as JSON", async () => {
    const args = ["names", "-f", "two.yaml", "--budget", "-o", "json"];
    const { items } = JSON.parse((await runCommand(args, { files })).out) as { items: unknown[] };
    expect(items).toMatchObject([
      { name: "train", collisions: { outcome: "Known", collisions: [{ jobSet: "train-big" }] } },
      { name: "train-big", collisions: { outcome: "Known", collisions: [{ jobSet: "train" }] } },
    ]);
  });

  it("names without --budget prints the names only", async () => {
    const { out } = await runCommand(["names", "-f", "two.yaml", "train-big"], { files });
    expect(out).toMatch(/^KIND +NAME +REPLICATEDJOB +JOB-INDEX +POD-INDEX +DNS-NAME\n/);
  });

  it("--budget with -o name is rejected", async () => {
    expect(
      await runCommand(["names", "-f", "two.yaml", "--budget", "-o", "name"], { files }),
    ).toEqual({
      exitCode: 2,
      out: "",
      error:
        "jobset: --budget prints no names and cannot be combined with -o name (see jobset names --help)\n",
    });
  });
});
