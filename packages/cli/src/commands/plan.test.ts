import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCommand, withoutVersionNote } from "../testing.ts";

const folder = join(import.meta.dirname, "..", "testdata", "dumps");

/** The known state of the JobSets of a dump. See the README of the dumps. */
interface ExpectedJobSet {
  readonly file: string;
  readonly jobSet: string;
  readonly status: string;
  readonly takenAt: string;
}

const expectedJobSets = readFileSync(join(folder, "truth.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as ExpectedJobSet);

function dump(file: string): string {
  return gunzipSync(readFileSync(join(folder, file))).toString();
}

describe("jobset plan on dumps of a real cluster", () => {
  it.each(readdirSync(folder).filter((name) => name.endsWith(".json.gz")))(
    "plan reads %s without diagnostics",
    async (file) => {
      const { exitCode, out, error } = await runCommand(["plan", "-f", "dump.json", "-o", "json"], {
        files: { "dump.json": dump(file) },
      });
      expect(withoutVersionNote(error)).toBe("");
      expect(exitCode).toBe(0);
      expect(JSON.parse(out)).not.toMatchObject({ items: [] });
    },
  );

  const settled = expectedJobSets.filter(
    ({ status }) => status === "running" || status === "completed",
  );
  it.each(settled.map(({ file, jobSet, takenAt }) => [jobSet, file, takenAt] as const))(
    "plan finds nothing to do in %s for %s, like upstream's controller",
    async (jobSet, file, takenAt) => {
      const args = ["plan", "-f", "dump.json", "-o", "json", "--now", takenAt];
      const { out } = await runCommand(args, {
        files: { "dump.json": dump(file) },
      });
      const [namespace, name] = jobSet.split("/");
      const { items } = JSON.parse(out) as {
        items: { jobSet: { namespace: string; name: string } }[];
      };
      const plan = items.find(
        (one) => one.jobSet.namespace === namespace && one.jobSet.name === name,
      );
      expect(plan).toMatchObject({ steps: [], events: [], metrics: [], warnings: [] });
      expect(plan).not.toHaveProperty("status");
      expect(plan).not.toHaveProperty("error");
    },
  );
});
