import { expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import { foldRows } from "./fold-rows.ts";

const jobs = (count: number) =>
  Array.from({ length: count }, (_, index) => ["create", `Job/w-${index}`, 1]);

it("foldRows folds more than three rows that differ only by indexes", () => {
  expect([...foldRows(jobs(256))]).toEqual([["create", "Job/w-{0..255}", 1]]);
  expect([...foldRows(jobs(3))]).toEqual(jobs(3));
});

it("foldRows keeps rows that differ otherwise or are not adjacent", () => {
  const rows = [
    ...jobs(4),
    ["delete", "Job/w-4", 1],
    ["delete", "Job/v", 1],
    ["delete", "Job/w-5", 2],
    ...jobs(4),
  ];
  expect([...foldRows(rows)]).toEqual([
    ["create", "Job/w-{0..3}", 1],
    ["delete", "Job/w-4", 1],
    ["delete", "Job/v", 1],
    ["delete", "Job/w-5", 2],
    ["create", "Job/w-{0..3}", 1],
  ]);
  expect([...foldRows([["none", undefined]])]).toEqual([["none", undefined]]);
});

it.each(["plan", "diff"])("jobset %s prints a few lines for 256 Jobs", async (command) => {
  const spec = `replicatedJobs:\n${aReplicatedJob("w", 256)}`;
  const files = {
    "js.yaml": aJobSetFile(spec),
    "edited.yaml": aJobSetFile(`suspend: true\n${spec}`),
  };
  const args = command === "plan" ? ["plan", "-f", "js.yaml"] : ["diff", "js.yaml", "edited.yaml"];
  const { out } = await runCommand(args, { files });
  expect(out).toContain("train-w-{0..255} ");
  expect(out.split("\n").length).toBeLessThan(15);
  const { items } = JSON.parse((await runCommand([...args, "-o", "json"], { files })).out);
  expect(new Set(JSON.stringify(items).match(/train-w-\d+"/g)).size).toBe(256);
});
